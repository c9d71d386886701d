package io.distlock.internal.key;

import java.util.NavigableSet;
import java.util.TreeSet;

/** The numbers of slots, from 1 on: hands out the lowest one that is free. */
final class SlotNumbers {

	/** Those that were given back. */
	private final NavigableSet<Integer> free = new TreeSet<>();

	private int highest;

	int take() {
		Integer lowest = this.free.pollFirst();
		return (lowest != null) ? lowest : ++this.highest;
	}

	void giveBack(int number) {
		this.free.add(number);
	}

}
