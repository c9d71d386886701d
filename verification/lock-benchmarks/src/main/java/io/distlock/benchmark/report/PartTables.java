package io.distlock.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.report.Target.Outcome;

/** All that is known about each part: what was measured, and what should be reached. */
final class PartTables {

	private final Markdown text = new Markdown();

	private final Runs runs;

	private final List<ResultFile> numbered;

	private PartTables(Runs runs) {
		this.runs = runs;
		this.numbered = runs.shown();
	}

	static String of(Runs runs) {
		PartTables tables = new PartTables(runs);
		for (String part : runs.parts()) {
			tables.text.line("## " + part).line("");
			tables.measured(part);
			tables.compared(part);
			tables.text.line("");
		}
		tables.text.line("## Runs");
		tables.facts();
		return tables.text.toString();
	}

	private void facts() {
		for (ResultFile run : this.numbered) {
			this.text.line("").line("### Run " + number(run)).line("");
			run.facts().forEach((name, value) -> this.text.line("- " + name + ": " + value));
		}
	}

	private int number(ResultFile run) {
		return this.numbered.indexOf(run) + 1;
	}

	private void measured(String part) {
		List<ResultFile> shown = Stream.of(Compiler.values())
			.flatMap((compiler) -> this.runs.of(part, compiler).stream())
			.toList();
		List<Metric> columns = ResultFile
			.columns(shown.stream().flatMap((run) -> run.samples(part).all().stream()).toList());
		List<String> header = new ArrayList<>(List.of("implementation", "compiler", "run"));
		columns.forEach((column) -> header.add(column.label()));
		this.text.header(2, header);
		shown.forEach((run) -> measured(part, run, columns));
	}

	private void measured(String part, ResultFile run, List<Metric> columns) {
		Samples samples = run.samples(part);
		for (String implementation : Order.sorted(samples.implementations())) {
			List<String> cells = new ArrayList<>(
					List.of(implementation, run.compiler().label(), "[%1$d](#run-%1$d)".formatted(number(run))));
			columns.forEach((column) -> cells.add(format(samples.median(part, implementation, column))));
			this.text.row(cells);
		}
	}

	private void compared(String part) {
		List<Target> known = Targets.of(part)
			.stream()
			.filter((target) -> Stream.of(Compiler.values())
				.anyMatch((compiler) -> target.value(this.runs, compiler).isPresent()))
			.toList();
		if (!known.isEmpty()) {
			this.text.line("")
				.header(3, List.of("ours", "metric", "", "value", "before", "should be", "possible here", ""));
			known.forEach((target) -> this.text.row(List.of(target.ours(), target.metric().label(),
					target.describeReference(), values(target, this.runs), before(target), target.describeLimit(),
					possible(target, this.runs), outcome(target, this.runs))));
		}
	}

	/** The default first, the first compiler only in parentheses. */
	static String values(Target target, Runs runs) {
		return both((compiler) -> target.value(runs, compiler));
	}

	/** Of the run before, however old. */
	private String before(Target target) {
		return both((compiler) -> target.valueBefore(this.runs, compiler));
	}

	static String possible(Target target, Runs runs) {
		return both((compiler) -> target.possibleValue(runs, compiler));
	}

	static String outcome(Target target, Runs runs) {
		Outcome all = target.outcome(runs, Compiler.ALL);
		Outcome first = target.outcome(runs, Compiler.FIRST);
		return (all == first || first == Outcome.NONE) ? all.label()
				: (all.label() + " (" + first.label() + ")").strip();
	}

	private static String both(Function<Compiler, OptionalDouble> value) {
		return Stream.of(Compiler.values()).map((compiler) -> {
			String text = format(value.apply(compiler));
			return (compiler == Compiler.ALL || text.isEmpty()) ? text : "(" + text + ")";
		}).filter((text) -> !text.isEmpty()).collect(Collectors.joining(" "));
	}

	private static String format(OptionalDouble value) {
		return value.isPresent() ? Metric.format(value.getAsDouble()) : "";
	}

}
