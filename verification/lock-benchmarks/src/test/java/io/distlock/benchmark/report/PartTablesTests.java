package io.distlock.benchmark.report;

import java.util.List;
import java.util.Map;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of samples. */
class PartTablesTests {

	private static final String OURS = "ours, confirmed";

	private static final String DIRECT = "ours, direct";

	private static final String FLOOR = "floor";

	@Test
	void ofWhenRatiosOfRoundsDifferThenTheirMedianIsCompared() {
		// The ratio of the medians would be 200 / 100 = 2.
		assertThat(tables(run(sample("A1", OURS, 1, 100), sample("A1", OURS, 2, 200), sample("A1", OURS, 3, 900),
				sample("A1", "Redisson", 1, 100), sample("A1", "Redisson", 2, 200), sample("A1", "Redisson", 3, 50))))
			.contains("| ours, confirmed | acq/s | × Redisson | 1 |  | ≥ 1.30 |  | missed |",
					"| ours, confirmed | default | [1](#run-1) | 200 |", "| Redisson | default | [1](#run-1) | 100 |");
	}

	@Test
	void ofWhenTargetIsReachedThenSaysSo() {
		assertThat(tables(run(sample("A1", OURS, 1, 130), sample("A1", "Redisson", 1, 100))))
			.contains("| ours, confirmed | acq/s | × Redisson | 1.30 |  | ≥ 1.30 |  | ✔ |");
	}

	@Test
	void ofWhenUpperLimitIsExceededThenSaysSo() {
		assertThat(tables(run(new Sample("B8", OURS, 1).put(Metric.COMMANDS, 0.5))))
			.contains("| ours, confirmed | Redis cmds/acq |  | 0.500 |  | ≤ 0.005 |  | missed |");
	}

	@Test
	void ofWhenNotEvenTheFloorReachesTheTargetThenSaysWhatIsPossible() {
		assertThat(
				tables(run(sample("A1", OURS, 1, 110), sample("A1", FLOOR, 1, 120), sample("A1", "Redisson", 1, 100))))
			.contains("| ours, confirmed | acq/s | × Redisson | 1.10 |  | ≥ 1.30 | 1.20 | not possible here |");
	}

	@Test
	void ofWhenTheFloorReachesTheTargetThenItIsMissed() {
		assertThat(
				tables(run(sample("A1", OURS, 1, 110), sample("A1", FLOOR, 1, 140), sample("A1", "Redisson", 1, 100))))
			.contains("| ours, confirmed | acq/s | × Redisson | 1.10 |  | ≥ 1.30 | 1.40 | missed |");
	}

	@Test
	void ofWhenDirectThenWhatIsPossibleIsTheFloorOnTheSameClient() {
		assertThat(tables(
				run(sample("A64", DIRECT, 1, 60), sample("A64", FLOOR, 1, 100), sample("A64", "floor, direct", 1, 80))))
			.contains("| ours, direct | acq/s | × floor | 0.600 |  | ≥ 1 | 0.800 | not possible here |");
	}

	@Test
	void ofWhenRoundHasNoPartnerThenIsLeftOut() {
		assertThat(tables(run(sample("A1", OURS, 1, 100), sample("A1", "Redisson", 2, 100)))).doesNotContain("×");
	}

	@Test
	void ofWhenComparedWithAnotherPartThenNamesIt() {
		Sample crowd = new Sample("S-20", OURS, 1).put(Metric.SCRIPT_CPU, 90);
		Sample alone = new Sample("S-pair", OURS, 1).put(Metric.SCRIPT_CPU, 60);
		assertThat(tables(run(crowd, alone)))
			.contains("| ours, confirmed | script µs/acq | × ours, confirmed in S-pair | 1.50 |  | ≤ 2 |  | ✔ |");
	}

	@Test
	void ofWhenBothCompilersWereMeasuredThenShowsThemSideBySide() {
		ResultFile first = run("2026-01-02T00:00:00Z", Compiler.FIRST, sample("A1", OURS, 1, 80),
				sample("A1", FLOOR, 1, 100));
		assertThat(tables(run(sample("A1", OURS, 1, 190), sample("A1", FLOOR, 1, 200)), first)).contains(
				"| ours, confirmed | acq/s | × floor | 0.950 (0.800) |  | ≥ 0.920 |  | ✔ (missed) |",
				"| ours, confirmed | default | [2](#run-2) | 190 |",
				"| ours, confirmed | first compiler only | [1](#run-1) | 80 |");
	}

	@Test
	void ofWhenAPartWasMeasuredAgainThenShowsTheNewerRunOnly() {
		ResultFile old = run("2026-01-01T00:00:00Z", Compiler.ALL, sample("A1", OURS, 1, 111));
		ResultFile newer = run("2026-01-03T00:00:00Z", Compiler.ALL, sample("A1", OURS, 1, 333));
		assertThat(tables(old, newer)).contains("333").doesNotContain("111", "Run 2");
	}

	@Test
	void ofWhenARowWasNotMeasuredAgainThenKeepsTheRunThatHasIt() {
		ResultFile old = run("2026-01-01T00:00:00Z", Compiler.ALL, sample("A1", OURS, 1, 111),
				sample("A1", "lock4j", 1, 222));
		ResultFile newer = run("2026-01-03T00:00:00Z", Compiler.ALL, sample("A1", OURS, 1, 333));
		assertThat(tables(old, newer)).contains("| ours, confirmed | default | [1](#run-1) | 333 |",
				"| ours, confirmed | default | [2](#run-2) | 111 |", "| lock4j | default | [2](#run-2) | 222 |");
	}

	@Test
	void ofWhenAPartWasMeasuredAgainThenShowsTheRatioOfTheRunBefore() {
		ResultFile old = run("2026-01-01T00:00:00Z", Compiler.ALL, sample("A1", OURS, 1, 50),
				sample("A1", FLOOR, 1, 100));
		ResultFile other = run("2026-01-02T00:00:00Z", Compiler.FIRST, sample("A1", OURS, 1, 60),
				sample("A1", FLOOR, 1, 100));
		ResultFile newer = run("2026-01-03T00:00:00Z", Compiler.ALL, sample("A1", OURS, 1, 95),
				sample("A1", FLOOR, 1, 100));
		assertThat(tables(old, other, newer))
			.contains("| ours, confirmed | acq/s | × floor | 0.950 (0.600) | 0.500 | ≥ 0.920 |  | ✔ (missed) |");
	}

	@Test
	void ofWhenRunsDifferThenNeverComparesAcrossThem() {
		ResultFile old = run("2026-01-01T00:00:00Z", Compiler.ALL, sample("A1", "Redisson", 1, 100));
		ResultFile newer = run("2026-01-03T00:00:00Z", Compiler.ALL, sample("A1", OURS, 1, 333));
		assertThat(tables(old, newer)).doesNotContain("×");
	}

	@Test
	void ofWhenPartsHaveNumbersThenOrdersByThem() {
		assertThat(tables(run(sample("A64", OURS, 1, 1), sample("A8", OURS, 1, 1), sample("A1", OURS, 1, 1))))
			.containsSubsequence("## A1\n", "## A8\n", "## A64\n");
	}

	static Sample sample(String scenario, String implementation, int round, double rate) {
		return new Sample(scenario, implementation, round).put(Metric.RATE, rate);
	}

	private static ResultFile run(Sample... samples) {
		return run("2026-01-01T00:00:00Z", Compiler.ALL, samples);
	}

	static ResultFile run(String date, Compiler compiler, Sample... samples) {
		return new ResultFile(Map.of(ResultFile.DATE, date, ResultFile.COMPILER, compiler.label()), List.of(samples));
	}

	private static String tables(ResultFile... runs) {
		return PartTables.of(new Runs(List.of(runs)));
	}

}
