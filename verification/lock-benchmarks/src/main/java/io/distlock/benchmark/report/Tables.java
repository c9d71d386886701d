package io.distlock.benchmark.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;

/** Writes results as Markdown. */
public final class Tables {

	private final StringBuilder text = new StringBuilder();

	private Tables() {
	}

	/**
	 * Writes the tables of one run.
	 * @param results the run
	 * @return Markdown
	 */
	public static String of(ResultFile results) {
		Tables tables = new Tables();
		Samples samples = new Samples(results.samples());
		tables.facts(results.facts());
		for (String scenario : samples.scenarios()) {
			tables.text.append("\n#### ").append(scenario).append("\n\n");
			tables.measured(samples.of(scenario));
			tables.compared(samples, scenario);
		}
		return tables.text.toString();
	}

	private void facts(Map<String, String> facts) {
		facts.forEach((name, value) -> this.text.append("- ").append(name).append(": ").append(value).append('\n'));
	}

	private void measured(Samples samples) {
		List<Metric> columns = ResultFile.columns(samples.all());
		List<String> header = new ArrayList<>(List.of("implementation"));
		columns.forEach((column) -> header.add(column.label()));
		row(header);
		row(header.stream().map((name) -> name.equals("implementation") ? "---" : "---:").toList());
		Set<String> implementations = samples.all()
			.stream()
			.map(Sample::implementation)
			.collect(Collectors.toCollection(LinkedHashSet::new));
		String scenario = samples.scenarios().iterator().next();
		for (String implementation : Order.sorted(implementations)) {
			List<String> cells = new ArrayList<>(List.of(implementation));
			columns.forEach((column) -> cells.add(format(samples.median(scenario, implementation, column))));
			row(cells);
		}
	}

	private void compared(Samples samples, String scenario) {
		boolean begun = false;
		for (Target target : Targets.of(scenario)) {
			OptionalDouble value = target.value(samples);
			if (value.isPresent()) {
				if (!begun) {
					this.text.append('\n');
					row(List.of("ours", "metric", "value", "", "target", ""));
					row(List.of("---", "---", "---:", "---", "---:", "---"));
					begun = true;
				}
				compared(target, value.getAsDouble());
			}
		}
	}

	private void compared(Target target, double value) {
		String mark = target.isMet(value) ? "✔" : "✘";
		row(List.of(target.ours(), target.metric().label(), Metric.format(value), target.describeReference(),
				target.describeLimit(), Double.isNaN(target.limit()) ? "" : mark));
	}

	private void row(List<String> cells) {
		this.text.append("| ").append(String.join(" | ", cells)).append(" |\n");
	}

	private static String format(OptionalDouble value) {
		return value.isPresent() ? Metric.format(value.getAsDouble()) : "";
	}

}
