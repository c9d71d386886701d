package io.distlock.lab.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

import io.distlock.lab.run.Fault;
import io.distlock.lab.run.Lab;
import io.distlock.lab.run.LabRun;
import io.distlock.lab.run.RunRequest;
import io.distlock.lab.run.RunRequest.Problem;
import io.distlock.lab.run.Verdict;
import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Step;

/**
 * Sells the same number of items in many ways and prints a table: each strategy that has
 * a bug with the fault that shows it, each one without with a frozen process. It is the
 * lab of the page, on processes.
 */
public final class Demo {

	private static final String HEAD = "%-21s %-14s %6s %6s %9s %8s %9s %6s %8s %9s %7s  %s";

	private static final String ROW = "%-21s %-14s %6d %6d %9d %8d %9d %6d %8.0f %9.1f %7.1f  %s";

	private final Class<?> application;

	private final PrintStream out;

	/**
	 * Creates the demo.
	 * @param application the class whose {@code main} method is a node
	 * @param out where the table goes
	 */
	public Demo(Class<?> application, PrintStream out) {
		this.application = application;
		this.out = out;
	}

	/**
	 * Runs the demo.
	 * @param args {@code --lab.demo.*}
	 * @return 0 if each strategy without a bug sold every item exactly once, otherwise 1
	 */
	public int run(String... args) {
		DemoSettings settings = DemoSettings.from(args);
		print("%d callers on %d nodes buy %d items; each works %d ms between reading and writing.", settings.threads(),
				settings.nodes(), settings.items(), settings.insideMillis());
		print(HEAD, "strategy", "fault", "sold", "left", "oversold", "doubles", "overlaps", "lost", "sales/s", "p95 ms",
				"Redis/s", "verdict");
		try (Lab lab = new Lab(this.application)) {
			boolean exact = true;
			for (Step step : Staircase.steps()) {
				if (settings.strategies().isEmpty() || settings.strategies().contains(step.id())) {
					exact &= run(lab, step, settings) || !step.sound();
				}
			}
			return exact ? 0 : 1;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return 1;
		}
	}

	private boolean run(Lab lab, Step step, DemoSettings settings) throws InterruptedException {
		String breaking = (step.breaksBy() != null) ? step.breaksBy() : Fault.NONE.id();
		RunRequest request = new RunRequest(step.id(), step.sound() ? Fault.FREEZE_HOLDER.id() : breaking,
				settings.nodes(), settings.threads(), settings.items(), settings.insideMillis());
		List<Problem> problems = request.problems();
		if (!problems.isEmpty()) {
			throw new IllegalArgumentException("The demo cannot run " + request + ": " + problems);
		}
		LabRun run = lab.start(request).orElseThrow();
		run.awaitEnd();
		Verdict verdict = run.verdict();
		if (verdict == null) {
			print("%-21s %-14s %s", step.id(), request.fault(), String.valueOf(run.view(false).problem()));
			return false;
		}
		print(ROW, step.id(), request.fault(), verdict.sold(), verdict.left(), verdict.oversold(), verdict.doubles(),
				verdict.overlaps(), verdict.lost(), verdict.perSecond(), verdict.waiting().p95(),
				verdict.redisCommandsPerSale(), verdict.sentence().en());
		return verdict.exact();
	}

	private void print(String format, Object... values) {
		this.out.println(String.format(Locale.ROOT, format, values));
	}

}
