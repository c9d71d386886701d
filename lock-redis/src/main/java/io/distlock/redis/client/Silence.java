package io.distlock.redis.client;

import java.time.Duration;

/**
 * How long a connection has owed an answer without giving any. A server that hangs, or
 * whose machine is gone, closes no connection; only its silence tells.
 */
final class Silence {

	private int owed;

	private long since;

	/** Whether it answered at all since; a client that gives up early proves nothing. */
	private boolean heard = true;

	synchronized void sent() {
		if (this.owed++ == 0 && this.heard) {
			this.heard = false;
			this.since = System.nanoTime();
		}
	}

	/**
	 * A command is over.
	 * @param heard whether by an answer of the server
	 */
	synchronized void ended(boolean heard) {
		this.owed--;
		if (heard) {
			this.heard = true;
			this.since = System.nanoTime();
		}
	}

	/**
	 * Whether it lasts for longer than it may.
	 * @param limit how long that is
	 * @param lost whether the client is not connected: then nothing is owed, as nothing
	 * is sent, but whoever asked since was not answered either
	 */
	synchronized boolean longerThan(Duration limit, boolean lost) {
		boolean silent = this.owed > 0 || (lost && !this.heard);
		return silent && System.nanoTime() - this.since > limit.toNanos();
	}

}
