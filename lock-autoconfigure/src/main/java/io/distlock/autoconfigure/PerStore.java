package io.distlock.autoconfigure;

import io.distlock.LockListener;
import io.distlock.observe.LockObserver;

/**
 * A listener or observer that wants to know which store a lock is in: it has a part for
 * each. So listeners and observers need not know the meters, whose library an application
 * may lack.
 */
interface PerStore {

	/**
	 * Returns what is notified of what goes wrong with the locks of one store.
	 * @param store its id
	 * @return the listener
	 */
	LockListener listener(String store);

	/**
	 * Returns what observes the locks of one store.
	 * @param store its id
	 * @return the observer
	 */
	LockObserver observer(String store);

}
