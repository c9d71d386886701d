package io.distlock.benchmark;

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
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the benchmarks run against everybody. A run fails by itself if a guarded counter
 * is not exact; nothing is said here about speed.
 */
abstract class AbstractBenchmarksTests {

	@TempDir
	private Path results;

	final List<Sample> run(String scenario, String... more) {
		List<String> args = List.of(scenario, "--seconds", "0.05", "--rounds", "1", "--warmup", "0", "--results",
				this.results.toString());
		Benchmarks.run(Stream.concat(args.stream(), Stream.of(more)).toArray(String[]::new));
		return ResultFile
			.read(this.results
				.resolve(scenario + "-jdk" + Runtime.version().feature() + Compiler.current().suffix() + ".tsv"))
			.samples();
	}

	static void assertMeasured(List<Sample> samples, Set<Trait> traits, Metric... metrics) {
		Set<String> expected = Implementation.with(traits.toArray(Trait[]::new))
			.map(Implementation::label)
			.collect(Collectors.toSet());
		samples.stream().collect(Collectors.groupingBy(Sample::scenario)).values().forEach((rows) -> {
			assertThat(rows).extracting(Sample::implementation).containsExactlyInAnyOrderElementsOf(expected);
			assertThat(rows).allSatisfy((row) -> assertThat(row.values()).containsKeys(metrics));
		});
	}

}
