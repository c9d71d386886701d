package io.distlock.records;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.records.CommandQueue.Turn;

/**
 * Executes the commands of this process for one lock. One change is under way at a time.
 * Commands that arrive meanwhile share the next change.
 * <p>
 * {@link CommandQueue} decides which thread executes the commands, and gives it the turn.
 * {@link CompareAndSetAttempt} executes them. {@link LastKnownRecord} remembers the
 * record from one change to the next.
 */
final class RecordPipeline implements CommandQueue.Followers {

	private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

	/** Not zero: with a full heap, repetitions must not follow each other closely. */
	private static final Duration AFTER_ERROR = Duration.ofMillis(20);

	/** Limits the pause between two attempts to a minute. */
	private static final int MOST_DOUBLINGS = 6;

	private final CommandQueue queue;

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
		this.queue = new CommandQueue(context.clock(), context.settings().commandTimeout().toNanos(), this);
	}

	/** Adds a command, which the caller must {@link #begin}. */
	void add(RecordCommand<?> command) {
		this.queue.add(command);
	}

	/** Returns whether this pipeline can be forgotten. */
	boolean isForgettable() {
		return this.queue.atRest(LastKnownRecord::isEmpty);
	}

	/**
	 * Returns whether this pipeline can be forgotten, although the record may name this
	 * process: no command has used it since the last time this method was called.
	 */
	boolean isForgettableSoon() {
		return this.queue.atRest(LastKnownRecord::isUnused);
	}

	/**
	 * Executes the added commands, unless another thread does. If a request of this
	 * process follows a release at once, both become one change. A thread that waits for
	 * the release executes both after the engine has added the request. If no thread
	 * waits, the release is delayed until the scheduler has run. A lock with waiters is
	 * released at once.
	 * @param first the added command
	 */
	void begin(RecordCommand<?> first) {
		try {
			if (!this.queue.isReservedFor(first)) {
				return;
			}
			boolean release = first.kind() == RecordCommand.Kind.RELEASE;
			if (release && first.caller().offer(this::run)) {
				return;
			}
			if (release && this.queue.awaitsRequest()) {
				this.context.scheduler().schedule(Duration.ZERO, this::run);
			}
			else {
				run();
			}
		}
		catch (Throwable ex) {
			runAfterError();
			throw ex;
		}
	}

	/** Executes what is pending, as perhaps nobody took the turn. */
	private void runAfterError() {
		this.context.scheduler().schedule(AFTER_ERROR, this::run);
	}

	/**
	 * Executes one batch of the added commands. The present thread may belong to a caller
	 * that holds monitors, so it leaves later commands to other threads.
	 */
	@Override
	public void run() {
		try (Turn turn = this.queue.take()) {
			turn.abandoned().forEach((command) -> command.fail(CompareAndSetAttempt.tooLate(this.key)));
			if (!turn.commands().isEmpty()) {
				execute(turn);
			}
		}
		catch (Throwable ex) {
			runAfterError();
			throw ex;
		}
	}

	private void execute(Turn turn) {
		try {
			// A copy, because the change removes the commands that it refuses.
			List<RecordCommand<?>> batch = new ArrayList<>(turn.commands());
			turn.lastsUntil(new CompareAndSetAttempt(this.context, this.key, turn.memory(), batch).execute());
		}
		catch (Throwable ex) {
			turn.commands().forEach((command) -> command.fail(ex));
			throw ex;
		}
	}

	@Override
	public void runLater() {
		try {
			this.context.scheduler().schedule(Duration.ZERO, this::run);
		}
		catch (Throwable ex) {
			// The commands that are pending do not wait for the next one.
			run();
		}
	}

	/**
	 * Handles an empty queue. If an earlier write may still be executed, a later write
	 * supersedes it, so that the late write loses. Until then the pipeline is remembered,
	 * because perhaps no caller uses this lock again.
	 */
	@Override
	public void rest() {
		this.pipelines.idle(this.key);
		if (this.queue.atRest(LastKnownRecord::isUncertain) && this.superseding.compareAndSet(false, true)) {
			int doublings = Math.min(this.attempts.getAndIncrement(), MOST_DOUBLINGS);
			try {
				this.context.scheduler()
					.schedule(FIRST_PAUSE.multipliedBy(1L << doublings), this::supersedeUncertainWrite);
			}
			catch (Throwable ex) {
				this.superseding.set(false);
				throw ex;
			}
		}
	}

	private void supersedeUncertainWrite() {
		this.superseding.set(false);
		// A change that is under way also supersedes the uncertain write.
		if (this.queue.atRest(LastKnownRecord::isUncertain)) {
			this.pipelines.read(this.key);
		}
		else {
			this.attempts.set(0);
		}
	}

}
