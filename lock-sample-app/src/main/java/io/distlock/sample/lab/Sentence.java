package io.distlock.sample.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.distlock.sample.lab.strategy.Text;

/** A verdict in words. */
final class Sentence {

	private final List<String> en = new ArrayList<>();

	private final List<String> zh = new ArrayList<>();

	static Text of(Tally.Result result, int items, int left, boolean stuck) {
		Sentence sentence = new Sentence();
		sentence.add(result.oversold(items, left), "oversold by %,d", "超卖 %,d 件");
		sentence.add(result.doubles(), "%,d double orders", "重复下单 %,d 笔");
		sentence.add(result.lost(items, left), "%,d items lost", "丢失 %,d 件");
		if (result.overlaps() > 0) {
			sentence.add((int) Math.max(1, Math.round(result.longestOverlapMicros() / 1000.0)),
					"callers inside at the same time " + String.format(Locale.ROOT, "%,d", result.overlaps())
							+ " times, for up to %,d ms",
					"临界区重叠 " + String.format(Locale.ROOT, "%,d", result.overlaps()) + " 次，最长 %,d 毫秒");
		}
		sentence.add(result.broken(), "%,d callers broke down with an error of the JVM", "%,d 个调用者因 JVM 错误而崩溃");
		if (stuck) {
			sentence.add(left, "stuck: nobody can go on, %,d items are left", "卡死：无人能够继续，剩余 %,d 件");
		}
		if (sentence.en.isEmpty()) {
			sentence.add(result.sold(), "exact: %,d sold", "准确：售出 %,d 件");
			sentence.en.add(String.format(Locale.ROOT, "%,d left, 0 oversold", left));
			sentence.zh.add(String.format(Locale.ROOT, "剩余 %,d 件，超卖 0 件", left));
		}
		sentence.add(result.refused(), "%,d late writes refused", "拒绝了 %,d 次过期写入");
		String english = String.join("; ", sentence.en);
		return new Text(Character.toUpperCase(english.charAt(0)) + english.substring(1) + ".",
				String.join("；", sentence.zh) + "。");
	}

	private void add(int number, String english, String chinese) {
		if (number > 0) {
			this.en.add(String.format(Locale.ROOT, english, number));
			this.zh.add(String.format(Locale.ROOT, chinese, number));
		}
	}

}
