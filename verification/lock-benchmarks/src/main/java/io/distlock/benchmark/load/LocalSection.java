package io.distlock.benchmark.load;

import io.distlock.test.Pause;
import java.time.Duration;
import java.util.stream.LongStream;

/** A plain number per lock, read and written back. */
public final class LocalSection implements CriticalSection {

	private final long[] counters;

	private final long bodyNanos;

	/**
	 * Creates a section.
	 * @param keys how many locks
	 * @param body how long it takes
	 */
	public LocalSection(int keys, Duration body) {
		this.counters = new long[keys];
		this.bodyNanos = body.toNanos();
	}

	@Override
	public void run(int key, Phase phase) {
		long before = this.counters[key];
		Pause.nanos(this.bodyNanos);
		this.counters[key] = before + 1;
	}

	/**
	 * Adds up the numbers; call it when all threads have ended.
	 * @return how often the section ran, if the locks work
	 */
	public long total() {
		return LongStream.of(this.counters).sum();
	}

}
