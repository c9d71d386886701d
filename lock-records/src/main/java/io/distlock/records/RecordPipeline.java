package io.distlock.records;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Executes the commands of this process for one lock. One change is under way at a time.
 * Commands that arrive meanwhile share the next change.
 * <p>
 * {@link CommandQueue} decides which thread executes the commands.
 * {@link CompareAndSetAttempt} executes them. {@link LastKnownRecord} remembers the
 * record from one change to the next.
 */
final class RecordPipeline {

	private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

	/** Limits the pause between two attempts to a minute. */
	private static final int MOST_DOUBLINGS = 6;

	private final CommandQueue queue = new CommandQueue();

	private final LastKnownRecord memory = new LastKnownRecord();

	/** Whether a write is planned that supersedes an uncertain one. */
	private final AtomicBoolean superseding = new AtomicBoolean();

	/** The number of superseding writes planned in a row. */
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
	 * @return {@code true} if the caller must {@link #begin} with the command
	 */
	boolean add(RecordCommand<?> command) {
		return this.queue.add(command);
	}

	/** Returns whether this pipeline can be forgotten. */
	boolean isForgettable() {
		return this.queue.atRest(this.memory::isEmpty);
	}

	/**
	 * Executes the added commands. If a request of this process follows a release at
	 * once, both become one change. A thread that waits for the release executes both
	 * after the engine has added the request. If no thread waits, the release is delayed
	 * until the scheduler has run.
	 * @param first the added command
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

	/**
	 * Returns whether to wait for a request after a release. A lock with waiters is
	 * released at once.
	 */
	private boolean expectsRequest() {
		return !this.memory.isAwaited() && this.queue.awaitFollower();
	}

	private void runUnfollowed() {
		if (this.queue.takeUnfollowed()) {
			run();
		}
	}

	/**
	 * Executes one batch of the added commands. The present thread may belong to a caller
	 * that holds monitors, so it leaves later commands to other threads.
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
			// Otherwise the pipeline would stop for ever.
			run();
		}
	}

	/**
	 * Handles an empty queue. If an earlier write may still be executed, a later write
	 * supersedes it, so that the late write loses. Until then the pipeline is remembered,
	 * because perhaps no caller uses this lock again.
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
		// A change that is under way also supersedes the uncertain write.
		if (this.queue.atRest(this.memory::isUncertain)) {
			this.pipelines.read(this.key);
		}
		else {
			this.attempts.set(0);
		}
	}

}
