package io.distlock.spi;

/**
 * Receives what a store reports to the engine unasked. The calls are only hints: every
 * fact behind them is also found by repeating the command, so a lost or doubled call does
 * no harm. They have to return quickly. They may be made from any thread, but not while
 * the store holds one of its internal locks.
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

	/** Called when calls may have been missed; all queued requests should be repeated. */
	void reconnected();

	/**
	 * Called when another server goes on in place of the one that served this instance,
	 * perhaps without its latest writes. All holds should be confirmed at once, so that
	 * those that the new server does not know are lost now and not at their next renewal.
	 * <p>
	 * Called after the store directed its commands to the new server, and again if a
	 * grant of the former one was reported later. Does nothing by default.
	 */
	default void failedOver() {
	}

	/**
	 * Called when holds of this engine may have been released by force. The message
	 * proves nothing: the engine confirms its holds of the lock now instead of at their
	 * next renewal, and loses those that the store does not know any more. Does nothing
	 * by default.
	 * @param key the lock
	 */
	default void revoked(String key) {
	}

}
