package io.distlock.benchmark.scenario;

import java.util.Collection;
import java.util.concurrent.TimeUnit;

import io.distlock.benchmark.jmh.AdviceBenchmark;
import io.distlock.benchmark.jmh.InMemoryBenchmark;
import io.distlock.benchmark.jmh.MetersBenchmark;
import io.distlock.benchmark.measure.Machine;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** G: what the annotation and the engine cost without any server. */
public final class MicroBenchmarks implements Scenario {

	@Override
	public void run(Bench bench) {
		TimeValue second = TimeValue.milliseconds(Math.min(1000, bench.measureMillis()));
		Options options = new OptionsBuilder().include(AdviceBenchmark.class.getName())
			.include(InMemoryBenchmark.class.getName())
			.include(MetersBenchmark.class.getName())
			.mode(Mode.AverageTime)
			.timeUnit(TimeUnit.NANOSECONDS)
			.forks(1)
			.warmupIterations(5)
			.warmupTime(second)
			.measurementIterations(5)
			.measurementTime(second)
			.output("/dev/null")
			.build();
		for (RunResult result : run(options)) {
			report(bench, result);
		}
	}

	private static Collection<RunResult> run(Options options) {
		try {
			return new Runner(options).run();
		}
		catch (RunnerException ex) {
			throw new IllegalStateException("A micro-benchmark failed", ex);
		}
	}

	private static void report(Bench bench, RunResult result) {
		BenchmarkParams params = result.getParams();
		String method = params.getBenchmark().substring(params.getBenchmark().lastIndexOf('.') + 1);
		int round = 0;
		for (IterationResult iteration : result.getAggregatedResult().getIterationResults()) {
			Sample sample = new Sample("G", method, ++round);
			sample.put(Metric.NANOS, iteration.getPrimaryResult().getScore());
			bench.results().accept(sample.put(Metric.LOAD_AVERAGE, Machine.loadAverage()));
		}
	}

}
