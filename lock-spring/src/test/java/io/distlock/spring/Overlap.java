package io.distlock.spring;

import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/** Counts bodies, and those that ran while another one did. */
final class Overlap {

	private final AtomicInteger inside = new AtomicInteger();

	private final AtomicInteger total = new AtomicInteger();

	private final AtomicInteger overlaps = new AtomicInteger();

	void enter() {
		if (this.inside.incrementAndGet() > 1) {
			this.overlaps.incrementAndGet();
		}
		this.total.incrementAndGet();
	}

	void leave() {
		this.inside.decrementAndGet();
	}

	void assertNoneOf(int expected) {
		assertThat(this.overlaps).hasValue(0);
		assertThat(this.total).hasValue(expected);
	}

}
