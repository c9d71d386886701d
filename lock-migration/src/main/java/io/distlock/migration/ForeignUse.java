package io.distlock.migration;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/** Counts by store how many requests found that the other library had the lock. */
final class ForeignUse {

	private final Map<String, LongAdder> busy = new ConcurrentHashMap<>();

	Runnable counter(String store) {
		return this.busy.computeIfAbsent(store, (id) -> new LongAdder())::increment;
	}

	void forEach(BiConsumer<String, LongAdder> store) {
		this.busy.forEach(store);
	}

}
