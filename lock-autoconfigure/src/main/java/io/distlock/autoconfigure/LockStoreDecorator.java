package io.distlock.autoconfigure;

import io.distlock.spi.LockStore;

/**
 * Wraps each store before the lock template uses it, for instance in a
 * {@link io.distlock.spi.DelegatingLockStore}. All beans of this type are called in their
 * order, the outermost last. The {@link LockStore} bean itself stays as it is.
 */
@FunctionalInterface
public interface LockStoreDecorator {

	/**
	 * Wraps a store. Called once for each store, and again if the template starts again.
	 * @param store the store that does the work
	 * @return the store that the template uses
	 */
	LockStore decorate(LockStore store);

}
