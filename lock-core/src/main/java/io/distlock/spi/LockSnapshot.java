package io.distlock.spi;

import java.time.Duration;
import java.util.List;

import io.distlock.Holder;
import org.jspecify.annotations.Nullable;

/**
 * A lock at one moment, for operators and tests.
 *
 * @param key the lock
 * @param owner the request that holds it, or {@code null} when free
 * @param holder metadata of the owner, or {@code null} when free or not known
 * @param fencingToken highest token ever granted or reserved, 0 if none is remembered
 * @param remaining what is left of the owner's lease, zero when free
 * @param waiters instances in the queue, next one first
 */
public record LockSnapshot(String key, @Nullable RequestId owner, @Nullable Holder holder, long fencingToken,
		Duration remaining, List<String> waiters) {

	/**
	 * Copies the list.
	 */
	public LockSnapshot {
		waiters = List.copyOf(waiters);
	}

}
