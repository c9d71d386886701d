package io.distlock.internal;

import java.util.concurrent.locks.LockSupport;

import io.distlock.LockLostException;
import io.distlock.spi.FinishResult;
import io.distlock.text.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A release for whose confirmation the calling thread waits. */
final class AwaitedRelease implements Ending {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private final Thread thread = Thread.currentThread();

	private final Hold hold;

	private final EngineContext engine;

	private volatile boolean ended;

	private volatile @Nullable LockLostException loss;

	AwaitedRelease(Hold hold, EngineContext engine) {
		this.hold = hold;
		this.engine = engine;
	}

	/**
	 * Waits, at most the command timeout. An interrupt is kept for later.
	 * @throws LockLostException if the store had lost the hold before its time
	 */
	void await() {
		long giveUp = this.engine.now() + this.engine.timeoutNanos();
		long left = this.engine.timeoutNanos();
		boolean interrupted = false;
		while (!this.ended && left > 0) {
			this.engine.clock().park(left);
			interrupted |= Thread.interrupted();
			left = giveUp - this.engine.now();
		}
		if (interrupted) {
			this.thread.interrupt();
		}
		LockLostException lost = this.loss;
		if (lost != null) {
			throw lost;
		}
		if (!this.ended) {
			logger.warn(
					"Lock '{}': the store did not confirm the release within {} ms; it is repeated in the "
							+ "background, at the latest the lock ends with its lease",
					KeyText.of(this.hold.key()), this.engine.settings().commandTimeout().toMillis());
		}
	}

	@Override
	public void confirmed(FinishResult result, boolean conclusive) {
		LockLostException found = this.hold.lossFoundAtRelease(result, conclusive);
		this.loss = found;
		if (found != null) {
			this.engine.announcer().lost(found.loss());
		}
		end();
	}

	@Override
	public void abandoned() {
		logger.warn("Lock '{}': the store never confirmed the release; the lock ends with its lease",
				KeyText.of(this.hold.key()));
		end();
	}

	private void end() {
		this.ended = true;
		LockSupport.unpark(this.thread);
	}

	@Override
	public boolean awaited() {
		return true;
	}

}
