package io.distlock.benchmark.scenario;

import java.time.Duration;
import java.util.function.Consumer;

import io.distlock.benchmark.load.CriticalSection;
import io.distlock.benchmark.load.Crew;
import io.distlock.benchmark.load.Load;
import io.distlock.benchmark.load.LocalSection;
import io.distlock.test.Pause;
import io.distlock.benchmark.load.Phase;
import io.distlock.benchmark.load.Tally;
import io.distlock.benchmark.measure.CommandWatch;
import io.distlock.benchmark.measure.Meter;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Peer;
import org.HdrHistogram.Histogram;

/** One crew in this process under one load. */
final class OneProcess {

	private final Bench bench;

	private final String scenario;

	private final Load load;

	OneProcess(Bench bench, String scenario, Load load) {
		this.bench = bench;
		this.scenario = scenario;
		this.load = load;
	}

	/** A lock of its own for each measurement: what it leaves running ends with it. */
	Sample measure(Implementation implementation, int round) {
		try (Peer peer = implementation.open(this.bench.redis())) {
			return measure(implementation, round, peer);
		}
	}

	Sample measure(Implementation implementation, int round, Peer... peers) {
		LocalSection section = new LocalSection(this.load.keys(), this.load.body());
		return measure(implementation, round, section,
				(tally) -> Bench.requireExact(this.scenario, implementation, section.total(), tally.total()), peers);
	}

	Sample measure(Implementation implementation, int round, CriticalSection section, Consumer<Tally> check,
			Peer... peers) {
		Crew crew = new Crew(this.load, peers, this.scenario + ":", section);
		crew.start();
		Pause.of(Duration.ofMillis(this.bench.settleMillis()));
		Meter meter = Meter.start(this.bench.probe());
		crew.enter(Phase.MEASURED);
		Pause.of(Duration.ofMillis(this.bench.measureMillis()));
		crew.awaitFirst(Phase.MEASURED);
		crew.enter(Phase.SETTLING);
		Meter.Usage usage = meter.stop();
		long watched = this.bench.isLast(round) ? watch(crew) : -1;
		Tally tally = crew.stop();
		check.accept(tally);
		Sample sample = new Sample(this.scenario, implementation.label(), round);
		usage.describe(sample, tally.measured());
		describe(sample, tally);
		sample.put(Metric.RELEASE_P50, crew.releases().getValueAtPercentile(50) / 1e3)
			.put(Metric.RELEASE_P99, crew.releases().getValueAtPercentile(99) / 1e3);
		if (watched >= 0 && tally.watched() > 0) {
			sample.put(Metric.WIRE, (double) watched / tally.watched());
		}
		return sample;
	}

	private long watch(Crew crew) {
		try (CommandWatch watch = new CommandWatch(this.bench.redis(), this.bench.probe())) {
			crew.enter(Phase.WATCHED);
			Pause.of(Duration.ofMillis(this.bench.watchMillis()));
			crew.awaitFirst(Phase.WATCHED);
			crew.enter(Phase.SETTLING);
			return watch.stop();
		}
	}

	static void describe(Sample sample, Tally tally) {
		waits(sample, tally.waits());
		sample.put(Metric.THREAD_FAIRNESS, (double) tally.least() / Math.max(1, tally.most()));
	}

	private static void waits(Sample sample, Histogram waits) {
		sample.put(Metric.WAIT_P50, waits.getValueAtPercentile(50) / 1e3)
			.put(Metric.WAIT_P99, waits.getValueAtPercentile(99) / 1e3)
			.put(Metric.WAIT_MAX, waits.getMaxValue() / 1e3);
	}

}
