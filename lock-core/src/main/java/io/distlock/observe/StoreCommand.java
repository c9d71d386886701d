package io.distlock.observe;

/** What the store is asked. */
public enum StoreCommand {

	/** To grant a lock, or to queue the request. */
	ACQUIRE,

	/** To make a lease last longer. */
	RENEW,

	/** To end a request, in whatever state it is. */
	RELEASE,

	/** To describe a lock. */
	INSPECT

}
