package io.distlock.internal.outage;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.distlock.internal.time.Backoff;
import org.jspecify.annotations.Nullable;

/**
 * Decides when failed commands are sent again while the store answers none. Only one
 * command of all keys is sent at a time, after longer and longer delays. As soon as the
 * store answers one command, all others follow. While the store answers some commands,
 * only the backoff of each command counts.
 * <p>
 * The first command of each call is always sent: one of several servers may be away, and
 * only the store knows which keys are affected. Renewals are not held back, because they
 * keep locks. Releases that a caller began are not held back, because they free locks;
 * they pause longer by themselves if the store is slow.
 * <p>
 * Attempts are independent of keys and callers. Even if a caller ends during an attempt,
 * the next attempt is due after the backoff.
 */
public final class SharedRetries {

	/** The time without an answer after which the whole store counts as away. */
	static final long AWAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	private final Runnable wake;

	private Backoff backoff;

	/** What is known since the first failure after the last answer, if there is one. */
	private volatile @Nullable Failing failing;

	private volatile boolean recovered;

	/**
	 * Creates the retries of a store that answers.
	 * @param backoff when to repeat
	 * @param wake called when {@link #takeRecovery()} has become true
	 */
	public SharedRetries(Backoff backoff, Runnable wake) {
		this.backoff = backoff;
		this.wake = wake;
	}

	/** Notes that the store has answered a command or can be asked again. */
	public void answered() {
		if (this.failing == null) {
			return;
		}
		this.lock.lock();
		try {
			Failing over = this.failing;
			this.failing = null;
			this.backoff = this.backoff.reset();
			this.recovered |= over != null && over.heldBack();
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
			if (this.failing == null) {
				this.failing = new Failing(now, now, false);
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
	public long claim(long now) {
		if (this.failing == null) {
			return now;
		}
		this.lock.lock();
		try {
			Failing known = this.failing;
			if (known == null || now - known.since() < AWAY_NANOS) {
				return now;
			}
			if (now - known.nextSend() < 0) {
				this.failing = new Failing(known.since(), known.nextSend(), true);
				return known.nextSend();
			}
			this.failing = new Failing(known.since(), now + this.backoff.delay(), known.heldBack());
			this.backoff = this.backoff.next();
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
	public boolean takeRecovery() {
		if (!this.recovered) {
			return false;
		}
		this.recovered = false;
		return true;
	}

	/**
	 * The store does not answer.
	 *
	 * @param since the moment of the first failure
	 * @param nextSend the moment at which the next attempt is due, if the store is away
	 * @param heldBack whether a command was held back
	 */
	private record Failing(long since, long nextSend, boolean heldBack) {
	}

}
