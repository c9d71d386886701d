package io.distlock.benchmark.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;

/**
 * What one run found: facts about the run as comments, then a line for each sample.
 *
 * @param facts machine, versions, options
 * @param samples the samples
 */
public record ResultFile(Map<String, String> facts, List<Sample> samples) {

	/** Name of the fact that says with which compilers the JVM ran. */
	static final String COMPILER = "Compiler";

	/**
	 * Name of the fact that says which state of the sources was measured, if it is known.
	 */
	static final String COMMIT = "Commit";

	/** Name of the fact that says when the run began, in UTC. */
	static final String DATE = "Date";

	private static final String FACT = "# ";

	/** More digits would only say how noisy the machine was. */
	private static final MathContext DIGITS = new MathContext(6);

	private static final String TAB = "\t";

	/** With which compilers the JVM ran. */
	Compiler compiler() {
		return Compiler.of(fact(COMPILER));
	}

	/** When the run began; earlier runs come first in the order of text. */
	String date() {
		return fact(DATE);
	}

	private String fact(String name) {
		String value = this.facts.get(name);
		if (value == null) {
			throw new IllegalStateException(
					"A file of samples lacks the line '" + FACT + name + ": …'; it has " + this.facts.keySet());
		}
		return value;
	}

	/** The samples of a part. */
	Samples samples(String part) {
		return new Samples(this.samples).of(part);
	}

	/**
	 * Writes a table.
	 * @param file where
	 */
	public void write(Path file) {
		List<String> lines = new ArrayList<>();
		this.facts.forEach((name, value) -> lines.add(FACT + name + ": " + value));
		List<Metric> columns = columns(this.samples);
		lines.add("scenario" + TAB + "implementation" + TAB + "round"
				+ columns.stream().map((column) -> TAB + column.name()).collect(Collectors.joining()));
		for (Sample sample : this.samples) {
			lines.add(sample.scenario() + TAB + sample.implementation() + TAB + sample.round()
					+ columns.stream().map((column) -> TAB + cell(sample, column)).collect(Collectors.joining()));
		}
		try {
			Files.createDirectories(file.toAbsolutePath().getParent());
			Files.write(file, lines);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write " + file, ex);
		}
	}

	/**
	 * Reads a table.
	 * @param file where
	 * @return what was written
	 */
	public static ResultFile read(Path file) {
		Map<String, String> facts = new LinkedHashMap<>();
		List<String[]> rows = new ArrayList<>();
		try {
			for (String line : Files.readAllLines(file)) {
				if (line.startsWith(FACT)) {
					String[] pair = line.substring(FACT.length()).split(": ", 2);
					facts.put(pair[0], pair[1]);
				}
				else {
					rows.add(line.split(TAB, -1));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + file, ex);
		}
		String[] header = rows.remove(0);
		return new ResultFile(facts, rows.stream().map((row) -> sample(header, row)).toList());
	}

	/** The metrics that occur, in the order of the enumeration. */
	static List<Metric> columns(List<Sample> samples) {
		return Stream.of(Metric.values())
			.filter((metric) -> samples.stream().anyMatch((sample) -> sample.values().containsKey(metric)))
			.toList();
	}

	private static String cell(Sample sample, Metric column) {
		Double value = sample.values().get(column);
		return (value != null) ? new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString() : "";
	}

	private static Sample sample(String[] header, String[] row) {
		Sample sample = new Sample(row[0], row[1], Integer.parseInt(row[2]));
		for (int i = 3; i < row.length; i++) {
			if (!row[i].isEmpty()) {
				sample.put(Metric.valueOf(header[i]), Double.parseDouble(row[i]));
			}
		}
		return sample;
	}

}
