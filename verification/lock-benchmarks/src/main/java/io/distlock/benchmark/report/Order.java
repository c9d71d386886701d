package io.distlock.benchmark.report;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.distlock.benchmark.peer.Implementation;

/** Rows in the order of the implementations, not in that of their measurement. */
final class Order {

	private static final List<String> LABELS = Stream.of(Implementation.values()).map(Implementation::label).toList();

	private Order() {
	}

	static List<String> sorted(Collection<String> implementations) {
		return implementations.stream().sorted(Comparator.comparing(LABELS::indexOf)).toList();
	}

}
