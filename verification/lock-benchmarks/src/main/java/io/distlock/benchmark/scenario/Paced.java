package io.distlock.benchmark.scenario;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.distlock.benchmark.load.Load;
import io.distlock.benchmark.peer.Implementation.Trait;

/** P: callers come one after the other, as most do; how long each call takes. */
public final class Paced implements Scenario {

	private static final Duration PAUSE = Duration.ofMillis(1);

	@Override
	public void run(Bench bench) {
		Map<String, Load> loads = new LinkedHashMap<>();
		loads.put("P1", Load.uncontended(1, 1).every(PAUSE));
		loads.put("P8", Load.uncontended(8, 8).every(PAUSE));
		loads.forEach((name, load) -> bench.rounds(name, bench.options().peers(Trait.SHARED),
				new OneProcess(bench, name, load)::measure));
	}

}
