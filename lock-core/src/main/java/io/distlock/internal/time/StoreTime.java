package io.distlock.internal.time;

import java.util.concurrent.TimeUnit;

/**
 * The clock of the store in one answer. Until a later answer arrives, that clock cannot
 * advance further than the time since the command of this answer was sent. Kept per key,
 * because keys may live on servers whose clocks differ.
 *
 * @param sentAt when the command was sent, by the monotonic clock
 * @param storeMillis the clock of the store when it answered
 */
public record StoreTime(long sentAt, long storeMillis) {

	/**
	 * Returns by how much the store's clock advanced too far.
	 * @param laterMillis the clock of the store in a later answer
	 * @param now when that answer arrived, by the monotonic clock
	 * @return nanoseconds; zero or less if the clock may have run normally
	 */
	long excess(long laterMillis, long now) {
		long elapsed = now - this.sentAt;
		return TimeUnit.MILLISECONDS.toNanos(laterMillis - this.storeMillis) - elapsed - LocalDeadline.drift(elapsed);
	}

}
