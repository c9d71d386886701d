package io.distlock.benchmark.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.report.Ratio.Against;
import io.distlock.benchmark.report.Ratio.Client;
import io.distlock.benchmark.report.Ratio.Situation;

/**
 * Draws ratios as bars that begin at 1: to the right where ours is faster, to the left
 * where it is slower, each tick twice the one before.
 */
final class RatioChart {

	private static final int LABELS = 250;

	private static final int PANEL = 290;

	private static final int GAP = 44;

	private static final int WIDTH = LABELS + 2 * PANEL + GAP + 40;

	private static final int TOP = 96;

	private static final int BAR = 12;

	private static final int SPACE = 12;

	private static final double LEAST = 0.25;

	private static final double MOST = 64;

	/**
	 * For pages that are light and pages that are dark: the chart has a ground of its
	 * own.
	 */
	private static final String STYLE = """
			text { font: 12px system-ui, sans-serif; fill: #24292f }
			.ground { fill: #ffffff } .grid { stroke: #d0d7de } .one { stroke: #24292f; stroke-width: 1.5 }
			.title { font-size: 15px; font-weight: 600 } .panel { font-weight: 600 } .small { font-size: 11px; fill: #57606a }
			.possible { fill: #8c959f } .spring { fill: #2da44e } .redisson { fill: #bf5af2 }
			@media (prefers-color-scheme: dark) {
			  text { fill: #e6edf3 } .ground { fill: #0d1117 } .grid { stroke: #30363d } .one { stroke: #e6edf3 } .small { fill: #9da7b3 }
			}
			""";

	private final StringBuilder svg = new StringBuilder();

	private final Runs runs;

	RatioChart(Runs runs) {
		this.runs = runs;
	}

	String draw() {
		List<Situation> situations = Stream.of(Situation.values()).filter((one) -> bars(one) > 0).toList();
		int height = TOP + situations.stream().mapToInt((one) -> bars(one) * BAR + SPACE).sum() + 40;
		line("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' role='img'>", WIDTH, height);
		line("<title>How many times as fast as others the lock is</title>");
		line("<style>%n%s</style>", STYLE);
		line("<rect class='ground' width='%d' height='%d' rx='6'/>", WIDTH, height);
		text("title", 12, 24, "start", "How many times as fast is the lock? Right of 1: faster. Left of 1: slower.");
		legend();
		for (Client client : Client.values()) {
			panel(client, situations, height - 40);
		}
		int y = TOP;
		for (Situation situation : situations) {
			int middle = y + bars(situation) * BAR / 2;
			text("", 12, middle, "start", situation.part());
			text("small", 12, middle + 13, "start", situation.label());
			y += bars(situation) * BAR + SPACE;
		}
		text("small", 12, height - 12, "start",
				"Default compilers, medians. Each tick is twice the one before it. Generated from the samples of the benchmarks.");
		line("</svg>");
		return this.svg.toString();
	}

	/** As many rows as the client with more bars needs, two at least for the label. */
	private int bars(Situation situation) {
		int most = Stream.of(Client.values())
			.mapToInt((client) -> Ratio.measured(this.runs, situation, client, Compiler.ALL).size())
			.max()
			.orElse(0);
		return (most == 0) ? 0 : Math.max(2, most);
	}

	private void legend() {
		int x = 12;
		for (Against against : Against.values()) {
			String label = (against == Against.POSSIBLE)
					? "the floor: two bare scripts on the same client (B64, D1000: ReentrantLock)" : against.label();
			line("<rect class='%s' x='%d' y='37' width='11' height='11'/>", style(against), x);
			text("small", x + 16, 47, "start", label);
			x += 34 + (int) (label.length() * 5.7);
		}
	}

	private void panel(Client client, List<Situation> situations, int bottom) {
		int left = LABELS + client.ordinal() * (PANEL + GAP);
		text("panel", left + PANEL / 2, 70, "middle", "ours on " + client.label());
		for (double tick = LEAST; tick <= MOST; tick *= 2) {
			line("<line class='%s' x1='%.1f' x2='%.1f' y1='%d' y2='%d'/>", (tick == 1) ? "one" : "grid", x(left, tick),
					x(left, tick), TOP - 8, bottom);
			text("small", (int) x(left, tick), TOP - 12, "middle",
					(tick < 1) ? "1/" + Math.round(1 / tick) : String.valueOf(Math.round(tick)));
		}
		int y = TOP;
		for (Situation situation : situations) {
			int next = y;
			for (Ratio ratio : Ratio.measured(this.runs, situation, client, Compiler.ALL)) {
				bar(left, next, ratio.against(), ratio.value(this.runs, Compiler.ALL).orElseThrow());
				next += BAR;
			}
			y += bars(situation) * BAR + SPACE;
		}
	}

	private void bar(int left, int y, Against against, double ratio) {
		double one = x(left, 1);
		double end = x(left, ratio);
		line("<rect class='%s' x='%.1f' y='%d' width='%.1f' height='%d'/>", style(against), Math.min(one, end), y,
				Math.max(1, Math.abs(end - one)), BAR - 2);
		text("small", (int) ((ratio < 1) ? end - 3 : end + 3), y + BAR - 3, (ratio < 1) ? "end" : "start",
				ShortTables.format(ratio));
	}

	/**
	 * A bar that would leave the panel ends at its edge; its label says how long it is.
	 */
	private static double x(int left, double ratio) {
		double shown = Math.min(MOST, Math.max(LEAST, ratio));
		return left + PANEL * Math.log(shown / LEAST) / Math.log(MOST / LEAST);
	}

	private static String style(Against against) {
		return against.name().toLowerCase(Locale.ROOT);
	}

	private void text(String style, int x, int y, String anchor, String text) {
		line("<text class='%s' x='%d' y='%d' text-anchor='%s'>%s</text>", style, x, y, anchor,
				text.replace("&", "&amp;").replace("<", "&lt;"));
	}

	private void line(String format, Object... arguments) {
		this.svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
	}

}
