package io.distlock.observe;

/** How a lock came to its new holder. */
public enum GrantKind {

	/** It was free: the first answer of the store was the grant. */
	FREE,

	/** From another thread of this process, without a command. */
	HERE,

	/** From another process, by a message of the store. */
	PUSH,

	/** From another process, found by asking the store again. */
	POLL,

	/** The owner had it already and has it once more. */
	NESTED

}
