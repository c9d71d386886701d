package io.distlock.internal;

import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * One of the permits of a semaphore that this process may hold. To the store each is an
 * instance of its own.
 *
 * @param key the semaphore
 * @param number from 0
 */
record Slot(String key, int number) {

	/** The slot that made a request, or {@code null} if it was made for a lock. */
	static @Nullable Slot of(String key, RequestId request) {
		int dot = request.instance().indexOf('.');
		return (dot < 0) ? null : new Slot(key, Integer.parseInt(request.instance().substring(dot + 1)));
	}

	/** What the store is to take it for. */
	String instance(String engine) {
		return engine + '.' + this.number;
	}

}
