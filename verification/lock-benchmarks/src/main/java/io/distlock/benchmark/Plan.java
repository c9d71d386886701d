package io.distlock.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.distlock.benchmark.measure.Compiler;

/**
 * Steps that are measured one after the other, each in a JVM of its own. A step that
 * fails or hangs does not cost the others their samples.
 */
final class Plan {

	private static final String QUICK = "quick";

	private static final String ALL = "all";

	private static final String OWN_JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

	private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

	private static final String ON_BOTH_CLIENTS = "ours-confirmed,ours-direct,redisson,spring-integration,"
			+ "spring-integration-jedis,floor,floor-direct";

	private static final String WAITING = "ours-confirmed,ours-direct,redisson,spring-integration,"
			+ "spring-integration-jedis,reentrant-lock";

	private final List<Step> steps;

	private final Predicate<Step> launcher;

	Plan(List<Step> steps, Predicate<Step> launcher) {
		this.steps = List.copyOf(steps);
		this.launcher = launcher;
	}

	static boolean isPlan(String name) {
		return name.equals(QUICK) || name.equals(ALL);
	}

	static Plan of(String name, CommandLine line) {
		Map<String, String> options = new LinkedHashMap<>(line.given());
		String virtualJava = options.remove(CommandLine.VIRTUAL_JAVA);
		if (virtualJava == null && Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS) {
			virtualJava = OWN_JAVA;
		}
		// A misspelt option is found out before the first step, not after it.
		new CommandLine(line.commands(), options).options();
		List<Step> steps = name.equals(QUICK) ? quick() : all();
		if (name.equals(ALL) && virtualJava != null) {
			steps.addAll(virtual(virtualJava));
		}
		return new Plan(steps.stream().map((step) -> step.with(options)).toList(), Plan::launch);
	}

	/** What shows most comes first: the plan may be cut short. */
	static List<Step> quick() {
		String uncontended = "A P --only A1,A8,A64,P1 --peers ";
		String short5 = " --seconds 1 --rounds 5 --warmup 1";
		List<Step> steps = new ArrayList<>();
		steps.add(step(Compiler.ALL, 10,
				uncontended + ON_BOTH_CLIENTS + ",ours-sent --seconds 1.5 --rounds 5 --warmup 2"));
		steps.add(step(Compiler.FIRST, 8, uncontended + ON_BOTH_CLIENTS + short5));
		steps.add(step(Compiler.ALL, 3, "B --only B64 --peers " + WAITING + short5));
		steps.add(step(Compiler.ALL, 3,
				"C --only C4x2 --peers ours-confirmed,ours-direct,redisson,spring-integration,spring-integration-jedis"
						+ short5));
		steps.add(
				step(Compiler.ALL, 2, "K --only K-first --peers ours-confirmed,ours-direct,redisson,spring-integration,"
						+ "floor,floor-direct --rounds 5 --warmup 0"));
		steps.add(step(Compiler.ALL, 3, "S --peers ours-confirmed,redisson,floor" + short5));
		steps.add(step(Compiler.ALL, 2, "H --only H16-mixed --peers ours-confirmed,ours-direct,redisson" + short5));
		steps
			.add(step(Compiler.ALL, 2, "D --peers ours-confirmed,ours-direct,redisson,spring-integration,reentrant-lock"
					+ " --seconds 1 --rounds 3 --warmup 1"));
		return steps;
	}

	/** All scenarios, all implementations, all that is shown somewhere. */
	static List<Step> all() {
		List<Step> steps = new ArrayList<>();
		for (Compiler compiler : Compiler.values()) {
			steps.add(step(compiler, 45, "A P S --seconds 2 --rounds 5 --warmup 2"));
		}
		steps.add(step(Compiler.ALL, 40, "B C H --seconds 2 --rounds 3 --warmup 2"));
		steps.add(step(Compiler.ALL, 15, "D --rounds 3 --warmup 1 --peers " + WAITING));
		steps.add(step(Compiler.ALL, 20, "E M"));
		steps.add(step(Compiler.ALL, 15, "F G"));
		steps.add(step(Compiler.ALL, 10, "K"));
		return steps;
	}

	private static List<Step> virtual(String java) {
		return List.of(Step.of(java, Compiler.ALL, Duration.ofMinutes(15),
				"B-virtual D-virtual --seconds 2 --rounds 3 --warmup 1 --peers " + WAITING));
	}

	private static Step step(Compiler compiler, int minutes, String arguments) {
		return Step.of(OWN_JAVA, compiler, Duration.ofMinutes(minutes), arguments);
	}

	List<Step> steps() {
		return this.steps;
	}

	/**
	 * Runs all steps.
	 * @throws IllegalStateException if one of them failed, once all have run
	 */
	void run() {
		long begun = System.nanoTime();
		List<Step> failed = new ArrayList<>();
		for (int i = 0; i < this.steps.size(); i++) {
			Step step = this.steps.get(i);
			long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
			System.err.printf("%nStep %d of %d after %d:%02d min: %s%n", i + 1, this.steps.size(), seconds / 60,
					seconds % 60, step);
			if (!this.launcher.test(step)) {
				failed.add(step);
			}
		}
		if (!failed.isEmpty()) {
			throw new IllegalStateException(failed.size() + " of " + this.steps.size()
					+ " steps failed; what they measured before is kept: " + failed);
		}
	}

	private static boolean launch(Step step) {
		try {
			Process process = new ProcessBuilder(step.command()).inheritIO().start();
			Thread end = new Thread(process::destroyForcibly);
			Runtime.getRuntime().addShutdownHook(end);
			boolean succeeded = await(process, step);
			Runtime.getRuntime().removeShutdownHook(end);
			return succeeded;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot start " + step.java(), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted during " + step, ex);
		}
	}

	private static boolean await(Process process, Step step) throws InterruptedException {
		if (process.waitFor(step.limit().toSeconds(), TimeUnit.SECONDS)) {
			return process.exitValue() == 0;
		}
		System.err.println("Not done after " + step.limit().toMinutes() + " minutes: " + step);
		process.destroyForcibly().waitFor();
		return false;
	}

}
