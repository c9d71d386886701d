package io.distlock.benchmark.scenario;

import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

import io.distlock.benchmark.load.ChildProcess;
import io.distlock.benchmark.load.ChildTally;
import io.distlock.benchmark.load.Load;
import io.distlock.test.Pause;
import io.distlock.benchmark.load.Phase;
import io.distlock.benchmark.load.SharedMemory;
import io.distlock.benchmark.load.Tally;
import io.distlock.benchmark.load.Waits;
import io.distlock.benchmark.measure.CommandWatch;
import io.distlock.benchmark.measure.Meter;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import org.HdrHistogram.Histogram;

/** A crew in each of several processes, all under the same load. */
final class ManyProcesses {

	private final Bench bench;

	private final String scenario;

	private final Load load;

	private final List<ChildProcess> children;

	private final SharedMemory memory;

	ManyProcesses(Bench bench, String scenario, Load load, List<ChildProcess> children, SharedMemory memory) {
		this.bench = bench;
		this.scenario = scenario;
		this.load = load;
		this.children = children;
		this.memory = memory;
	}

	Sample measure(Implementation implementation, int round) {
		this.memory.clear();
		all((child) -> child.open(implementation, this.load, this.scenario + ":"));
		all(ChildProcess::startCrew);
		Pause.of(Duration.ofMillis(this.bench.settleMillis()));
		Meter meter = Meter.start(this.bench.probe());
		all((child) -> child.enter(Phase.MEASURED));
		Pause.of(Duration.ofMillis(this.bench.measureMillis()));
		all((child) -> child.enter(Phase.SETTLING));
		Meter.Usage usage = meter.stop();
		long watched = this.bench.isLast(round) ? watch() : -1;
		this.children.forEach(ChildProcess::stopCrew);
		List<ChildTally> tallies = this.children.stream().map(ChildProcess::awaitTally).toList();
		all(ChildProcess::closePeer);
		long total = sum(tallies, Tally::total);
		Bench.requireExact(this.scenario, implementation, this.memory.counter(), total);
		Sample sample = new Sample(this.scenario, implementation.label(), round);
		double clientMicros = tallies.stream().mapToDouble(ChildTally::cpuMicros).sum();
		usage.withClientMicros(clientMicros).describe(sample, sum(tallies, Tally::measured));
		describe(sample, tallies);
		long acquired = sum(tallies, Tally::watched);
		if (watched >= 0 && acquired > 0) {
			sample.put(Metric.WIRE, (double) watched / acquired);
		}
		return sample;
	}

	private long watch() {
		try (CommandWatch watch = new CommandWatch(this.bench.redis(), this.bench.probe())) {
			all((child) -> child.enter(Phase.WATCHED));
			Pause.of(Duration.ofMillis(this.bench.watchMillis()));
			all((child) -> child.enter(Phase.SETTLING));
			return watch.stop();
		}
	}

	/** Asks all before waiting for the first, so that they begin together. */
	private void all(Consumer<ChildProcess> request) {
		this.children.forEach(request);
		this.children.forEach(ChildProcess::await);
	}

	private static void describe(Sample sample, List<ChildTally> tallies) {
		Histogram waits = Waits.histogram();
		Histogram handOvers = Waits.histogram();
		for (ChildTally one : tallies) {
			waits.add(one.tally().waits());
			handOvers.add(one.handOvers());
		}
		long least = tallies.stream().mapToLong((one) -> one.tally().least()).min().orElse(0);
		long most = tallies.stream().mapToLong((one) -> one.tally().most()).max().orElse(0);
		OneProcess.describe(sample, new Tally(0, 0, 0, least, most, waits));
		LongStream.Builder perProcess = LongStream.builder();
		tallies.forEach((one) -> perProcess.add(one.tally().measured()));
		LongSummaryStatistics statistics = perProcess.build().summaryStatistics();
		sample.put(Metric.JVM_FAIRNESS, (double) statistics.getMin() / Math.max(1, statistics.getMax()));
		if (handOvers.getTotalCount() > 0) {
			sample.put(Metric.HAND_OVER_P50, handOvers.getValueAtPercentile(50) / 1e3)
				.put(Metric.HAND_OVER_P99, handOvers.getValueAtPercentile(99) / 1e3);
		}
	}

	private static long sum(List<ChildTally> tallies, ToLongFunction<Tally> value) {
		return tallies.stream().map(ChildTally::tally).mapToLong(value).sum();
	}

}
