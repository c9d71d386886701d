package io.distlock.benchmark.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.distlock.benchmark.peer.Implementation;

/** How long and how much. Immutable. */
public final class Options {

	/** Three measured rounds of 3 s after two for warming up, against everybody. */
	public static final Options DEFAULTS = new Options(Map.of("seconds", "3", "rounds", "3", "warmup", "2", "waiters",
			"1000", "locks", "10000", "hold", "35", "peers", "", "only", "", "results", defaultResults().toString()));

	private final Map<String, String> values;

	private Options(Map<String, String> values) {
		this.values = values;
	}

	/**
	 * Changes one option.
	 * @param name its name
	 * @param value its value
	 * @return a copy with that value
	 * @throws IllegalArgumentException if there is no such option
	 */
	public Options with(String name, String value) {
		if (!this.values.containsKey(name)) {
			throw new IllegalArgumentException("No option " + name + " among " + this.values.keySet());
		}
		Map<String, String> changed = new LinkedHashMap<>(this.values);
		changed.put(name, value);
		return new Options(Map.copyOf(changed));
	}

	/**
	 * Where samples are written.
	 * @return a directory
	 */
	public Path results() {
		return Path.of(value("results"));
	}

	/** Length of one measurement. */
	Duration length() {
		return seconds("seconds");
	}

	/** Measured rounds. */
	int rounds() {
		return Integer.parseInt(value("rounds"));
	}

	/** Rounds before, not counted. */
	int warmup() {
		return Integer.parseInt(value("warmup"));
	}

	/** Waiting threads of D. */
	int waiters() {
		return Integer.parseInt(value("waiters"));
	}

	/** Held locks of E. */
	int locks() {
		return Integer.parseInt(value("locks"));
	}

	/** How long E holds them. */
	Duration hold() {
		return seconds("hold");
	}

	/** Whether a part of a scenario is wanted. */
	boolean wants(String part) {
		return value("only").isEmpty() || List.of(value("only").split(",")).contains(part);
	}

	/**
	 * Those who take part in a scenario that all can take part in.
	 * @return the implementations
	 * @throws IllegalArgumentException if one of the names is wrong
	 */
	public List<Implementation> participants() {
		return peers();
	}

	/** Those who take part, if they have these traits. */
	List<Implementation> peers(Implementation.Trait... traits) {
		Stream<Implementation> able = Implementation.with(traits);
		if (value("peers").isEmpty()) {
			return able.toList();
		}
		List<Implementation> wanted = Stream.of(value("peers").split(",")).map(Options::peer).toList();
		return able.filter(wanted::contains).toList();
	}

	private static Implementation peer(String name) {
		return Arrays.stream(Implementation.values())
			.filter((one) -> one.name().equals(name.toUpperCase(Locale.ROOT).replace('-', '_')))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"No implementation " + name + " among " + List.of(Implementation.values())));
	}

	private Duration seconds(String name) {
		return Duration.ofMillis(Math.round(Double.parseDouble(value(name)) * 1000));
	}

	private String value(String name) {
		return this.values.getOrDefault(name, "");
	}

	private static Path defaultResults() {
		Path module = Path.of("verification", "lock-benchmarks");
		return (Files.isDirectory(module) ? module : Path.of("")).resolve("target").resolve("results");
	}

}
