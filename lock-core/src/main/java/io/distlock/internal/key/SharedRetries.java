package io.distlock.internal.key;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.distlock.internal.time.Backoff;

/**
 * When commands that failed are sent again while the store answers none: one of all keys
 * at a time, later and later. As soon as the store answers one, all others follow. While
 * it answers some, each command has its own backoff only.
 * <p>
 * The first command of each call is always sent: one of several servers may be away, and
 * only the store knows which keys that concerns. Renewals, and releases that a caller
 * began, are not held back: they keep locks, and free them.
 * <p>
 * The attempt has no owner. Whatever becomes of it, and of its caller, the next one is
 * due after the backoff.
 */
final class SharedRetries {

	/** Without an answer for so long, the whole store is away. */
	static final long AWAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	private final Runnable wake;

	private Backoff backoff;

	/** When the first command failed since the last answer. */
	private long since;

	/** When the next attempt is due, if the store is away. */
	private long nextSend;

	/** Whether a command was held back since the last answer. */
	private boolean heldBack;

	private volatile boolean failing;

	private volatile boolean recovered;

	/**
	 * Begins with a store that answers.
	 * @param backoff when to repeat
	 * @param wake called when {@link #takeRecovery()} has become true
	 */
	SharedRetries(Backoff backoff, Runnable wake) {
		this.backoff = backoff;
		this.wake = wake;
	}

	/** The store has answered a command, or can be asked again. */
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

	/** A command ended without an answer. */
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
	 * Asks for a repetition that is due.
	 * @param now the monotonic clock
	 * @return {@code now} if it is the one that is sent; a later moment to ask again
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
	 * Returns whether what was held back is to be sent now.
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
