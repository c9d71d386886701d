package io.distlock.benchmark.load;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.distlock.benchmark.peer.Peer;
import org.HdrHistogram.Histogram;

/** One thread of a crew. Its numbers may be read when it has ended. */
final class Worker implements Runnable {

	private final int number;

	private final Peer peer;

	private final String[] keys;

	private final boolean oneKeyEach;

	private final CriticalSection section;

	private final Supplier<Phase> phase;

	private final Consumer<Phase> first;

	private final Histogram waits = Waits.histogram();

	private final Histogram releases = Waits.histogram();

	private final long pauseNanos;

	private final long[] counts = new long[Phase.values().length];

	Worker(int number, Peer peer, String[] keys, Load load, CriticalSection section, Supplier<Phase> phase,
			Consumer<Phase> first) {
		this.number = number;
		this.peer = peer;
		this.keys = keys;
		this.oneKeyEach = load.threads() == load.keys();
		this.pauseNanos = load.pause().toNanos();
		this.section = section;
		this.phase = phase;
		this.first = first;
	}

	@Override
	public void run() {
		Phase begun = this.phase.get();
		while (begun != Phase.OVER) {
			int key = key();
			long since = System.nanoTime();
			Peer.Held lock = this.peer.acquire(this.keys[key]);
			long waited = System.nanoTime() - since;
			this.section.run(key, begun);
			long releasing = System.nanoTime();
			lock.release();
			long released = System.nanoTime() - releasing;
			Phase ended = this.phase.get();
			if (++this.counts[ended.ordinal()] == 1) {
				this.first.accept(ended);
			}
			// A wait that outlasts the measurement is one of the longest: it must not be
			// left out.
			if (ended == Phase.MEASURED || begun == Phase.MEASURED) {
				Waits.record(this.waits, waited);
				Waits.record(this.releases, released);
			}
			rest();
			begun = ended;
		}
	}

	/** A permit to go on that the lock left with this thread must not end the rest. */
	private void rest() {
		long until = System.nanoTime() + this.pauseNanos;
		for (long left = this.pauseNanos; left > 0; left = until - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	private int key() {
		if (this.keys.length == 1) {
			return 0;
		}
		return this.oneKeyEach ? this.number : ThreadLocalRandom.current().nextInt(this.keys.length);
	}

	long count(Phase phase) {
		return this.counts[phase.ordinal()];
	}

	Histogram releases() {
		return this.releases;
	}

	Histogram waits() {
		return this.waits;
	}

}
