package io.distlock.benchmark.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.report.Ratio.Against;
import io.distlock.benchmark.report.Ratio.Client;
import io.distlock.benchmark.report.Ratio.Situation;
import io.distlock.benchmark.report.Target.Outcome;

/** Tables for a reader who has two minutes. */
final class ShortTables {

	private static final List<Implementation> OF_A_PAIR = List.of(Implementation.OURS_CONFIRMED,
			Implementation.OURS_DIRECT, Implementation.SPRING_INTEGRATION, Implementation.SPRING_INTEGRATION_JEDIS,
			Implementation.REDISSON, Implementation.FLOOR, Implementation.FLOOR_DIRECT);

	private static final List<Metric> COSTS = List.of(Metric.CLIENT_CPU, Metric.ALLOCATED, Metric.SCRIPT_CPU,
			Metric.COMMANDS);

	private static final List<Situation> HEADLINES = List.of(Situation.A1, Situation.A8, Situation.B64, Situation.C4X2,
			Situation.D1000, Situation.H16);

	private static final String DAY = "yyyy-mm-dd";

	private final Runs runs;

	ShortTables(Runs runs) {
		this.runs = runs;
	}

	/**
	 * The few ratios that the page for users has, with the default client and compilers.
	 */
	String headlines() {
		Markdown table = new Markdown();
		List<String> header = new ArrayList<>(List.of("", ""));
		Stream.of(Against.values()).forEach((against) -> header.add("× " + against.label()));
		table.header(2, header);
		for (Situation situation : HEADLINES) {
			List<String> row = new ArrayList<>(List.of("`" + situation.part() + "`", situation.label()));
			for (Against against : Against.values()) {
				OptionalDouble value = new Ratio(situation, Client.LETTUCE, against).value(this.runs, Compiler.ALL);
				row.add(value.isPresent() ? format(value.getAsDouble()) : "");
			}
			table.row(row);
		}
		return table.line("").line("Measured on " + headlineDays() + ".").toString();
	}

	private String headlineDays() {
		return HEADLINES.stream()
			.flatMap((situation) -> Stream.of(Against.values())
				.flatMap((against) -> new Ratio(situation, Client.LETTUCE, against).origin(this.runs, Compiler.ALL)
					.stream()))
			.map(ShortTables::day)
			.distinct()
			.sorted()
			.collect(Collectors.joining(" and "));
	}

	/** How many times as fast as others ours is. */
	String ratios() {
		Markdown table = new Markdown();
		List<String> header = new ArrayList<>(List.of("", "", "client"));
		Stream.of(Against.values()).forEach((against) -> header.add("× " + against.label()));
		table.header(3, header);
		for (Situation situation : Situation.values()) {
			for (Client client : Client.values()) {
				List<String> values = Stream.of(Against.values())
					.map((against) -> both(new Ratio(situation, client, against)))
					.toList();
				if (values.stream().anyMatch((value) -> !value.isEmpty())) {
					List<String> row = new ArrayList<>(
							List.of("`" + situation.part() + "`", situation.label(), client.label()));
					row.addAll(values);
					table.row(row);
				}
			}
		}
		return table.line("").line("Measured: " + measured() + ".").toString();
	}

	/** The default first, the first compiler only in parentheses. */
	private String both(Ratio ratio) {
		OptionalDouble all = ratio.value(this.runs, Compiler.ALL);
		OptionalDouble first = ratio.value(this.runs, Compiler.FIRST);
		String text = all.isPresent() ? format(all.getAsDouble()) : "";
		return first.isPresent() ? (text + " (" + format(first.getAsDouble()) + ")").strip() : text;
	}

	/** Two digits after the point: three would be noise. */
	static String format(double ratio) {
		return String.format(Locale.ROOT, (ratio < 10) ? "%.2f" : "%.0f", ratio);
	}

	/** Which part of the table is from when. */
	private String measured() {
		Map<String, Set<String>> parts = new LinkedHashMap<>();
		for (Compiler compiler : Compiler.values()) {
			for (Ratio ratio : Ratio.all()) {
				ratio.origin(this.runs, compiler)
					.map((run) -> origin(run, compiler))
					.map((origin) -> parts.computeIfAbsent(origin, (absent) -> new LinkedHashSet<>()))
					.ifPresent((known) -> known.add("`" + ratio.situation().part() + "`"));
			}
		}
		return parts.entrySet()
			.stream()
			.map((entry) -> String.join(", ", entry.getValue()) + " on " + entry.getKey())
			.collect(Collectors.joining("; "));
	}

	/** The day, and the state of the sources if it was recorded. */
	private static String origin(ResultFile run, Compiler compiler) {
		String commit = run.facts().containsKey(ResultFile.COMMIT) ? " at " + run.facts().get(ResultFile.COMMIT) : "";
		return day(run) + commit + ((compiler == Compiler.ALL) ? "" : " (" + compiler.label() + ")");
	}

	private static String day(ResultFile run) {
		return run.date().substring(0, Math.min(run.date().length(), DAY.length()));
	}

	/** What one uncontended pair costs. */
	String costs() {
		Markdown table = new Markdown();
		List<String> header = new ArrayList<>(List.of("`A1`"));
		COSTS.forEach((metric) -> header.add(metric.label()));
		table.header(1, header);
		for (Implementation one : OF_A_PAIR) {
			List<String> cells = COSTS.stream().map((metric) -> cost(one, metric)).toList();
			if (cells.stream().anyMatch((cell) -> !cell.isEmpty())) {
				List<String> row = new ArrayList<>(List.of(one.label()));
				row.addAll(cells);
				table.row(row);
			}
		}
		return table.toString();
	}

	private String cost(Implementation one, Metric metric) {
		OptionalDouble value = this.runs.newest("A1", Compiler.ALL,
				(run) -> run.samples("A1").median("A1", one.label(), metric));
		return value.isPresent() ? Metric.format(value.getAsDouble()) : "";
	}

	/** What is not reached, with what would be possible on the same machine. */
	String shortfalls() {
		Markdown table = new Markdown();
		table.header(5, List.of("", "ours", "measured", "should be", "", "is", "possible here"));
		for (Target target : Targets.all()) {
			List<Outcome> outcomes = Stream.of(Compiler.values())
				.map((compiler) -> target.outcome(this.runs, compiler))
				.toList();
			if (outcomes.contains(Outcome.MISSED) || outcomes.contains(Outcome.IMPOSSIBLE)) {
				table.row(List.of("`" + target.part() + "`", target.ours(), target.metric().label(),
						(target.describeLimit() + " " + target.describeReference()).strip(),
						PartTables.outcome(target, this.runs), PartTables.values(target, this.runs),
						PartTables.possible(target, this.runs)));
			}
		}
		return table.toString();
	}

}
