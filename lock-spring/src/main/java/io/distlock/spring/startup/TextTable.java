package io.distlock.spring.startup;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Lays out rows of text in columns. It cuts long cells, except in the last column.
 *
 * @param columns the columns, from left to right
 */
record TextTable(List<Column> columns) {

	private static final String GAP = "  ";

	private static final String CUT = "…";

	/**
	 * A column.
	 *
	 * @param title the title of the column
	 * @param longest the length at which cells are cut
	 * @param keepsEnd whether a cut keeps the end of a text instead of its beginning
	 */
	record Column(String title, int longest, boolean keepsEnd) {

		String cut(String text, int room) {
			if (text.length() <= room) {
				return text;
			}
			return this.keepsEnd ? CUT + text.substring(text.length() - room + 1) : text.substring(0, room - 1) + CUT;
		}

	}

	/**
	 * Lays out the rows.
	 * @param rows the rows, each with one cell per column
	 * @return the lines, the titles first
	 */
	List<String> lines(List<List<String>> rows) {
		List<List<String>> all = new ArrayList<>();
		all.add(this.columns.stream().map(Column::title).toList());
		all.addAll(rows);
		int[] widths = widths(all);
		return all.stream().map((row) -> line(row, widths)).toList();
	}

	private int[] widths(List<List<String>> rows) {
		return IntStream.range(0, this.columns.size())
			.map((i) -> Math.min(this.columns.get(i).longest(),
					rows.stream().mapToInt((row) -> row.get(i).length()).max().orElse(0)))
			.toArray();
	}

	private String line(List<String> row, int[] widths) {
		return IntStream.range(0, widths.length)
			.mapToObj((i) -> padded(this.columns.get(i).cut(row.get(i), widths[i]), widths[i]))
			.collect(Collectors.joining(GAP, GAP, ""))
			.stripTrailing();
	}

	private static String padded(String text, int width) {
		return text + " ".repeat(width - text.length());
	}

}
