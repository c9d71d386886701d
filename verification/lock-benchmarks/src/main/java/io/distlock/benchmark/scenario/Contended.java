package io.distlock.benchmark.scenario;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.distlock.benchmark.load.Load;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Implementation.Trait;

/** B: the threads of one process want the same lock. */
public final class Contended implements Scenario {

	private static final Duration MILLISECOND = Duration.ofMillis(1);

	private final boolean virtual;

	/**
	 * Creates the scenario.
	 * @param virtual whether the threads are virtual
	 */
	public Contended(boolean virtual) {
		this.virtual = virtual;
	}

	@Override
	public void run(Bench bench) {
		Map<String, Load> loads = new LinkedHashMap<>();
		if (this.virtual) {
			loads.put("B64-virtual", Load.contended(64, Duration.ZERO).onVirtualThreads());
			loads.put("B64-virtual-1ms", Load.contended(64, MILLISECOND).onVirtualThreads());
		}
		else {
			loads.put("B8", Load.contended(8, Duration.ZERO));
			loads.put("B64", Load.contended(64, Duration.ZERO));
			loads.put("B8-1ms", Load.contended(8, MILLISECOND));
			loads.put("B64-1ms", Load.contended(64, MILLISECOND));
		}
		loads.forEach(
				(name, load) -> bench.rounds(name, bench.options().peers(Trait.WAITS), measurement(bench, name, load)));
	}

	private Bench.Measurement measurement(Bench bench, String name, Load load) {
		OneProcess run = new OneProcess(bench, name, load);
		return this.virtual ? (implementation, round) -> countingPins(run, implementation, round) : run::measure;
	}

	private static Sample countingPins(OneProcess run, Implementation implementation, int round) {
		try (PinnedThreads pinned = new PinnedThreads()) {
			Sample sample = run.measure(implementation, round);
			return sample.put(Metric.PINNED, pinned.stop());
		}
	}

}
