package io.distlock.records;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The commands of this process for one lock. One change is under way at a time; commands
 * that arrive meanwhile go together in the next one.
 * <p>
 * {@link CommandQueue} knows whose turn it is to execute them,
 * {@link CompareAndSetAttempt} executes them, and {@link LastKnownRecord} keeps what is
 * known of the record from one change to the next.
 */
final class RecordPipeline {

	private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

	/** At most a minute between two attempts. */
	private static final int MOST_DOUBLINGS = 6;

	private final CommandQueue queue = new CommandQueue();

	private final LastKnownRecord memory = new LastKnownRecord();

	/** Whether a write is planned that supersedes an uncertain one. */
	private final AtomicBoolean superseding = new AtomicBoolean();

	/** How often that was planned in a row. */
	private final AtomicInteger attempts = new AtomicInteger();

	private final RecordPipelines pipelines;

	private final PipelineContext context;

	private final String key;

	RecordPipeline(RecordPipelines pipelines, PipelineContext context, String key) {
		this.pipelines = pipelines;
		this.context = context;
		this.key = key;
	}

	/**
	 * Adds a command.
	 * @return {@code true} if the caller has to {@link #begin} with it
	 */
	boolean add(RecordCommand<?> command) {
		return this.queue.add(command);
	}

	/** Whether nothing of this pipeline needs to be remembered. */
	boolean isForgettable() {
		return this.queue.atRest(this.memory::isEmpty);
	}

	/**
	 * Executes what has been added. The next request of this process may follow a release
	 * at once, and then both are one change. A thread that waits for the release executes
	 * them after the engine has added that request. If no thread waits, a release gives
	 * way until the scheduler has run.
	 * @param first what has been added
	 */
	void begin(RecordCommand<?> first) {
		boolean release = first.kind() == RecordCommand.Kind.RELEASE;
		if (release && first.caller().offer(this::run)) {
			return;
		}
		if (release && expectsRequest()) {
			this.context.scheduler().schedule(Duration.ZERO, this::runUnfollowed);
		}
		else {
			run();
		}
	}

	/** A lock that others wait for is released at once. */
	private boolean expectsRequest() {
		return !this.memory.isAwaited() && this.queue.awaitFollower();
	}

	private void runUnfollowed() {
		if (this.queue.takeUnfollowed()) {
			run();
		}
	}

	/**
	 * Executes what has been added. The present thread may be a caller of the store with
	 * monitors of its own, so it executes one batch, and leaves what comes meanwhile to
	 * others.
	 */
	private void run() {
		List<RecordCommand<?>> batch = this.queue.removeAll();
		if (batch.isEmpty()) {
			rest();
			return;
		}
		CompletableFuture<Boolean> done = new CompareAndSetAttempt(this.context, this.key, this.memory, batch).execute()
			// Near the end of the stack even the handling of a failure may fail.
			.handle((nothing, failure) -> failure == null)
			.toCompletableFuture();
		if (!done.isDone()) {
			done.thenRun(this::run);
		}
		else if (this.queue.endIfEmpty()) {
			rest();
		}
		else {
			runSoon();
		}
	}

	private void runSoon() {
		try {
			this.context.scheduler().schedule(Duration.ZERO, this::run);
		}
		catch (Throwable ex) {
			// Or the pipeline would stop for ever.
			run();
		}
	}

	/**
	 * There is nothing to do. If a write may still be executed, another one supersedes it
	 * later: then the late one loses. Until then the pipeline is remembered, because
	 * perhaps no caller uses this lock again.
	 */
	private void rest() {
		this.pipelines.idle(this.key);
		if (this.queue.atRest(this.memory::isUncertain) && this.superseding.compareAndSet(false, true)) {
			int doublings = Math.min(this.attempts.getAndIncrement(), MOST_DOUBLINGS);
			this.context.scheduler().schedule(FIRST_PAUSE.multipliedBy(1L << doublings), this::supersedeUncertainWrite);
		}
	}

	private void supersedeUncertainWrite() {
		this.superseding.set(false);
		// A change that is under way supersedes it as well.
		if (this.queue.atRest(this.memory::isUncertain)) {
			this.pipelines.read(this.key);
		}
		else {
			this.attempts.set(0);
		}
	}

}
