package io.distlock.lab.node;

/** The number of items that are left. */
interface Shelf {

	/** The key or the row. */
	String NAME = "lab:stock";

	int read();

	/** Returns what was there right before. */
	int write(int left);

	/**
	 * Reads and from here on refuses lower tokens; less than 0 if this one is refused.
	 */
	int read(long token);

	/** Writes unless a higher token was here. */
	boolean write(int left, long token);

}
