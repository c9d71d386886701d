package io.distlock.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.distlock.lab.strategy.Text;

/** A verdict in words. */
final class VerdictText {

	private final List<String> en = new ArrayList<>();

	private final List<String> zh = new ArrayList<>();

	static Text of(RunStatistics.Result result, int items, int left, Outcome outcome, boolean fenced) {
		VerdictText text = new VerdictText();
		text.add(result.oversold(items, left), "oversold by %,d", "超卖 %,d 件");
		text.add(result.doubles(), "%,d double order%s", "重复下单 %,d 笔");
		if (outcome != Outcome.STOPPED) {
			text.add(result.lost(items, left), "%,d item%s lost", "丢失 %,d 件");
		}
		if (!fenced) {
			text.overlaps(result, "");
		}
		text.add(result.broken(), "%,d caller%s broke down with an error of the JVM", "%,d 个调用者因 JVM 错误而崩溃");
		switch (outcome) {
			case STUCK -> text.add(left, "stuck: no caller can go on, %,d item%s left", "卡死：无人能够继续，剩余 %,d 件");
			case STOPPED -> text.end(result.sold(), left, "stopped: %,d sold, %,d left, nothing wrong until then",
					"已停止：售出 %,d 件，剩余 %,d 件，到此为止没有出错");
			case UNCERTAIN -> text.end(result.sold(), left,
					"uncertain: their buyers died or got no answer, nothing was sold twice; %,d sold; %,d left",
					"不确定：买家已崩溃或没有收到应答，没有重复卖出；售出 %,d 件；剩余 %,d 件");
			case EXACT ->
				text.end(result.sold(), left, "exact: %,d sold; %,d left, 0 oversold", "准确：售出 %,d 件；剩余 %,d 件，超卖 0 件");
			case WRONG -> {
			}
		}
		if (fenced) {
			text.overlaps(result, " without harm");
		}
		text.add(result.refused(), "%,d late write%s refused", "拒绝了 %,d 次过期写入");
		String english = String.join("; ", text.en);
		return new Text(Character.toUpperCase(english.charAt(0)) + english.substring(1) + ".",
				String.join("；", text.zh) + "。");
	}

	private void end(int sold, int left, String english, String chinese) {
		this.en.add(String.format(Locale.ROOT, english, sold, left));
		this.zh.add(String.format(Locale.ROOT, chinese, sold, left));
	}

	private void overlaps(RunStatistics.Result result, String comment) {
		if (result.overlaps() > 0) {
			long longest = Math.max(1, Math.round(result.longestMicros() / 1000.0));
			this.en.add(String.format(Locale.ROOT, "callers inside at the same time%s, %,d time%s, for up to %,d ms",
					comment, result.overlaps(), plural(result.overlaps()), longest));
			this.zh.add(String.format(Locale.ROOT, "临界区重叠 %,d 次%s，最长 %,d 毫秒", result.overlaps(),
					comment.isEmpty() ? "" : "（没有造成损害）", longest));
		}
	}

	private static String plural(int number) {
		return (number == 1) ? "" : "s";
	}

	private void add(int number, String english, String chinese) {
		if (number > 0) {
			this.en.add(String.format(Locale.ROOT, english, number, plural(number)));
			this.zh.add(String.format(Locale.ROOT, chinese, number));
		}
	}

}
