package io.distlock.redis.protocol;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * Estimates the server's clock from its replies. The estimate only decides when a command
 * comes too late; no lease depends on it.
 */
public final class ServerClock {

	/** The largest error of the estimate. */
	public static final Duration SLACK = Duration.ofMillis(100);

	// Not synchronized, because all threads that send commands themselves would compete
	// here.
	private final AtomicReference<@Nullable Long> offsetMillis = new AtomicReference<>();

	/**
	 * Learns from a reply. The server read its clock between sending and receiving, so
	 * the offset lies between two bounds. An estimate between the bounds stays as it is,
	 * which is the usual case; another estimate moves to the nearer bound.
	 * @throws IllegalArgumentException if no server can have that time
	 */
	void observe(long sentNanos, long receivedNanos, long serverMillis) {
		if (serverMillis < 0 || serverMillis > Replies.HIGHEST_TOKEN) {
			throw new IllegalArgumentException("time " + serverMillis);
		}
		long lowest = serverMillis - TimeUnit.NANOSECONDS.toMillis(receivedNanos) - 1;
		long highest = serverMillis - TimeUnit.NANOSECONDS.toMillis(sentNanos) + 1;
		for (Long known = this.offsetMillis.get(); known == null || known < lowest
				|| known > highest; known = this.offsetMillis.get()) {
			Long fitting = (known != null) ? Math.min(Math.max(known, lowest), highest) : lowest;
			if (this.offsetMillis.compareAndSet(known, fitting)) {
				return;
			}
		}
	}

	/**
	 * Returns the server time after which a command is too late; 0 if the clock is
	 * unknown.
	 */
	long notAfter(long sentNanos, Duration timeout) {
		Long known = this.offsetMillis.get();
		return (known != null)
				? TimeUnit.NANOSECONDS.toMillis(sentNanos) + known + timeout.toMillis() + SLACK.toMillis() : 0;
	}

}
