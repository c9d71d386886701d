package io.distlock.benchmark;

import java.util.List;
import java.util.Set;

import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation.Trait;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Those of one process. */
@Tag("ci")
class BenchmarksTests extends AbstractBenchmarksTests {

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
	void runWhenNestedThenMeasuresAllThatAreReentrant() {
		List<Sample> samples = run("F");
		assertMeasured(samples, Set.of(Trait.REENTRANT), Metric.NANOS, Metric.COMMANDS);
	}

	@Test
	void runWhenHeldTogetherThenMeasuresThoseThatCan() {
		List<Sample> samples = run("H");
		assertThat(samples).extracting(Sample::scenario).contains("H16-read", "H16-mixed", "H32-permits");
		assertMeasured(samples, Set.of(Trait.TOGETHER), Metric.RATE, Metric.COMMANDS);
	}

}
