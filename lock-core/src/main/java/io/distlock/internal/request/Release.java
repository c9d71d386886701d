package io.distlock.internal.request;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;

import io.distlock.EngineHandle;
import io.distlock.LockLostException;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.waiting.CallerTasks;
import io.distlock.spi.CallingThread;
import io.distlock.spi.FinishResult;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The release of one acquisition, from closing the handle to the answer of the store. The
 * thread that closes the handle may execute the command itself.
 */
public final class Release extends CallerTasks implements EngineHandle.Closing, Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Release.class);

	private final Hold hold;

	private final boolean shared;

	private final Mode mode;

	private final EngineContext engine;

	private final CompletableFuture<@Nullable Void> done;

	private final long begunAt;

	/** The moment at which the wait for the answer of the store ends. */
	private final long giveUpAt;

	private Progress progress = Progress.NOTHING_TO_SEND;

	private boolean givenUp;

	/** The loss that the answer of the store proves. Set before the stage completes. */
	private volatile @Nullable LockLostException loss;

	/**
	 * Creates a release.
	 * @param hold the hold
	 * @param shared whether the acquisition was a shared one
	 * @param mode what happens to the answer of the store
	 * @param engine what all keys share
	 * @param done completed with the answer of the store, if a command is sent
	 */
	public Release(Hold hold, boolean shared, Mode mode, EngineContext engine, CompletableFuture<@Nullable Void> done) {
		this.hold = hold;
		this.shared = shared;
		this.mode = mode;
		this.engine = engine;
		this.done = done;
		this.begunAt = engine.now();
		this.giveUpAt = this.begunAt + engine.timeoutNanos();
	}

	/** Returns the hold that is released. */
	public Hold hold() {
		return this.hold;
	}

	/** Returns whether the acquisition was a shared one. */
	public boolean shared() {
		return this.shared;
	}

	/**
	 * Returns whether a caller waits for the answer. If so, no later command may replace
	 * this release.
	 */
	boolean awaited() {
		return this.mode != Mode.SENT;
	}

	/** Returns the thread that may execute the command. */
	CallingThread callingThread() {
		return (this.mode == Mode.AWAITED) ? this : CallingThread.NONE;
	}

	/**
	 * Notifies observers if this was the last acquisition of the hold. The releasing
	 * thread calls this method, outside the monitor.
	 */
	public void reportRelease() {
		if (this.hold.state() == Hold.State.RELEASED) {
			this.hold.owner().observed().released(this.hold.fencingToken(), this.begunAt - this.hold.acquiredNanos());
		}
	}

	/** Returns until when the store must keep the hold. */
	long keepUntil() {
		return this.hold.minimumUntil();
	}

	/**
	 * Records how far the release got without an answer. Called under the monitor of the
	 * key.
	 */
	public void reached(Progress far) {
		this.progress = far;
	}

	/**
	 * Returns how far the release got without an answer. Called by the releasing thread.
	 * @return the progress
	 */
	public Progress progress() {
		return this.progress;
	}

	/**
	 * Returns the answer of the store.
	 * @return completes when it arrived, exceptionally if the hold had been lost
	 */
	public CompletionStage<@Nullable Void> done() {
		return this.done;
	}

	/**
	 * Executes the commands of the calling thread. Then waits for the answer of the
	 * store, if the settings say so. The wait ends at the latest one command timeout
	 * after the release began. An interrupt is restored afterwards. Called by the
	 * releasing thread.
	 * @throws LockLostException if the hold had been lost
	 */
	@Override
	public void await() {
		runTasks();
		if (this.progress == Progress.LOST) {
			throw this.hold.lostException();
		}
		if (this.progress == Progress.SENT && (this.mode == Mode.AWAITED || this.mode == Mode.AWAITED_LATER)) {
			awaitAnswer();
		}
	}

	private void awaitAnswer() {
		long left = this.giveUpAt - this.engine.now();
		boolean interrupted = false;
		while (!this.done.isDone() && left > 0) {
			this.engine.clock().park(left);
			interrupted |= Thread.interrupted();
			left = this.giveUpAt - this.engine.now();
		}
		if (interrupted) {
			caller().interrupt();
		}
		if (this.done.isDone()) {
			throwLoss();
		}
		else {
			reportUnconfirmed();
		}
	}

	private void reportUnconfirmed() {
		logger.debug("Lock '{}': its release is not confirmed yet", KeyText.of(this.hold.key()));
		this.engine.commands()
			.outage()
			.unconfirmed(() -> logger.warn(
					"Lock '{}': the store did not confirm the release within {} ms; the release is repeated "
							+ "in the background, and the lock ends with its lease at the latest",
					KeyText.of(this.hold.key()), this.engine.settings().commandTimeout().toMillis()));
	}

	private void throwLoss() {
		try {
			this.done.join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof LockLostException loss) {
				throw loss;
			}
			throw ex;
		}
	}

	/**
	 * Returns whether a stage has waited long enough for the answer. The result is true
	 * only once. For a waiting thread the result is false, because it watches the time
	 * itself. Called under the monitor of the key.
	 */
	boolean givesUp(long now) {
		boolean first = this.mode == Mode.ASYNC && !this.givenUp && now - this.giveUpAt >= 0;
		this.givenUp |= first;
		return first;
	}

	/**
	 * Returns when a stage has waited long enough. Called under the monitor of the key.
	 */
	long dueBy(long latest) {
		return (this.mode == Mode.ASYNC && !this.givenUp) ? LocalDeadline.earlier(latest, this.giveUpAt) : latest;
	}

	/** Completes the stage without the answer. The release goes on. */
	void unconfirmed() {
		reportUnconfirmed();
		deliver(null);
	}

	/** Handles the answer of the store. */
	void confirmed(FinishResult result, boolean conclusive) {
		LockLostException loss = this.hold.lossFoundAtRelease(result, conclusive);
		if (loss != null) {
			this.engine.observers().lost(loss.loss());
			this.hold.owner().observed().lostBeforeRelease(loss.loss());
		}
		deliver(loss);
		if (loss != null && this.mode == Mode.SENT) {
			logger.warn("{}", loss.getMessage());
		}
	}

	/** Ends the release without an answer, because the store is not asked any more. */
	void abandoned() {
		logger.debug("Lock '{}': its release was never confirmed", KeyText.of(this.hold.key()));
		this.engine.commands()
			.outage()
			.abandoned(
					() -> logger.warn("Lock '{}': the store never confirmed the release; the lock ends with its lease",
							KeyText.of(this.hold.key())));
		deliver(null);
	}

	private void deliver(@Nullable LockLostException loss) {
		this.loss = loss;
		if (this.mode == Mode.ASYNC) {
			// This object is the callback: there may be no memory for another one.
			this.engine.callBack(this);
		}
		else {
			run();
			// A thread that does not wait gets no unpark, which would end its next park
			// at once.
			boolean waits = this.mode == Mode.AWAITED || this.mode == Mode.AWAITED_LATER;
			if (waits && Thread.currentThread() != caller()) {
				LockSupport.unpark(caller());
			}
		}
	}

	/** Completes the stage with the answer of the store. */
	@Override
	public void run() {
		LockLostException found = this.loss;
		if (found != null) {
			this.done.completeExceptionally(found);
		}
		else {
			this.done.complete(null);
		}
	}

	/** The way in which the caller waits for the answer of the store. */
	public enum Mode {

		/** The calling thread waits for the answer and may send the command itself. */
		AWAITED,
		/**
		 * The calling thread waits for the answer later, once all its releases are sent.
		 */
		AWAITED_LATER,
		/** The answer completes a stage, on a thread that may block. */
		ASYNC,
		/** The caller does not wait, and a loss is logged. */
		SENT

	}

	/** The progress of a release without an answer. */
	public enum Progress {

		/** The owner has further handles, or the lock stays in this process. */
		NOTHING_TO_SEND,
		/** The release was sent to the store. */
		SENT,
		/** The hold had been lost. */
		LOST

	}

}
