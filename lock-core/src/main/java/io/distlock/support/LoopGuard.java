package io.distlock.support;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a background loop alive: no turn ends it, whatever it throws. The first failure
 * in a row is logged. Nothing is allocated after a failure, because there may be no
 * memory; if the log fails too, the line is written before the next turn.
 * <p>
 * For one thread at a time.
 */
public final class LoopGuard {

	/** How long a thread pauses after a turn that failed. */
	public static final Duration PAUSE = Duration.ofMillis(100);

	private static final Logger logger = LoggerFactory.getLogger(LoopGuard.class);

	private static final long PAUSE_NANOS = PAUSE.toNanos();

	private static final Consumer<Runnable> RUN = Runnable::run;

	private final String loop;

	private final LongConsumer sleep;

	private volatile boolean failing;

	private volatile @Nullable Throwable unlogged;

	/**
	 * Creates the guard of a loop.
	 * @param loop the name of its thread, for the log
	 */
	public LoopGuard(String loop) {
		this(loop, LockSupport::parkNanos);
	}

	/**
	 * Creates the guard of a loop with a given way to sleep.
	 * @param loop the name of its thread, for the log
	 * @param sleep makes the thread sleep for some nanoseconds
	 */
	public LoopGuard(String loop, LongConsumer sleep) {
		this.loop = loop;
		this.sleep = sleep;
	}

	/**
	 * Runs a turn of a loop that a timer repeats. Throws nothing.
	 * @param turn what the loop does each time, created before: it may not be possible to
	 * create it later
	 * @return whether it was completed
	 */
	public boolean run(Runnable turn) {
		return run(RUN, turn);
	}

	/**
	 * The same for an action with an argument, which needs no object of its own.
	 * @param <T> type of the argument
	 * @param action what the loop does each time
	 * @param argument passed to the action
	 * @return whether it was completed
	 */
	public <T> boolean run(Consumer<T> action, T argument) {
		log();
		try {
			action.accept(argument);
			this.failing = false;
			return true;
		}
		catch (Throwable ex) {
			if (!this.failing) {
				this.failing = true;
				this.unlogged = ex;
				log();
			}
			return false;
		}
	}

	/**
	 * Runs a turn of a loop that has a separate thread. The thread pauses after a
	 * failure. Throws nothing.
	 * @param turn what the loop does each time, created before
	 */
	public void runOrPause(Runnable turn) {
		if (!run(turn)) {
			pause();
		}
	}

	private void pause() {
		try {
			this.sleep.accept(PAUSE_NANOS);
		}
		catch (Throwable ex) {
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

	private void log() {
		Throwable failure = this.unlogged;
		if (failure != null) {
			try {
				logger.error("A turn of '{}' failed; it goes on, and further failures in a row are not logged",
						this.loop, failure);
				this.unlogged = null;
			}
			catch (Throwable ex) {
				// The line is written before the next turn.
			}
		}
	}

}
