package io.distlock.benchmark.load;

import io.distlock.test.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;

/**
 * A plain number that several processes share, and the time that the lock takes from one
 * process to another.
 */
final class SharedSection implements CriticalSection {

	private final SharedMemory memory;

	private final long process;

	private final long bodyNanos;

	private final Histogram handOvers = Waits.histogram();

	/**
	 * Creates a section.
	 * @param memory what the processes share
	 * @param process which of them this is, not 0
	 * @param body how long it takes
	 */
	SharedSection(SharedMemory memory, long process, Duration body) {
		this.memory = memory;
		this.process = process;
		this.bodyNanos = body.toNanos();
	}

	@Override
	public void run(int key, Phase phase) {
		long releaser = this.memory.releaser();
		if (phase == Phase.MEASURED && releaser != 0 && releaser != this.process) {
			Waits.record(this.handOvers, wallClockNanos() - this.memory.releasedAt());
		}
		long before = this.memory.counter();
		Pause.nanos(this.bodyNanos);
		this.memory.counter(before + 1);
		this.memory.releasing(this.process, wallClockNanos());
	}

	/** From "released there" to "acquired here"; read it when all threads have ended. */
	Histogram handOvers() {
		return this.handOvers;
	}

	/** The only clock that processes have in common. */
	private static long wallClockNanos() {
		Instant now = Instant.now();
		return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
	}

}
