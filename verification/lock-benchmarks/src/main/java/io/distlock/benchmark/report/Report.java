package io.distlock.benchmark.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Writes what samples say: tables into two pages that are otherwise written by hand, a
 * chart, and a page with everything.
 *
 * @param samples a directory of samples
 * @param docs the directory of the page for users and of the chart
 * @param details the directory of the two pages for who wants to know more
 */
public record Report(Path samples, Path docs, Path details) {

	private static final String HEAD = """
			# All results of the benchmarks

			Written by the command `report` from the files in `results`; do not edit. What they mean: [Benchmarks](README.md).

			Values are medians of the rounds of a run. A ratio is the median of the ratios within one round: the first one with all compilers, the one in
			parentheses with the first compiler only (`-XX:TieredStopAtLevel=1`). Each part shows its newest run, and older ones that have rows
			which no newer one has. "before" is the ratio of the run before, also of one that is not shown. "possible here" is the same comparison for
			what does no more than is necessary: two bare scripts on the same client, or `ReentrantLock(true)`.

			""";

	/**
	 * Writes the tables of one run.
	 * @param run the run
	 * @return Markdown
	 */
	public static String of(ResultFile run) {
		return PartTables.of(new Runs(List.of(run)));
	}

	/** Writes all pages and the chart. */
	public void write() {
		Runs runs = Runs.in(this.samples);
		if (runs.parts().isEmpty()) {
			throw new IllegalStateException("No samples in " + this.samples.toAbsolutePath()
					+ ". Measure with --results " + this.samples.resolve("<date>") + " first");
		}
		ShortTables tables = new ShortTables(runs);
		try {
			rewrite(this.docs.resolve("performance.md"), Map.of("headlines", tables.headlines()));
			rewrite(this.details.resolve("README.md"),
					Map.of("ratios", tables.ratios(), "costs", tables.costs(), "shortfalls", tables.shortfalls()));
			write(this.details.resolve("RESULTS.md"), HEAD + PartTables.of(runs));
			write(this.docs.resolve("images").resolve("performance.svg"), new RatioChart(runs).draw());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write into " + this.docs + " and " + this.details, ex);
		}
	}

	private static void rewrite(Path page, Map<String, String> tables) throws IOException {
		String text = Files.readString(page);
		for (Map.Entry<String, String> table : tables.entrySet()) {
			text = replace(page, text, table.getKey(), table.getValue());
		}
		write(page, text);
	}

	private static void write(Path file, String text) throws IOException {
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
	}

	private static String replace(Path page, String text, String name, String content) {
		String begin = "<!-- " + name + ": begin; written by the report command, do not edit -->\n";
		String end = "<!-- " + name + ": end -->";
		int from = text.indexOf(begin);
		int to = text.indexOf(end, Math.max(0, from));
		if (from < 0 || to < 0) {
			throw new IllegalStateException(page + " lacks the marks\n" + begin + end);
		}
		return text.substring(0, from + begin.length()) + "\n" + content + "\n" + text.substring(to);
	}

}
