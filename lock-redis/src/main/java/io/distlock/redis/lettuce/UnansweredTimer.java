package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures how long a connection has been without an answer that the server owes. A
 * server that hangs, or whose machine is gone, closes no connection; only the missing
 * answers show the fault.
 */
final class UnansweredTimer {

	// Not synchronized, because all callers and the event loop would compete here. The
	// reader reads "owed" first and a writer writes "since" first, so that the reader
	// never takes an old time for that of a new command.
	private final AtomicInteger owed = new AtomicInteger();

	private volatile long since;

	/**
	 * Whether the server has answered since the time in {@code since}. A command that
	 * ends without an answer, because its caller gave up, changes nothing.
	 */
	private volatile boolean answered = true;

	/**
	 * Records that a command is sent.
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
	 * Records that a command ended.
	 * @param byAnswer whether an answer of the server ended the command
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
	 * @param lost whether the client is not connected. Then the client sends no command
	 * and the server owes no answer, but earlier commands got no answer either
	 * @return {@code true} if the limit is exceeded
	 */
	boolean longerThan(Duration limit, long now, boolean lost) {
		boolean unanswered = this.owed.get() > 0 || (lost && !this.answered);
		return unanswered && now - this.since > limit.toNanos();
	}

}
