package io.distlock.benchmark.stores;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.distlock.benchmark.stores.Implementation.Place;
import io.distlock.databases.PostgresServer;
import io.distlock.databases.ZooKeeperServer;
import org.HdrHistogram.Histogram;

/** The command line: measures all in turn, so that noise hits all alike. */
public final class StoreBenchmarks {

	private static final String USAGE = """
			store-benchmarks.jar [options]
			  --seconds 3            length of a measurement
			  --warm-up 10           seconds before it; compilers have more to do for some than for others
			  --rounds 3             how often; the median counts
			  --loads A1,C,C2x16     what is measured
			  --places POSTGRES,ZOOKEEPER
			The data of PostgreSQL is where java.io.tmpdir is: on tmpfs with -Djava.io.tmpdir=/dev/shm
			""";

	private final Map<Load, Map<Implementation, List<Result>>> results = new LinkedHashMap<>();

	private final long warmUpMillis;

	private final long millis;

	private final int rounds;

	private StoreBenchmarks(long warmUpMillis, long millis, int rounds) {
		this.warmUpMillis = warmUpMillis;
		this.millis = millis;
		this.rounds = rounds;
	}

	/**
	 * Measures, and prints tables.
	 * @param arguments see the usage text
	 */
	public static void main(String[] arguments) {
		try {
			run(System.out, arguments);
			System.exit(0);
		}
		catch (Exception ex) {
			ex.printStackTrace();
			System.err.println(USAGE);
			System.exit(1);
		}
	}

	static void run(PrintStream out, String... arguments) throws Exception {
		Map<String, String> options = new LinkedHashMap<>(Map.of("--seconds", "3", "--warm-up", "10", "--rounds", "3",
				"--loads", "A1,C,C2x16", "--places", "POSTGRES,ZOOKEEPER"));
		for (int i = 0; i < arguments.length; i += 2) {
			if (i + 1 == arguments.length || options.put(arguments[i], arguments[i + 1]) == null) {
				throw new IllegalArgumentException("Unknown option or no value: " + arguments[i]);
			}
		}
		StoreBenchmarks benchmarks = new StoreBenchmarks(millis(options.getOrDefault("--warm-up", "")),
				millis(options.getOrDefault("--seconds", "")), Integer.parseInt(options.getOrDefault("--rounds", "")));
		List<Load> loads = Arrays.stream(options.getOrDefault("--loads", "").split(","))
			.map(StoreBenchmarks::load)
			.toList();
		for (String place : options.getOrDefault("--places", "").split(",")) {
			benchmarks.measure(Place.valueOf(place), loads);
		}
		benchmarks.print(out);
	}

	private static long millis(String seconds) {
		return (long) (1000 * Double.parseDouble(seconds));
	}

	private static Load load(String name) {
		return List.of(Load.A1, Load.C, Load.C2X16)
			.stream()
			.filter((load) -> load.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No load " + name));
	}

	private void measure(Place place, List<Load> loads) throws Exception {
		if (place == Place.POSTGRES) {
			try (PostgresServer server = PostgresServer.start()) {
				Databases.prepare(server.url());
				measure(place, server.url(), loads);
			}
		}
		else {
			try (ZooKeeperServer server = ZooKeeperServer.start()) {
				measure(place, server.address(), loads);
			}
		}
	}

	private void measure(Place place, String address, List<Load> loads) throws Exception {
		for (Load load : loads) {
			List<Implementation> all = Arrays.stream(Implementation.values())
				.filter((each) -> each.place() == place && (each.waits() || !load.contended()))
				.toList();
			for (int round = 0; round < this.rounds; round++) {
				for (int i = 0; i < all.size(); i++) {
					Implementation implementation = all.get((i + round) % all.size());
					Result result = measure(implementation, address, load);
					System.err.printf("%s %s %s, round %d: %.0f/s, p50 %d us, p99 %d us%n", place, load.name(),
							implementation.label(), round + 1, result.rate(), result.p50(), result.p99());
					this.results.computeIfAbsent(load, (absent) -> new LinkedHashMap<>())
						.computeIfAbsent(implementation, (absent) -> new ArrayList<>())
						.add(result);
				}
			}
		}
	}

	private Result measure(Implementation implementation, String address, Load load) throws Exception {
		Path counters = Files.createTempFile("counters", "");
		Files.write(counters, new byte[Long.BYTES * load.keys()]);
		List<WorkerProcess> processes = new ArrayList<>();
		try {
			for (int i = 0; i < load.processes(); i++) {
				processes.add(WorkerProcess.start(implementation.name(), address, counters.toString(),
						String.valueOf(load.threads()), String.valueOf(load.keys()), String.valueOf(load.bodyMicros()),
						String.valueOf(this.warmUpMillis), String.valueOf(this.millis)));
			}
			for (WorkerProcess process : processes) {
				process.awaitReady();
			}
			for (WorkerProcess process : processes) {
				process.go();
			}
			Histogram waits = new Histogram(3);
			double rate = 0;
			long all = 0;
			for (WorkerProcess process : processes) {
				process.awaitEnd(waits);
				rate += process.rate();
				all += process.all();
			}
			requireExact(implementation, load, counters, all);
			return Result.of(rate, waits);
		}
		finally {
			processes.forEach(WorkerProcess::close);
			Files.delete(counters);
		}
	}

	/** Two in the critical section at once lose a count. */
	private static void requireExact(Implementation implementation, Load load, Path counters, long all)
			throws IOException {
		ByteBuffer counted = ByteBuffer.wrap(Files.readAllBytes(counters));
		long sum = 0;
		for (int key = 0; key < load.keys(); key++) {
			sum += counted.getLong(Long.BYTES * key);
		}
		if (sum != all) {
			throw new IllegalStateException(implementation + ", " + load.name() + ": " + all
					+ " acquisitions, but the guarded counters say " + sum);
		}
	}

	private void print(PrintStream out) {
		this.results.forEach((load, byImplementation) -> {
			out.println("\n" + load + "\n");
			out.println("| | acquisitions/s | p50 ms | p99 ms | ours, confirmed, is faster by | ours, sent |");
			out.println("|---|---|---|---|---|---|");
			byImplementation.forEach((implementation, results) -> {
				Result result = median(results);
				out.printf("| %s, %s | %,.0f | %.2f | %.2f | %s | %s |%n", implementation.place(),
						implementation.label(), result.rate(), result.p50() / 1000.0, result.p99() / 1000.0,
						ratio(byImplementation, implementation, "ours, confirmed"),
						ratio(byImplementation, implementation, "ours, sent"));
			});
		});
	}

	private static String ratio(Map<Implementation, List<Result>> all, Implementation other, String ours) {
		return all.entrySet()
			.stream()
			.filter((each) -> each.getKey().place() == other.place() && each.getKey().label().equals(ours)
					&& !other.label().startsWith("ours"))
			.map((each) -> "%.2f ×"
				.formatted(median(each.getValue()).rate() / median(all.getOrDefault(other, List.of())).rate()))
			.findFirst()
			.orElse("");
	}

	private static Result median(List<Result> results) {
		return results.stream()
			.sorted(Comparator.comparingDouble(Result::rate))
			.skip(results.size() / 2)
			.findFirst()
			.orElseThrow();
	}

}
