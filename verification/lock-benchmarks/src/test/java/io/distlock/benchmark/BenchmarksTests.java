package io.distlock.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Implementation.Trait;
import io.distlock.benchmark.report.ResultFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the benchmarks run against everybody. A run fails by itself if a guarded counter
 * is not exact; nothing is said here about speed.
 */
class BenchmarksTests {

	@TempDir
	private Path results;

	@Test
	void runWhenUncontendedThenMeasuresAllThatAreShared() {
		List<Sample> samples = run("A", "--only", "A1,A64");
		assertThat(samples).extracting(Sample::scenario).containsOnly("A1", "A64");
		assertMeasured(samples, Set.of(Trait.SHARED), Metric.RATE, Metric.WAIT_P50, Metric.WAIT_MAX, Metric.COMMANDS,
				Metric.WIRE, Metric.CLIENT_CPU, Metric.SERVER_CPU, Metric.THREAD_FAIRNESS);
	}

	@Test
	void runWhenPacedThenMeasuresBothCalls() {
		// Long enough for pauses to count: one acquisition alone has none.
		List<Sample> samples = run("P", "--only", "P1", "--seconds", "0.2");
		assertMeasured(samples, Set.of(Trait.SHARED), Metric.WAIT_P50, Metric.WAIT_P99, Metric.RELEASE_P50,
				Metric.RELEASE_P99);
		// A pause of 1 ms after each release.
		assertThat(samples).allSatisfy((sample) -> assertThat(sample.values().get(Metric.RATE)).isLessThan(1000));
	}

	@Test
	void runWhenContendedInOneProcessThenMeasuresAllThatWait() {
		List<Sample> samples = run("B", "--only", "B8,B8-1ms");
		assertThat(samples).extracting(Sample::scenario).containsOnly("B8", "B8-1ms");
		assertMeasured(samples, Set.of(Trait.WAITS), Metric.RATE, Metric.WAIT_MAX, Metric.THREAD_FAIRNESS);
	}

	@Test
	void runWhenContendedBetweenProcessesThenMeasuresAllThatAreSharedAndWait() {
		// Long enough for another process to get its turn on a busy machine.
		List<Sample> samples = run("C", "--only", "C2x16", "--seconds", "0.5");
		assertThat(samples).extracting(Sample::scenario).containsOnly("C2x16");
		assertMeasured(samples, Set.of(Trait.SHARED, Trait.WAITS), Metric.RATE, Metric.JVM_FAIRNESS,
				Metric.THREAD_FAIRNESS);
		assertThat(samples).extracting(Sample::values)
			.anySatisfy((values) -> assertThat(values).containsKey(Metric.HAND_OVER_P50));
	}

	@Test
	void runWhenManyWaitThenServesThemAll() {
		List<Sample> samples = run("D", "--waiters", "20");
		assertMeasured(samples, Set.of(Trait.WAITS), Metric.DRAIN, Metric.IDLE_WIRE);
		assertThat(samples).allSatisfy((sample) -> assertThat(sample.values()).containsEntry(Metric.SERVED, 20.0));
		assertThat(samples).filteredOn((sample) -> sample.implementation().startsWith("ours"))
			.isNotEmpty()
			.allSatisfy((sample) -> assertThat(sample.values()).containsEntry(Metric.OUT_OF_ORDER, 0.0));
	}

	@Test
	void runWhenNestedThenMeasuresAllThatAreReentrant() {
		List<Sample> samples = run("F");
		assertMeasured(samples, Set.of(Trait.REENTRANT), Metric.NANOS, Metric.COMMANDS);
	}

	@Test
	void runWhenLocksAreUsedOnceThenMeasuresWhatIsLeft() {
		List<Sample> samples = run("M", "--locks", "100", "--hold", "0.01");
		assertMeasured(samples, Set.of(Trait.SHARED), Metric.REST_BYTES, Metric.REST_BYTES_LATER);
	}

	@Test
	void runWhenAProcessIsNewThenMeasuresItsFirstLock() {
		List<Sample> samples = run("K", "--only", "K-first", "--peers", "floor-direct");
		assertThat(samples).singleElement()
			.satisfies((sample) -> assertThat(sample.values()).containsKeys(Metric.OPEN, Metric.FIRST_PAIR,
					Metric.FIRST_PAIR_CPU, Metric.SECOND_PAIR));
	}

	@Test
	void runWhenHeldTogetherThenMeasuresThoseThatCan() {
		List<Sample> samples = run("H");
		assertThat(samples).extracting(Sample::scenario).contains("H16-read", "H16-mixed", "H32-permits");
		assertMeasured(samples, Set.of(Trait.TOGETHER), Metric.RATE, Metric.COMMANDS);
	}

	private List<Sample> run(String scenario, String... more) {
		List<String> args = List.of(scenario, "--seconds", "0.05", "--rounds", "1", "--warmup", "0", "--results",
				this.results.toString());
		Benchmarks.run(Stream.concat(args.stream(), Stream.of(more)).toArray(String[]::new));
		return ResultFile
			.read(this.results
				.resolve(scenario + "-jdk" + Runtime.version().feature() + Compiler.current().suffix() + ".tsv"))
			.samples();
	}

	private static void assertMeasured(List<Sample> samples, Set<Trait> traits, Metric... metrics) {
		Set<String> expected = Implementation.with(traits.toArray(Trait[]::new))
			.map(Implementation::label)
			.collect(Collectors.toSet());
		samples.stream().collect(Collectors.groupingBy(Sample::scenario)).values().forEach((rows) -> {
			assertThat(rows).extracting(Sample::implementation).containsExactlyInAnyOrderElementsOf(expected);
			assertThat(rows).allSatisfy((row) -> assertThat(row.values()).containsKeys(metrics));
		});
	}

}
