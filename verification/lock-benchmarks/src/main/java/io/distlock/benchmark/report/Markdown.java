package io.distlock.benchmark.report;

import java.util.List;
import java.util.stream.Collectors;

/** Writes tables in Markdown. */
final class Markdown {

	private final StringBuilder text = new StringBuilder();

	Markdown line(String line) {
		this.text.append(line).append('\n');
		return this;
	}

	/** Begins a table whose first columns are text and whose others are numbers. */
	Markdown header(int texts, List<String> names) {
		row(names);
		this.text.append('|');
		for (int i = 0; i < names.size(); i++) {
			this.text.append((i < texts) ? " --- |" : " ---: |");
		}
		return line("");
	}

	Markdown row(List<String> cells) {
		return line(
				cells.stream().map((cell) -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |")));
	}

	@Override
	public String toString() {
		return this.text.toString();
	}

}
