package io.distlock.benchmark.scenario;

import io.distlock.benchmark.measure.CommandWatch;
import io.distlock.benchmark.measure.Meter;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Implementation.Trait;
import io.distlock.benchmark.peer.Peer;

/** D: many threads wait for a lock that is held, then it is released. */
public final class Drain implements Scenario {

	private static final String KEY = "drained";

	private static final long SETTLE_MILLIS = 500;

	private static final long LIMIT_MILLIS = 25_000;

	private final boolean virtual;

	/**
	 * Creates the scenario.
	 * @param virtual whether the threads are virtual
	 */
	public Drain(boolean virtual) {
		this.virtual = virtual;
	}

	@Override
	public void run(Bench bench) {
		String name = "D" + bench.options().waiters() + (this.virtual ? "-virtual" : "");
		bench.rounds(name, bench.options().peers(Trait.WAITS), (implementation, round) -> {
			if (!this.virtual) {
				return measure(bench, name, implementation, round);
			}
			try (PinnedThreads pinned = new PinnedThreads()) {
				return measure(bench, name, implementation, round).put(Metric.PINNED, pinned.stop());
			}
		});
	}

	private Sample measure(Bench bench, String name, Implementation implementation, int round) {
		Sample sample = new Sample(name, implementation.label(), round);
		Peer peer = implementation.open(bench.redis());
		// As in a fleet, the holder is another instance: whoever polls for it is seen.
		Peer holder = implementation.has(Trait.SHARED) ? implementation.open(bench.redis()) : peer;
		Peer.Held held = holder.acquire(KEY);
		try (WaitingThreads waiting = new WaitingThreads(peer, KEY, bench.options().waiters(), this.virtual)) {
			waiting.start();
			Bench.sleep(Math.min(SETTLE_MILLIS, bench.measureMillis()));
			sample.put(Metric.IDLE_WIRE, idleCommands(bench) * 1000.0 / bench.measureMillis());
			Meter meter = Meter.start(bench.probe());
			long begun = System.nanoTime();
			held.release();
			boolean drained = waiting.await(LIMIT_MILLIS);
			sample.put(Metric.DRAIN, (System.nanoTime() - begun) / 1e6);
			Meter.Usage usage = meter.stop();
			int served = waiting.served();
			sample.put(Metric.SERVED, served).put(Metric.OUT_OF_ORDER, waiting.outOfOrder());
			sample.put(Metric.COMMANDS, (double) usage.server().commands() / Math.max(1, served));
			usage.describeMachine(sample);
			if (drained) {
				Bench.requireExact(name, implementation, served, bench.options().waiters());
			}
			else {
				waiting.abandon();
			}
		}
		finally {
			holder.close();
			peer.close();
		}
		return sample;
	}

	private static long idleCommands(Bench bench) {
		try (CommandWatch watch = new CommandWatch(bench.redis(), bench.probe())) {
			Bench.sleep(bench.measureMillis());
			return watch.stop();
		}
	}

}
