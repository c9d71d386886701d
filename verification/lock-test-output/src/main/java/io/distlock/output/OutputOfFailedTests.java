package io.distlock.output;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Keeps what a test writes to standard output and standard error, logs included. Prints
 * it together with the stack trace if the test fails, else drops it. What is written
 * before the first test of a class belongs to all tests of the class, and what is written
 * while several tests run belongs to each of them. A test that did not run is named with
 * the reason.
 * <p>
 * Does nothing unless the system property {@code test.output} is {@code failed}, as the
 * build sets it, so that a development environment shows all output as usual.
 */
public final class OutputOfFailedTests implements TestExecutionListener {

	private static final int LIMIT = 200_000;

	private final KeptOutput kept;

	private final PrintStream console;

	private final boolean active;

	private final StringBuilder setUp = new StringBuilder();

	/** Containers too, in the order of their start. */
	private final Set<TestIdentifier> running = new LinkedHashSet<>();

	/** Created by JUnit. */
	public OutputOfFailedTests() {
		this(new KeptOutput(LIMIT), System.out, "failed".equals(System.getProperty("test.output")));
		if (this.active) {
			PrintStream stream = new PrintStream(this.kept, true, StandardCharsets.UTF_8);
			System.setOut(stream);
			System.setErr(stream);
			Runtime.getRuntime().addShutdownHook(new Thread(this::stopped));
		}
	}

	OutputOfFailedTests(KeptOutput kept, PrintStream console, boolean active) {
		this.kept = kept;
		this.console = console;
		this.active = active;
	}

	/** A test that ends the JVM has no result. */
	private synchronized void stopped() {
		this.running.stream().reduce((one, later) -> later).ifPresent((test) -> print(test, "did not end", ""));
	}

	@Override
	public synchronized void testPlanExecutionFinished(TestPlan plan) {
		this.running.clear();
		drop();
	}

	@Override
	public synchronized void executionStarted(TestIdentifier test) {
		if (!this.active) {
			return;
		}
		if (test.isTest()) {
			if (!isTestRunning()) {
				this.setUp.append(this.kept.take());
			}
		}
		else if (isClass(test)) {
			drop();
		}
		this.running.add(test);
	}

	@Override
	public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
		if (!this.active) {
			return;
		}
		this.running.remove(test);
		if (result.getStatus() == TestExecutionResult.Status.FAILED) {
			print(test, "failed", result.getThrowable().map(OutputOfFailedTests::stackTrace).orElse(""));
		}
		if (test.isTest() && !isTestRunning()) {
			this.kept.take();
		}
	}

	private boolean isTestRunning() {
		return this.running.stream().anyMatch(TestIdentifier::isTest);
	}

	/** What does not run is not hidden either. */
	@Override
	public void executionSkipped(TestIdentifier test, String reason) {
		if (this.active) {
			this.console.println("---- did not run: " + name(test) + ": " + reason);
			this.console.flush();
		}
	}

	private void drop() {
		this.kept.take();
		this.setUp.setLength(0);
	}

	private void print(TestIdentifier test, String end, String failure) {
		String name = name(test);
		this.console.println("---- " + name + " " + end + ". Its output:\n" + this.setUp + this.kept + failure
				+ "---- end of the output of " + name);
		this.console.flush();
	}

	static boolean isClass(TestIdentifier test) {
		// The engine, then the class.
		return test.getUniqueIdObject().getSegments().size() == 2;
	}

	private static String name(TestIdentifier test) {
		return test.getUniqueIdObject()
			.getSegments()
			.stream()
			.skip(1)
			.map((segment) -> segment.getValue())
			.reduce((one, other) -> one + " " + other)
			.orElse("test");
	}

	private static String stackTrace(Throwable failure) {
		StringWriter text = new StringWriter();
		failure.printStackTrace(new PrintWriter(text));
		return text.toString();
	}

}
