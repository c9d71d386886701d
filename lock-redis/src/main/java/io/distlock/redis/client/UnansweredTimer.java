package io.distlock.redis.client;

import java.time.Duration;

/**
 * Measures how long a connection has owed an answer without giving any. A server that
 * hangs, or whose machine is gone, closes no connection; only the missing answers show
 * it.
 */
final class UnansweredTimer {

	private int owed;

	private long since;

	/**
	 * Whether an answer came since the last command was sent first; a client that gives
	 * up early proves nothing.
	 */
	private boolean answered = true;

	/** A command was sent. */
	synchronized void sent() {
		if (this.owed++ == 0 && this.answered) {
			this.answered = false;
			this.since = System.nanoTime();
		}
	}

	/**
	 * A command ended.
	 * @param byAnswer whether by an answer of the server
	 */
	synchronized void ended(boolean byAnswer) {
		this.owed--;
		if (byAnswer) {
			this.answered = true;
			this.since = System.nanoTime();
		}
	}

	/**
	 * Returns whether answers have been missing for longer than a limit.
	 * @param limit the limit
	 * @param lost whether the client is not connected: then no command is sent and no
	 * answer is owed, but earlier commands were not answered either
	 * @return {@code true} if the limit is exceeded
	 */
	synchronized boolean longerThan(Duration limit, boolean lost) {
		boolean unanswered = this.owed > 0 || (lost && !this.answered);
		return unanswered && System.nanoTime() - this.since > limit.toNanos();
	}

}
