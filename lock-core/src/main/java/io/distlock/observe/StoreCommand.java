package io.distlock.observe;

/** Says what the engine asks the store to do. */
public enum StoreCommand {

	/** Grant a lock, or queue the request. */
	ACQUIRE,

	/** Make a lease last longer. */
	RENEW,

	/** End a request, in whatever state it is. */
	RELEASE,

	/** Describe a lock. */
	INSPECT

}
