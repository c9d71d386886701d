package io.distlock.benchmark.scenario;

import java.util.LinkedHashMap;
import java.util.Map;

import io.distlock.benchmark.load.Load;
import io.distlock.benchmark.peer.Implementation.Trait;

/** A: hardly anybody ever waits. */
public final class Uncontended implements Scenario {

	@Override
	public void run(Bench bench) {
		Map<String, Load> loads = new LinkedHashMap<>();
		loads.put("A1", Load.uncontended(1, 1));
		loads.put("A8", Load.uncontended(8, 8));
		loads.put("A64", Load.uncontended(64, 10_000));
		loads.forEach((name, load) -> bench.rounds(name, bench.options().peers(Trait.SHARED),
				new OneProcess(bench, name, load)::measure));
	}

}
