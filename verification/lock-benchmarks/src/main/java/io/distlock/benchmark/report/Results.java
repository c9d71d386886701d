package io.distlock.benchmark.report;

import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.measure.Machine;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;

/** Collects the samples of one run and keeps the file up to date. */
public final class Results {

	private final Map<String, String> facts = new LinkedHashMap<>();

	private final List<Sample> samples = new ArrayList<>();

	private final Path file;

	/**
	 * Begins a run.
	 * @param file where samples go
	 * @param command what was asked for
	 * @param redisVersion version of the server
	 */
	public Results(Path file, String command, String redisVersion) {
		this.file = file;
		this.facts.put("Run", command);
		this.facts.put(ResultFile.DATE, ZonedDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS).toString());
		this.facts.put("Machine", Machine.processors() + " × " + Machine.processor() + ", "
				+ System.getProperty("os.name") + " " + System.getProperty("os.version"));
		this.facts.put(ResultFile.COMMIT, Commit.current());
		this.facts.put(ResultFile.COMPILER, Compiler.current().label());
		this.facts.put("JDK", System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"));
		this.facts.put("Redis", redisVersion + " on loopback");
	}

	/**
	 * Adds a sample and writes the file.
	 * @param sample the sample
	 */
	public void add(Sample sample) {
		this.samples.add(sample);
		this.facts.put("Load average during the run", range(Metric.LOAD_AVERAGE));
		if (this.samples.stream().anyMatch((one) -> one.values().containsKey(Metric.OTHERS))) {
			this.facts.put("Processors used by others during measurements, %", range(Metric.OTHERS));
		}
		toFile().write(this.file);
	}

	/**
	 * Adds what went wrong and writes the file.
	 * @param failure who failed where, and how
	 */
	public void addFailure(String failure) {
		this.facts.merge("Failed", failure.lines().findFirst().orElse(""), (before, next) -> before + "; " + next);
		toFile().write(this.file);
	}

	/**
	 * All of it.
	 * @return facts and samples
	 */
	public ResultFile toFile() {
		return new ResultFile(new LinkedHashMap<>(this.facts), List.copyOf(this.samples));
	}

	private String range(Metric metric) {
		double[] values = this.samples.stream()
			.filter((sample) -> sample.values().containsKey(metric))
			.mapToDouble((sample) -> sample.values().getOrDefault(metric, 0.0))
			.sorted()
			.toArray();
		return (values.length == 0) ? "unknown"
				: String.format(Locale.ROOT, "%.1f to %.1f", values[0], values[values.length - 1]);
	}

}
