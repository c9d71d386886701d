package io.distlock.sample.lab.node;

/** The number of items that are left. */
interface Shelf {

	/** The key or the row. */
	String NAME = "lab:stock";

	int read();

	void write(int left);

	/** Writes unless a higher token has written. */
	boolean write(int left, long token);

}
