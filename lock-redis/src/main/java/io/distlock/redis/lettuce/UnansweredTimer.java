package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures how long a connection has owed an answer without giving any. A server that
 * hangs, or whose machine is gone, closes no connection; only the missing answers show
 * it.
 */
final class UnansweredTimer {

	// Not synchronized: all callers and the event loop would meet here. The reader takes
	// "owed" first, the writers "since", so that no old moment is taken for a new
	// command.
	private final AtomicInteger owed = new AtomicInteger();

	private volatile long since;

	/**
	 * Whether the server has answered since the moment from which its silence counts. A
	 * command that ends without an answer, because its caller gave up, changes nothing.
	 */
	private volatile boolean answered = true;

	/**
	 * A command is sent.
	 * @param now the monotonic clock
	 */
	void sent(long now) {
		if (this.answered && this.owed.get() == 0) {
			this.since = now;
			this.answered = false;
		}
		this.owed.incrementAndGet();
	}

	/**
	 * A command ended.
	 * @param byAnswer whether by an answer of the server
	 */
	void ended(boolean byAnswer) {
		if (byAnswer) {
			this.since = System.nanoTime();
			this.answered = true;
		}
		this.owed.decrementAndGet();
	}

	/**
	 * Returns whether answers have been missing for longer than a limit.
	 * @param limit the limit
	 * @param now the monotonic clock
	 * @param lost whether the client is not connected: then no command is sent and no
	 * answer is owed, but earlier commands were not answered either
	 * @return {@code true} if the limit is exceeded
	 */
	boolean longerThan(Duration limit, long now, boolean lost) {
		boolean unanswered = this.owed.get() > 0 || (lost && !this.answered);
		return unanswered && now - this.since > limit.toNanos();
	}

}
