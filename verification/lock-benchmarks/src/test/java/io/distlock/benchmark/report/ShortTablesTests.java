package io.distlock.benchmark.report;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

import static io.distlock.benchmark.report.PartTablesTests.run;
import static io.distlock.benchmark.report.PartTablesTests.sample;
import static org.assertj.core.api.Assertions.assertThat;

/** What a reader sees first: tables and chart. */
class ShortTablesTests {

	private static final String DATE = "2026-01-01T00:00:00Z";

	private final Runs runs = new Runs(List.of(
			run(DATE, Compiler.ALL, sample("A1", "ours, confirmed", 1, 90), sample("A1", "floor", 1, 100),
					sample("A1", "Spring Integration", 1, 45), sample("A1", "ours, direct", 1, 160),
					sample("A1", "Spring Integration, Jedis", 1, 200), paced("ours, confirmed", 100),
					paced("floor", 80), sample("B64", "ours, confirmed", 1, 95), sample("B64", "Redisson", 1, 5),
					sample("B64", "ReentrantLock(true)", 1, 100)),
			run(DATE, Compiler.FIRST, sample("A1", "ours, confirmed", 1, 70), sample("A1", "floor", 1, 100))));

	@Test
	void ratiosHaveBothCompilersAndComparePeersOnTheSameClient() {
		assertThat(new ShortTables(this.runs).ratios()).contains(
				"| `A1` | one thread | Lettuce | 0.90 (0.70) | 2.00 |  |",
				"| `A1` | one thread | Jedis, direct |  | 0.80 |  |");
	}

	@Test
	void headlinesHaveTheDefaultClientAndCompilersOnly() {
		assertThat(new ShortTables(this.runs).headlines())
			.contains("| `A1` | one thread | 0.90 | 2.00 |  |", "| `B64` | 64 threads, one key | 0.95 |  | 19 |")
			.doesNotContain("Jedis", "0.70", "`P1`");
	}

	@Test
	void ratiosOfTimesAreThoseOfTheOther() {
		// The floor takes 80 where ours takes 100: ours is 0.8 times as fast.
		assertThat(new ShortTables(this.runs).ratios())
			.contains("| `P1` | a call every ms: acquiring | Lettuce | 0.80 |  |  |");
	}

	@Test
	void ratiosWhereThreadsWaitCompareWithTheLockOfTheJdk() {
		assertThat(new ShortTables(this.runs).ratios())
			.contains("| `B64` | 64 threads, one key | Lettuce | 0.95 |  | 19 |");
	}

	@Test
	void ratiosSayWhereTheyAreFrom() {
		assertThat(new ShortTables(this.runs).ratios())
			.contains("Measured: `A1`, `P1`, `B64` on 2026-01-01; `A1` on 2026-01-01 (first compiler only).");
	}

	@Test
	void shortfallsAreTargetsThatAreMissedWithOneOfTheCompilers() {
		assertThat(new ShortTables(this.runs).shortfalls())
			.contains("| `A1` | ours, confirmed | acq/s | ≥ 0.920 × floor | missed | 0.900 (0.700) |  |")
			.doesNotContain("B64");
	}

	@Test
	void chartHasABarForEachRatioOfTheDefaultCompilers() {
		String chart = new RatioChart(this.runs).draw();
		assertThat(chart).contains(">0.90<", ">2.00<", ">0.80<", ">19<", ">0.95<").doesNotContain(">0.70<");
		assertThat(chart.split("<rect class='possible'", -1)).hasSize(5);
	}

	@Test
	void chartIsXml() throws Exception {
		String chart = new RatioChart(this.runs).draw();
		Document document = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new ByteArrayInputStream(chart.getBytes(StandardCharsets.UTF_8)));
		assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
	}

	private static Sample paced(String implementation, double micros) {
		return new Sample("P1", implementation, 1).put(Metric.WAIT_P50, micros);
	}

}
