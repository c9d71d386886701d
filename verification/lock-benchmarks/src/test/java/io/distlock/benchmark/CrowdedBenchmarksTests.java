package io.distlock.benchmark;

import java.util.List;
import java.util.Set;

import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation.Trait;
import io.distlock.test.Standstill;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Those of several processes and of many waiters, beside {@link BenchmarksTests}. */
@Tag("ci")
class CrowdedBenchmarksTests extends AbstractBenchmarksTests {

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
	void runWhenManyWaitThenServesThemAll() throws Exception {
		// Who came first is known only if each thread waits before the next one starts.
		Standstill.repeat(() -> {
			List<Sample> samples = run("D", "--waiters", "20");
			assertMeasured(samples, Set.of(Trait.WAITS), Metric.DRAIN, Metric.IDLE_WIRE);
			assertThat(samples).allSatisfy((sample) -> assertThat(sample.values()).containsEntry(Metric.SERVED, 20.0));
			assertThat(samples).filteredOn((sample) -> sample.implementation().startsWith("ours"))
				.isNotEmpty()
				.allSatisfy((sample) -> assertThat(sample.values()).containsEntry(Metric.OUT_OF_ORDER, 0.0));
		});
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

}
