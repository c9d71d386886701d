package io.distlock.benchmark.scenario;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.distlock.benchmark.load.Load;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Implementation.Trait;
import io.distlock.benchmark.peer.Peer;

/** S: what a lock costs the server, alone and with many instances waiting. */
public final class ServerCost implements Scenario {

	private static final int INSTANCES = 20;

	@Override
	public void run(Bench bench) {
		List<Implementation> all = bench.options().peers(Trait.SHARED);
		bench.rounds("S-pair", all, new OneProcess(bench, "S-pair", Load.uncontended(1, 1))::measure);
		List<Implementation> renewing = bench.options().peers(Trait.SHARED, Trait.WAITS, Trait.RENEWS);
		OneProcess crowd = new OneProcess(bench, "S-20", Load.contended(INSTANCES, Duration.ZERO));
		bench.rounds("S-20", renewing, (implementation, round) -> crowd(bench, crowd, implementation, round));
	}

	/** Each thread with an instance of its own: nothing can be passed on within one. */
	private static Sample crowd(Bench bench, OneProcess run, Implementation implementation, int round) {
		Peer[] peers = Stream.generate(() -> implementation.open(bench.redis())).limit(INSTANCES).toArray(Peer[]::new);
		try {
			return run.measure(implementation, round, peers);
		}
		finally {
			Stream.of(peers).forEach(Peer::close);
		}
	}

}
