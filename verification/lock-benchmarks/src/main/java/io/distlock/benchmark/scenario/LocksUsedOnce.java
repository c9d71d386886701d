package io.distlock.benchmark.scenario;

import io.distlock.test.Pause;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Implementation.Trait;
import io.distlock.benchmark.peer.Peer;

/**
 * M: many locks are used once, one after the other. What is left of them in the server,
 * at once and after a while?
 */
public final class LocksUsedOnce implements Scenario {

	private static final int WARM = 100;

	@Override
	public void run(Bench bench) {
		for (Implementation implementation : bench.options().peers(Trait.SHARED)) {
			bench.attempt("M", implementation, () -> {
				try (Peer peer = implementation.open(bench.redis())) {
					bench.results().accept(measure(bench, implementation, peer));
				}
			});
		}
	}

	private static Sample measure(Bench bench, Implementation implementation, Peer peer) {
		for (int i = 0; i < WARM; i++) {
			peer.acquire("warm:" + i).release();
		}
		int locks = bench.options().locks();
		long before = bench.probe().memory();
		long begun = System.nanoTime();
		for (int i = 0; i < locks; i++) {
			peer.acquire("order:" + (1_000_000 + i)).release();
		}
		double seconds = (System.nanoTime() - begun) / 1e9;
		double atOnce = bench.probe().memory() - before;
		Pause.of(bench.options().hold());
		double later = bench.probe().memory() - before;
		return new Sample("M", implementation.label(), 1).put(Metric.RATE, locks / seconds)
			.put(Metric.REST_BYTES, Math.max(0, atOnce) / locks)
			.put(Metric.REST_BYTES_LATER, Math.max(0, later) / locks);
	}

}
