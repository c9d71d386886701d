package io.distlock.benchmark.scenario;

import java.util.concurrent.TimeUnit;

import io.distlock.benchmark.measure.Meter;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Implementation.Trait;
import io.distlock.benchmark.peer.Peer;

/** F: a thread acquires what it holds, five deep; only the inner levels are measured. */
public final class Nested implements Scenario {

	private static final int INNER_LEVELS = 4;

	private static final String KEY = "nested";

	@Override
	public void run(Bench bench) {
		bench.rounds("F", bench.options().peers(Trait.REENTRANT),
				(implementation, round) -> measure(bench, implementation, round));
	}

	private static Sample measure(Bench bench, Implementation implementation, int round) {
		try (Peer peer = implementation.open(bench.redis())) {
			Peer.Held outer = peer.acquire(KEY);
			nest(peer, bench.settleMillis());
			Meter meter = Meter.start(bench.probe());
			long acquisitions = nest(peer, bench.measureMillis());
			Meter.Usage usage = meter.stop();
			outer.release();
			Sample sample = new Sample("F", implementation.label(), round);
			usage.describe(sample, acquisitions);
			return sample.put(Metric.NANOS, usage.seconds() * 1e9 / acquisitions);
		}
	}

	private static long nest(Peer peer, long millis) {
		long begun = System.nanoTime();
		long count = 0;
		Peer.Held[] held = new Peer.Held[INNER_LEVELS];
		do {
			for (int i = 0; i < INNER_LEVELS; i++) {
				held[i] = peer.acquire(KEY);
			}
			for (int i = INNER_LEVELS - 1; i >= 0; i--) {
				held[i].release();
			}
			count += INNER_LEVELS;
		}
		while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(millis));
		return count;
	}

}
