package io.distlock.migration;

/**
 * Says how the other library names a lock. A bean of this type replaces the patterns of
 * {@code distributed-lock.stores.<id>.foreign}. The names of two locks must differ, and
 * the name of a lock must be the same in all instances.
 */
@FunctionalInterface
public interface ForeignLockNames {

	/**
	 * Returns the name of a lock, without what the other library adds itself.
	 * @param store the id of the store
	 * @param key the key of the lock here
	 * @return the name that callers of the other library use
	 */
	String of(String store, String key);

}
