package io.distlock.spring.startup;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.distlock.spi.LockStore;

/** Finds the stores that keep a lock. */
@FunctionalInterface
public interface LockStores {

	/**
	 * Returns the stores that may keep a lock of a name, whatever its key.
	 * @param name name of the lock, empty if only the key of a call decides
	 * @return the stores, none if unknown
	 */
	List<LockStore> of(String name);

	/**
	 * Returns the longest lease that these stores grant.
	 * @param name name of the lock, empty if only the key of a call decides
	 * @return empty if no store limits the lease
	 */
	default Optional<Duration> longestLease(String name) {
		return Optional.empty();
	}

	/**
	 * Returns a name that looks like another lock's and chooses a store for keys of its
	 * own only.
	 * @param name name of the lock
	 * @return a name with a store that differs in dashes, case and punctuation alone;
	 * empty if the lock itself has a store
	 */
	default Optional<String> misspelt(String name) {
		return Optional.empty();
	}

}
