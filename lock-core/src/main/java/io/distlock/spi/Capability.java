package io.distlock.spi;

/**
 * A feature of the protocol that a store may lack. A store has all features that are not
 * listed here.
 */
public enum Capability {

	/** Holds of kind {@link Sharing.Shared}. */
	SHARED("let readers share a lock"),

	/** Holds of kind {@link Sharing.Permit}. */
	PERMITS("keep permits"),

	/**
	 * A queue. Waiting requests are served in their order, and keep out later requests.
	 * Without a queue, a request is repeated after a pause, and the store does not know
	 * that it waits.
	 */
	QUEUE("keep a queue of waiting processes"),

	/**
	 * Fencing tokens that rise from one grant of a key to the next, whoever gets it. A
	 * store without them can only be the second one of a lock that is in two stores.
	 */
	TOKENS("give fencing tokens that rise"),

	/** {@link LockStore#list}. */
	LISTING("list its locks"),

	/** {@link LockStore#forceRelease}. */
	FORCE_RELEASE("release a lock by force");

	private final String ability;

	Capability(String ability) {
		this.ability = ability;
	}

	/**
	 * Describes a store that lacks this capability, for messages.
	 * @param store the store
	 * @return a clause: {@code Redlock on 5 nodes cannot keep permits}
	 */
	public String lackedBy(LockStore store) {
		return store.describe() + " cannot " + this.ability;
	}

}
