package io.distlock.benchmark.scenario;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.distlock.benchmark.load.Load;
import io.distlock.test.Pause;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Implementation.Trait;
import io.distlock.benchmark.peer.Peer;

/** H: two instances, each with half of the threads, want what several may hold. */
public final class HoldersTogether implements Scenario {

	private static final Duration MILLISECOND = Duration.ofMillis(1);

	private static final int PERMITS = 8;

	private static final int WRITERS_AMONG = 20;

	@Override
	public void run(Bench bench) {
		measure(bench, "H16-read", 16, Kind.READ);
		measure(bench, "H16-mixed", 16, Kind.MIXED);
		measure(bench, "H32-permits", 32, Kind.PERMITS);
	}

	private static void measure(Bench bench, String part, int threads, Kind kind) {
		OneProcess run = new OneProcess(bench, part, Load.contended(threads, MILLISECOND));
		bench.rounds(part, bench.options().peers(Trait.TOGETHER), (implementation, round) -> {
			try (Peer one = implementation.open(bench.redis()); Peer two = implementation.open(bench.redis())) {
				return measure(run, part, kind, implementation, round, one, two);
			}
		});
	}

	private static Sample measure(OneProcess run, String part, Kind kind, Implementation implementation, int round,
			Peer one, Peer two) {
		Occupancy occupancy = (kind == Kind.PERMITS) ? Occupancy.ofPermits(PERMITS) : Occupancy.ofReadersAndWriters();
		return run.measure(implementation, round, (key, phase) -> Pause.nanos(MILLISECOND.toNanos()), (tally) -> {
			if (occupancy.violations() > 0) {
				throw new IllegalStateException(part + ", " + implementation.label() + ": " + occupancy.violations()
						+ " times somebody was inside who may not have been");
			}
		}, new Watched(one, kind, occupancy), new Watched(two, kind, occupancy));
	}

	private enum Kind {

		READ, MIXED, PERMITS

	}

	/** Acquires in the way of the kind, and counts who is inside. */
	private record Watched(Peer peer, Kind kind, Occupancy occupancy) implements Peer {

		@Override
		public Held acquire(String key) {
			boolean alone = this.kind == Kind.MIXED && ThreadLocalRandom.current().nextInt(WRITERS_AMONG) == 0;
			Held held = held(key, alone);
			Runnable leaving = this.occupancy.enter(alone);
			return () -> {
				leaving.run();
				held.release();
			};
		}

		private Held held(String key, boolean alone) {
			if (this.kind == Kind.PERMITS) {
				return this.peer.together().permit(key, PERMITS);
			}
			return alone ? this.peer.together().write(key) : this.peer.together().read(key);
		}

		/** It is not ours. */
		@Override
		public void close() {
		}

	}

}
