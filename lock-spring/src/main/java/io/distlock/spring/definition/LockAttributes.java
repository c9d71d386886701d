package io.distlock.spring.definition;

import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockMode;
import io.distlock.LockOptions;
import io.distlock.OnBusy;
import io.distlock.OnLost;
import io.distlock.OnStoreFailure;

/**
 * The attributes of an annotation as written. Placeholders are not resolved.
 *
 * @param annotation the type of the annotation
 * @param name name of the lock
 * @param key expression for the part of the lock key that depends on the call, empty for
 * none
 * @param keys several such expressions instead
 * @param condition expression for whether a call needs the lock, empty for each call
 * @param mode the mode of a lock, which says which callers may hold it at the same time
 * @param permits the number of permits of a semaphore
 * @param waitTime how long to wait
 * @param leaseTime a fixed lease
 * @param maxWaiters how many callers may wait in this process, 0 for the default
 * @param onLost what to do when the lock is lost
 * @param maxHold expected maximum hold time; exceeding it logs a warning
 * @param minHold how long the lock stays taken at least
 * @param onBusy what to do when the lock is busy
 * @param skipValue what a skipped call returns, at most one value
 * @param fallback name of the method to call instead
 * @param onStoreFailure what to do when the store cannot answer
 */
public record LockAttributes(Class<? extends Annotation> annotation, String name, String key, List<String> keys,
		String condition, LockMode mode, @Nullable String permits, String waitTime, String leaseTime, int maxWaiters,
		OnLost onLost, String maxHold, String minHold, OnBusy onBusy, List<String> skipValue, String fallback,
		OnStoreFailure onStoreFailure) {

	static LockAttributes of(DistributedLock lock) {
		return new LockAttributes(DistributedLock.class, lock.name(), keyOf(lock.key(), lock.value()),
				List.of(lock.keys()), lock.condition(), lock.mode(), null, lock.waitTime(), lock.leaseTime(),
				lock.maxWaiters(), lock.onLost(), lock.maxHold(), lock.minHold(), lock.onBusy(),
				List.of(lock.skipValue()), lock.fallback(), lock.onStoreFailure());
	}

	static LockAttributes of(DistributedSemaphore semaphore) {
		return new LockAttributes(DistributedSemaphore.class, semaphore.name(),
				keyOf(semaphore.key(), semaphore.value()), List.of(), semaphore.condition(), LockMode.EXCLUSIVE,
				semaphore.permits(), semaphore.waitTime(), semaphore.leaseTime(), semaphore.maxWaiters(),
				semaphore.onLost(), semaphore.maxHold(), "", semaphore.onBusy(), List.of(semaphore.skipValue()),
				semaphore.fallback(), semaphore.onStoreFailure());
	}

	/**
	 * Returns whichever of the two is set. {@link AliasCheck} refuses different values.
	 */
	private static String keyOf(String key, String value) {
		return key.isEmpty() ? value : key;
	}

	/** Returns an option as written, perhaps a placeholder. */
	String text(LockOptions.Option option) {
		return switch (option) {
			case WAIT_TIME -> this.waitTime;
			case LEASE_TIME -> this.leaseTime;
			case MAX_WAITERS -> String.valueOf(this.maxWaiters);
			case MAX_HOLD -> this.maxHold;
			case MIN_HOLD -> this.minHold;
			case PERMITS -> Objects.requireNonNullElse(this.permits, "");
		};
	}

}
