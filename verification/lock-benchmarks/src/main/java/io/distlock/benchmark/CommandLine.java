package io.distlock.benchmark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.benchmark.report.Report;
import io.distlock.benchmark.scenario.Options;

/**
 * What was asked for.
 *
 * @param commands scenarios, a plan or the report
 * @param given options without their dashes
 */
record CommandLine(List<String> commands, Map<String, String> given) {

	private static final String SAMPLES = "samples";

	private static final String DOCS = "docs";

	private static final String DETAILS = "details";

	private static final String RESULTS = "results";

	/** Option of the plan for everything: a JVM that has virtual threads. */
	static final String VIRTUAL_JAVA = "virtual-java";

	static CommandLine of(String... args) {
		List<String> commands = new ArrayList<>();
		Map<String, String> given = new LinkedHashMap<>();
		for (int i = 0; i < args.length; i++) {
			if (!args[i].startsWith("--")) {
				commands.add(args[i]);
			}
			else if (i + 1 < args.length) {
				given.put(args[i].substring(2), args[++i]);
			}
			else {
				throw new IllegalArgumentException("The option " + args[i] + " lacks its value");
			}
		}
		return new CommandLine(List.copyOf(commands), given);
	}

	/**
	 * What repeats the measurement, as it is published with the samples: without the
	 * directory that they were written to, which is a path of one machine.
	 */
	String measurement() {
		Stream<String> options = this.given.entrySet()
			.stream()
			.filter((option) -> !option.getKey().equals(RESULTS))
			.map((option) -> "--" + option.getKey() + " " + option.getValue());
		return Stream.concat(this.commands.stream(), options).collect(Collectors.joining(" "));
	}

	/** Options of a measurement. */
	Options options() {
		Options options = Options.DEFAULTS;
		for (Map.Entry<String, String> one : this.given.entrySet()) {
			options = options.with(one.getKey(), one.getValue());
		}
		return options;
	}

	Report report() {
		List<String> known = List.of(SAMPLES, DOCS, DETAILS);
		this.given.keySet().stream().filter((name) -> !known.contains(name)).forEach((name) -> {
			throw new IllegalArgumentException("No option " + name + " of report among " + known);
		});
		return new Report(path(SAMPLES, "verification/lock-benchmarks/results"), path(DOCS, "docs"),
				path(DETAILS, "verification/lock-benchmarks"));
	}

	private Path path(String option, String fallback) {
		return Path.of(this.given.getOrDefault(option, fallback));
	}

}
