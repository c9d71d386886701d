package io.distlock.redis.protocol;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Estimates the server's clock from its answers. Used only to tell the server from when
 * on a command is too late to be executed, never for a lease.
 */
public final class ServerClock {

	/** How far the estimate may be off. */
	public static final Duration SLACK = Duration.ofMillis(100);

	private boolean known;

	private long offsetMillis;

	/**
	 * Learns from an answer. The server read its clock between sending and receiving, so
	 * the offset lies between two bounds; the estimate stays the lowest one that fits.
	 */
	public synchronized void observe(long sentNanos, long receivedNanos, long serverMillis) {
		long lowest = serverMillis - TimeUnit.NANOSECONDS.toMillis(receivedNanos) - 1;
		long highest = serverMillis - TimeUnit.NANOSECONDS.toMillis(sentNanos) + 1;
		this.offsetMillis = this.known ? Math.min(Math.max(this.offsetMillis, lowest), highest) : lowest;
		this.known = true;
	}

	/** The server's time when a command sent now is too late, or 0 if not known yet. */
	public synchronized long notAfter(long sentNanos, Duration timeout) {
		return this.known
				? TimeUnit.NANOSECONDS.toMillis(sentNanos) + this.offsetMillis + timeout.toMillis() + SLACK.toMillis()
				: 0;
	}

}
