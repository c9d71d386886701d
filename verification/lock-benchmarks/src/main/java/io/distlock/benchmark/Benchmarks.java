package io.distlock.benchmark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.RedisProbe;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.RedisAddress;
import io.distlock.benchmark.report.PerformanceDocument;
import io.distlock.benchmark.report.Results;
import io.distlock.benchmark.report.Tables;
import io.distlock.benchmark.scenario.Bench;
import io.distlock.benchmark.scenario.Contended;
import io.distlock.benchmark.scenario.Drain;
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

	private static final Map<String, Supplier<Scenario>> SCENARIOS = scenarios();

	private static final String USAGE = """
			benchmarks.jar <scenario>... [options]    measure
			benchmarks.jar report [options]           write results into docs/performance.md

			Scenarios: A, B, B-virtual, C, D, D-virtual, E, F, G, H, M, P, S; those with -virtual need JDK 21 or later
			Options:
			  --seconds 3  --rounds 3  --warmup 2     length and number of measurements
			  --peers ours-confirmed,redisson,...     who takes part
			  --only B8,B64,...                       parts of the scenario
			  --results <directory>                   where samples go
			  --waiters 1000                          of D
			  --locks 10000  --hold 35                of E and M
			  --document docs/performance.md          of report
			""";

	private Benchmarks() {
	}

	private static Map<String, Supplier<Scenario>> scenarios() {
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
		all.put("M", LocksUsedOnce::new);
		all.put("P", Paced::new);
		all.put("S", ServerCost::new);
		return all;
	}

	/**
	 * Runs what it is told to, and ends the process: with 1 if anything failed, a counter
	 * that is not exact included.
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
	 * Runs what it is told to.
	 * @param args see the usage text
	 */
	static void run(String... args) {
		Options options = Options.DEFAULTS;
		Path document = Path.of("docs", "performance.md");
		List<String> commands = new ArrayList<>();
		for (int i = 0; i < args.length; i++) {
			if (args[i].equals("--document")) {
				document = Path.of(args[++i]);
			}
			else if (args[i].startsWith("--")) {
				options = options.with(args[i].substring(2), args[++i]);
			}
			else {
				commands.add(args[i]);
			}
		}
		if (commands.isEmpty()) {
			System.out.println(USAGE);
			return;
		}
		for (String command : commands) {
			if (command.equals("report")) {
				new PerformanceDocument(document).update(options.results());
			}
			else {
				measure(command, options, String.join(" ", args));
			}
		}
	}

	private static void measure(String name, Options options, String arguments) {
		Supplier<Scenario> scenario = SCENARIOS.get(name);
		if (scenario == null) {
			throw new IllegalArgumentException("No scenario " + name + "\n\n" + USAGE);
		}
		try (RedisServer server = RedisServer.start()) {
			RedisAddress redis = new RedisAddress(server.host(), server.port());
			try (RedisProbe probe = new RedisProbe(redis)) {
				Path file = options.results().resolve(name + "-jdk" + Runtime.version().feature() + ".tsv");
				Results results = new Results(file, arguments, probe.version());
				scenario.get().run(new Bench(options, redis, probe, (sample) -> tell(results, sample)));
				System.out.println(Tables.of(results.toFile()));
			}
		}
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
