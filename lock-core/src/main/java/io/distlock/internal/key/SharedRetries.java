package io.distlock.internal.key;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.distlock.internal.time.Backoff;

/**
 * Decides when failed commands are sent again while the store answers none. Only one
 * command of all keys is sent at a time, after longer and longer delays. As soon as the
 * store answers one command, all others follow. While the store answers some commands,
 * only the backoff of each command counts.
 * <p>
 * The first command of each call is always sent: one of several servers may be away, and
 * only the store knows which keys are affected. Renewals are not held back, because they
 * keep locks. Releases that a caller began are not held back, because they free locks.
 * <p>
 * Attempts are independent of keys and callers. Even if a caller ends during an attempt,
 * the next attempt is due after the backoff.
 */
final class SharedRetries {

	/** The time without an answer after which the whole store counts as away. */
	static final long AWAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	private final Runnable wake;

	private Backoff backoff;

	/** The moment of the first failure since the last answer. */
	private long since;

	/** The moment at which the next attempt is due, if the store is away. */
	private long nextSend;

	/** Whether a command was held back since the last answer. */
	private boolean heldBack;

	private volatile boolean failing;

	private volatile boolean recovered;

	/**
	 * Creates the retries of a store that answers.
	 * @param backoff when to repeat
	 * @param wake called when {@link #takeRecovery()} has become true
	 */
	SharedRetries(Backoff backoff, Runnable wake) {
		this.backoff = backoff;
		this.wake = wake;
	}

	/** Notes that the store has answered a command or can be asked again. */
	void answered() {
		if (!this.failing) {
			return;
		}
		this.lock.lock();
		try {
			this.failing = false;
			this.backoff = this.backoff.reset();
			this.recovered |= this.heldBack;
			this.heldBack = false;
		}
		finally {
			this.lock.unlock();
		}
		if (this.recovered) {
			this.wake.run();
		}
	}

	/** Notes that a command ended without an answer. */
	void failed(long now) {
		this.lock.lock();
		try {
			if (!this.failing) {
				this.since = now;
				this.nextSend = now;
				this.failing = true;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Asks whether a repetition that is due may be sent.
	 * @param now the monotonic clock
	 * @return {@code now} if this repetition is sent now, or else a later moment to ask
	 * again
	 */
	long claim(long now) {
		if (!this.failing) {
			return now;
		}
		this.lock.lock();
		try {
			boolean away = this.failing && now - this.since >= AWAY_NANOS;
			if (away && now - this.nextSend < 0) {
				this.heldBack = true;
				return this.nextSend;
			}
			if (away) {
				this.nextSend = now + this.backoff.delay();
				this.backoff = this.backoff.next();
			}
			return now;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether the commands that were held back must be sent now.
	 * @return {@code true} once after each time without answers
	 */
	boolean takeRecovery() {
		if (!this.recovered) {
			return false;
		}
		this.recovered = false;
		return true;
	}

}
