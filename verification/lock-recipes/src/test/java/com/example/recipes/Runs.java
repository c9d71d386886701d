package com.example.recipes;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What ran. */
class Runs {

	private final List<String> runs = new CopyOnWriteArrayList<>();

	void add(String run) {
		this.runs.add(run);
	}

	List<String> all() {
		return List.copyOf(this.runs);
	}

	void clear() {
		this.runs.clear();
	}

}
