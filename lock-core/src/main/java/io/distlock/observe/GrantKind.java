package io.distlock.observe;

/** How a lock came to its new holder. */
public enum GrantKind {

	/** It was free: the caller did not wait for a holder, only for the store. */
	FREE,

	/** From another thread of this process, without a command. */
	HERE,

	/** The store granted it after another thread of this process had held it. */
	WAITED,

	/** From another process, by a message of the store. */
	PUSH,

	/** From another process, found by asking the store again. */
	POLL,

	/** The owner had it already and has it once more. */
	NESTED

}
