package io.distlock.lab.run;

import java.util.List;

import io.distlock.lab.strategy.Text;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class VerdictTextTests {

	@Test
	void saysWhatWentWrongWithTheRightPlural() {
		Text many = VerdictText.of(result(1312, 1300, 3, 41_400, 0), 1000, 988, Outcome.WRONG, false);
		assertThat(many.en()).isEqualTo("Oversold by 1,300; 1,300 double orders; "
				+ "callers inside at the same time, 3 times, for up to 41 ms.");
		Text one = VerdictText.of(result(501, 1, 1, 600, 0), 500, 0, Outcome.WRONG, false);
		assertThat(one.en())
			.isEqualTo("Oversold by 1; 1 double order; callers inside at the same time, 1 time, for up to 1 ms.");
		assertThat(one.zh()).isEqualTo("超卖 1 件；重复下单 1 笔；临界区重叠 1 次，最长 1 毫秒。");
	}

	@Test
	void overlapIsNoHarmIfTheStockRefusesWhatComesLate() {
		Text fenced = VerdictText.of(result(300, 0, 2, 5000, 1), 300, 0, Outcome.EXACT, true);
		assertThat(fenced.en()).isEqualTo("Exact: 300 sold; 0 left, 0 oversold; "
				+ "callers inside at the same time without harm, 2 times, for up to 5 ms; 1 late write refused.");
	}

	@Test
	void stuckRunSaysWhatIsLeft() {
		assertThat(VerdictText.of(result(100, 0, 0, 0, 0), 300, 200, Outcome.STUCK, false).en())
			.isEqualTo("Stuck: no caller can go on, 200 items left.");
	}

	@Test
	void stoppedRunIsNotExactAndLostItemsAreUncertain() {
		assertThat(VerdictText.of(result(126, 0, 0, 0, 0), 500, 374, Outcome.STOPPED, false).en())
			.isEqualTo("Stopped: 126 sold, 374 left, nothing wrong until then.");
		assertThat(VerdictText.of(result(498, 0, 0, 0, 0), 500, 0, Outcome.UNCERTAIN, false).en())
			.isEqualTo("2 items lost; uncertain: their buyers died or got no answer, nothing was sold twice; "
					+ "498 sold; 0 left.");
	}

	private static RunStatistics.Result result(int sold, int doubles, int overlaps, long longestMicros, int refused) {
		return new RunStatistics.Result(sold, doubles, overlaps, new RunStatistics.Met(0, longestMicros, List.of()),
				refused, 0, 0, 0, 0, Waiting.of(new int[0], 0), 1_000_000);
	}

}
