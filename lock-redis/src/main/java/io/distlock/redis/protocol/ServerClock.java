package io.distlock.redis.protocol;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Estimates the server's clock from its replies. The estimate only says from when on a
 * command is too late to be executed; no lease depends on it.
 */
public final class ServerClock {

	/** The largest error of the estimate. */
	public static final Duration SLACK = Duration.ofMillis(100);

	private boolean known;

	private long offsetMillis;

	/**
	 * Learns from a reply. The server read its clock between sending and receiving, so
	 * the offset lies between two bounds; the estimate remains the lowest one that fits.
	 */
	synchronized void observe(long sentNanos, long receivedNanos, long serverMillis) {
		long lowest = serverMillis - TimeUnit.NANOSECONDS.toMillis(receivedNanos) - 1;
		long highest = serverMillis - TimeUnit.NANOSECONDS.toMillis(sentNanos) + 1;
		this.offsetMillis = this.known ? Math.min(Math.max(this.offsetMillis, lowest), highest) : lowest;
		this.known = true;
	}

	/** Returns the server's time after which a command is too late, 0 if unknown. */
	synchronized long notAfter(long sentNanos, Duration timeout) {
		return this.known
				? TimeUnit.NANOSECONDS.toMillis(sentNanos) + this.offsetMillis + timeout.toMillis() + SLACK.toMillis()
				: 0;
	}

}
