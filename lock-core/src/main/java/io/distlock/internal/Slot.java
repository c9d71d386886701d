package io.distlock.internal;

import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * One of the permits of a semaphore that this process may hold. To the store each is an
 * instance of its own.
 *
 * @param key the semaphore
 * @param number from 1
 */
record Slot(String key, int number) {

	/** The slot that made a request, or {@code null} if it was made for a lock. */
	static @Nullable Slot of(String key, RequestId request) {
		return (request.slot() == 0) ? null : new Slot(key, request.slot());
	}

}
