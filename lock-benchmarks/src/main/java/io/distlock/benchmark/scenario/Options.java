package io.distlock.benchmark.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.distlock.benchmark.peer.Implementation;

/**
 * How long and how much.
 *
 * @param seconds length of one measurement
 * @param rounds measured rounds
 * @param warmup rounds before, not counted
 * @param peers which implementations take part, where they can
 * @param results where tables of samples are written
 * @param waiters waiting threads of D
 * @param locks held locks of E
 * @param hold how long E holds them
 */
public record Options(double seconds, int rounds, int warmup, List<Implementation> peers, Path results, int waiters,
		int locks, Duration hold) {

	/** Three measured rounds of 3 s after two for warming up, against everybody. */
	public static final Options DEFAULTS = new Options(3, 3, 2, List.of(Implementation.values()), defaultResults(),
			1000, 10_000, Duration.ofSeconds(35));

	/**
	 * Understands one option.
	 * @param name the name with its dashes
	 * @param value the value
	 * @return a copy with that value
	 * @throws IllegalArgumentException if there is no such option
	 */
	public Options with(String name, String value) {
		return switch (name) {
			case "--seconds" -> new Options(Double.parseDouble(value), this.rounds, this.warmup, this.peers,
					this.results, this.waiters, this.locks, this.hold);
			case "--rounds" -> new Options(this.seconds, Integer.parseInt(value), this.warmup, this.peers, this.results,
					this.waiters, this.locks, this.hold);
			case "--warmup" -> new Options(this.seconds, this.rounds, Integer.parseInt(value), this.peers, this.results,
					this.waiters, this.locks, this.hold);
			case "--peers" -> new Options(this.seconds, this.rounds, this.warmup, peers(value), this.results,
					this.waiters, this.locks, this.hold);
			case "--results" -> new Options(this.seconds, this.rounds, this.warmup, this.peers, Path.of(value),
					this.waiters, this.locks, this.hold);
			case "--waiters" -> new Options(this.seconds, this.rounds, this.warmup, this.peers, this.results,
					Integer.parseInt(value), this.locks, this.hold);
			case "--locks" -> new Options(this.seconds, this.rounds, this.warmup, this.peers, this.results,
					this.waiters, Integer.parseInt(value), this.hold);
			case "--hold" -> new Options(this.seconds, this.rounds, this.warmup, this.peers, this.results, this.waiters,
					this.locks, Duration.ofMillis(Math.round(Double.parseDouble(value) * 1000)));
			default -> throw new IllegalArgumentException("No option " + name);
		};
	}

	/** Those who take part, if they have these traits. */
	List<Implementation> peers(Implementation.Trait... traits) {
		return Implementation.with(traits).filter(this.peers::contains).toList();
	}

	private static List<Implementation> peers(String names) {
		return Stream.of(names.split(",")).map(Options::peer).toList();
	}

	private static Implementation peer(String name) {
		return Arrays.stream(Implementation.values())
			.filter((one) -> one.name().equals(name.toUpperCase(Locale.ROOT).replace('-', '_')))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"No implementation " + name + " among " + List.of(Implementation.values())));
	}

	private static Path defaultResults() {
		Path module = Path.of("lock-benchmarks");
		return (Files.isDirectory(module) ? module : Path.of("")).resolve("target").resolve("results");
	}

}
