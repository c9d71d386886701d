package io.distlock.reliability.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.distlock.reliability.Pass;

/** What was measured, a line for each scenario in {@code target/reliability.tsv}. */
public final class Figures {

	private static final Path FILE = Path.of("target", "reliability.tsv");

	private final List<Long> nanos = new ArrayList<>();

	private final String scenario;

	private final String measure;

	/**
	 * Begins a measurement.
	 * @param scenario its number
	 * @param measure what is measured, empty if nothing but the count
	 */
	public Figures(String scenario, String measure) {
		this.scenario = scenario;
		this.measure = measure;
	}

	/** Adds a duration. */
	public void add(long duration) {
		this.nanos.add(duration);
	}

	/** How many durations there are. */
	public int size() {
		return this.nanos.size();
	}

	/** A part of all durations is not longer than this. */
	public double millis(double part) {
		List<Long> sorted = this.nanos.stream().sorted().toList();
		return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(part * sorted.size()) - 1) / 1e6;
	}

	/** Writes it down. */
	public void report(int grants, int faults, int violations, String more) {
		String line = String.format(Locale.ROOT, "%s\t%s\t%d acquisitions\t%d faults\t%d violations\t%s", this.scenario,
				Pass.current(), grants, faults, violations, more);
		if (!this.nanos.isEmpty()) {
			line += String.format(Locale.ROOT, "\t%s: p50 %.1f ms, p99 %.1f ms, max %.1f ms of %d", this.measure,
					millis(0.5), millis(0.99), millis(1), size());
		}
		System.out.println(line);
		try {
			Files.writeString(FILE, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
