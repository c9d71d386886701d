package io.distlock.spi;

/**
 * Receives what a store reports to the engine unasked. Hints only: every fact behind them
 * is also found by repeating the command, so a lost or doubled call does no harm. Returns
 * quickly; may be called from any thread, but not while the store holds a lock of its
 * own.
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

}
