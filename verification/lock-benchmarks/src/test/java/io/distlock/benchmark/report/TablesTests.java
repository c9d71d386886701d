package io.distlock.benchmark.report;

import java.util.List;
import java.util.Map;

import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of samples. */
class TablesTests {

	private static final String OURS = "ours, confirmed";

	@Test
	void ofWhenRatiosOfRoundsDifferThenTheirMedianIsCompared() {
		// The ratio of the medians would be 200 / 100 = 2.
		String text = tables(sample("A1", OURS, 1, 100), sample("A1", OURS, 2, 200), sample("A1", OURS, 3, 900),
				sample("A1", "Redisson", 1, 100), sample("A1", "Redisson", 2, 200), sample("A1", "Redisson", 3, 50));
		assertThat(text).contains("| ours, confirmed | acq/s | 1 | × Redisson | ≥ 1.35 | ✘ |")
			.contains("| ours, confirmed | 200 |", "| Redisson | 100 |");
	}

	@Test
	void ofWhenTargetIsMetThenSaysSo() {
		assertThat(tables(sample("A1", OURS, 1, 135), sample("A1", "Redisson", 1, 100)))
			.contains("| ours, confirmed | acq/s | 1.35 | × Redisson | ≥ 1.35 | ✔ |");
	}

	@Test
	void ofWhenUpperLimitIsExceededThenSaysSo() {
		Sample sample = new Sample("B8", OURS, 1).put(Metric.COMMANDS, 0.5);
		assertThat(tables(sample)).contains("| ours, confirmed | Redis cmds/acq | 0.500 |  | ≤ 0.005 | ✘ |");
	}

	@Test
	void ofWhenRoundHasNoPartnerThenIsLeftOut() {
		assertThat(tables(sample("A1", OURS, 1, 100), sample("A1", "Redisson", 2, 100))).doesNotContain("×");
	}

	@Test
	void ofWhenComparedWithAnotherScenarioThenNamesIt() {
		Sample crowd = new Sample("S-20", OURS, 1).put(Metric.SCRIPT_CPU, 90);
		Sample alone = new Sample("S-pair", OURS, 1).put(Metric.SCRIPT_CPU, 60);
		assertThat(tables(crowd, alone))
			.contains("| ours, confirmed | script µs/acq | 1.50 | × ours, confirmed in S-pair | ≤ 2 | ✔ |");
	}

	private static Sample sample(String scenario, String implementation, int round, double rate) {
		return new Sample(scenario, implementation, round).put(Metric.RATE, rate);
	}

	private static String tables(Sample... samples) {
		return Tables.of(new ResultFile(Map.of(), List.of(samples)));
	}

}
