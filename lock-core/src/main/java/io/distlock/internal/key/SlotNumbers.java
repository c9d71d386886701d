package io.distlock.internal.key;

import java.util.NavigableSet;
import java.util.TreeSet;

/** Hands out numbers of slots, from 1 on. The lowest free number comes first. */
final class SlotNumbers {

	/** The numbers that were given back. */
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
