package io.distlock.spi;

/**
 * Receives what a store reports to the engine without a command. The calls are only
 * hints. Repeating the command finds the same facts, so a lost or doubled call does no
 * harm. The methods must return quickly. A store may call them from any thread, but not
 * while it holds one of its internal locks.
 */
public interface StoreListener {

	/**
	 * Called when a queued request of this engine was granted the lock.
	 * @param key the lock
	 * @param request the request, which may have ended meanwhile
	 * @param grant the hold, with a short lease until it is confirmed
	 */
	void granted(String key, RequestId request, Grant grant);

	/**
	 * Called when another instance began to wait for a lock that this instance holds,
	 * exclusively or not.
	 * @param key the lock
	 */
	void contended(String key);

	/** Called when calls may have been missed. All queued requests should be repeated. */
	void reconnected();

	/**
	 * Called when another server replaces the server of this instance, perhaps without
	 * the latest writes. All holds should be confirmed at once. Holds that the new server
	 * does not know are then lost now and not at their next renewal.
	 * <p>
	 * Called after the store has directed its commands to the new server. Called again if
	 * the store reports a grant of the former server later. Does nothing by default.
	 */
	default void failedOver() {
	}

	/**
	 * Called when holds of this engine may have been released by force. The message is
	 * not a proof. The engine confirms its holds of the lock now instead of at their next
	 * renewal, and loses the holds that the store no longer knows. Does nothing by
	 * default.
	 * @param key the lock
	 */
	default void revoked(String key) {
	}

}
