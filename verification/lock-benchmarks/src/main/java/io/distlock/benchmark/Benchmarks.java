package io.distlock.benchmark;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.RedisProbe;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.RedisAddress;
import io.distlock.benchmark.report.Report;
import io.distlock.benchmark.report.Results;
import io.distlock.benchmark.scenario.Bench;
import io.distlock.benchmark.scenario.ColdStart;
import io.distlock.benchmark.scenario.Contended;
import io.distlock.benchmark.scenario.Drain;
import io.distlock.benchmark.scenario.Failures;
import io.distlock.benchmark.scenario.HeldLocks;
import io.distlock.benchmark.scenario.HoldersTogether;
import io.distlock.benchmark.scenario.LocksUsedOnce;
import io.distlock.benchmark.scenario.MicroBenchmarks;
import io.distlock.benchmark.scenario.Nested;
import io.distlock.benchmark.scenario.Options;
import io.distlock.benchmark.scenario.Paced;
import io.distlock.benchmark.scenario.Processes;
import io.distlock.benchmark.scenario.Scenario;
import io.distlock.benchmark.scenario.ServerCost;
import io.distlock.benchmark.scenario.Uncontended;
import io.distlock.test.redis.RedisServer;

/** The command line. */
public final class Benchmarks {

	private static final Map<String, Supplier<Scenario>> SCENARIOS = suppliers();

	private static final String USAGE = """
			benchmarks.jar quick [options]            measure what a release needs, in about 17 minutes
			benchmarks.jar all [options]              measure all that the documentation shows, in about 100 minutes
			benchmarks.jar <scenario>... [options]    measure these
			benchmarks.jar report [report options]    write tables and chart of all samples that are kept

			Scenarios: A, B, B-virtual, C, D, D-virtual, E, F, G, H, K, M, P, S; those with -virtual need JDK 21 or later
			Options; quick and all have their own for each step, which these replace:
			  --seconds 3  --rounds 3  --warmup 2     length and number of measurements
			  --peers ours-confirmed,redisson,...     who takes part
			  --only B8,B64,...                       parts of the scenario
			  --results <directory>                   where samples go
			  --waiters 1000                          of D
			  --locks 10000  --hold 35                of E and M
			Report options:
			  --samples verification/lock-benchmarks/results
			                                          a directory; those of its directories count, too
			  --docs docs                             where performance.md is
			  --details verification/lock-benchmarks  where README.md and RESULTS.md are
			Only of all:
			  --virtual-java /path/to/jdk-25/bin/java  for B-virtual and D-virtual, if this JVM is older than 21
			""";

	private Benchmarks() {
	}

	private static Map<String, Supplier<Scenario>> suppliers() {
		Map<String, Supplier<Scenario>> all = new LinkedHashMap<>();
		all.put("A", Uncontended::new);
		all.put("B", () -> new Contended(false));
		all.put("B-virtual", () -> new Contended(true));
		all.put("C", Processes::new);
		all.put("D", () -> new Drain(false));
		all.put("D-virtual", () -> new Drain(true));
		all.put("E", HeldLocks::new);
		all.put("F", Nested::new);
		all.put("G", MicroBenchmarks::new);
		all.put("H", HoldersTogether::new);
		all.put("K", ColdStart::new);
		all.put("M", LocksUsedOnce::new);
		all.put("P", Paced::new);
		all.put("S", ServerCost::new);
		return all;
	}

	/**
	 * Runs the scenarios named, and ends the process: with 1 if anything failed, a
	 * counter that is not exact included.
	 * @param args see the usage text
	 */
	public static void main(String[] args) {
		try {
			run(args);
			System.exit(0);
		}
		catch (RuntimeException | Error ex) {
			ex.printStackTrace();
			System.exit(1);
		}
	}

	/**
	 * Runs the commands.
	 * @param args see the usage text
	 */
	static void run(String... args) {
		CommandLine line = CommandLine.of(args);
		if (line.commands().isEmpty()) {
			System.out.println(USAGE);
			return;
		}
		String first = line.commands().get(0);
		boolean alone = line.commands().size() == 1;
		if (alone && first.equals("report")) {
			line.report().write();
		}
		else if (alone && Plan.isPlan(first)) {
			Plan.of(first, line).run();
		}
		else {
			Options options = line.options();
			List<Scenario> scenarios = line.commands().stream().map(Benchmarks::scenario).toList();
			for (int i = 0; i < scenarios.size(); i++) {
				measure(line.commands().get(i), scenarios.get(i), options, line.measurement());
			}
		}
	}

	/** Names all scenarios. */
	static Set<String> scenarios() {
		return SCENARIOS.keySet();
	}

	/** Finds a scenario, before the first one runs for long. */
	static Scenario scenario(String name) {
		Supplier<Scenario> scenario = SCENARIOS.get(name);
		if (scenario == null) {
			throw new IllegalArgumentException("No scenario " + name + "\n\n" + USAGE);
		}
		return scenario.get();
	}

	private static void measure(String name, Scenario scenario, Options options, String arguments) {
		try (RedisServer server = RedisServer.start()) {
			RedisAddress redis = new RedisAddress(server.host(), server.port());
			try (RedisProbe probe = new RedisProbe(redis)) {
				Path file = options.results()
					.resolve(name + "-jdk" + Runtime.version().feature() + Compiler.current().suffix() + ".tsv");
				Results results = new Results(file, arguments, probe.version());
				Failures failures = new Failures((failure) -> tell(results, failure));
				scenario.run(new Bench(options, redis, probe, (sample) -> tell(results, sample), failures));
				System.out.println(Report.of(results.toFile()));
				failures.rethrow();
			}
		}
	}

	private static void tell(Results results, String failure) {
		results.addFailure(failure);
		System.err.println("FAILED: " + failure);
	}

	private static void tell(Results results, Sample sample) {
		results.add(sample);
		Map<Metric, Double> values = sample.values();
		StringBuilder line = new StringBuilder(
				sample.scenario() + ", " + sample.implementation() + ", round " + sample.round());
		values.keySet()
			.stream()
			.findFirst()
			.ifPresent((first) -> line.append(": ")
				.append(Metric.format(values.getOrDefault(first, 0.0)))
				.append(' ')
				.append(first.label()));
		System.err.println(line);
	}

}
