package io.distlock.output;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Keeps what a test writes to standard output and standard error, logs included. Prints
 * it together with the stack trace if the test fails, else drops it. What is written
 * before the first test of a class belongs to all tests of the class. A test that did not
 * run is named with the reason.
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

	private volatile String running = "";

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
	private void stopped() {
		if (!this.running.isEmpty()) {
			print("did not end", "");
		}
	}

	@Override
	public void testPlanExecutionFinished(TestPlan plan) {
		this.running = "";
		drop();
	}

	@Override
	public void executionStarted(TestIdentifier test) {
		if (!this.active) {
			return;
		}
		if (test.isTest()) {
			this.setUp.append(this.kept.take());
		}
		else if (isClass(test)) {
			drop();
		}
		this.running = name(test);
	}

	@Override
	public void executionFinished(TestIdentifier test, TestExecutionResult result) {
		if (!this.active) {
			return;
		}
		if (result.getStatus() == TestExecutionResult.Status.FAILED) {
			this.running = name(test);
			print("failed", result.getThrowable().map(OutputOfFailedTests::stackTrace).orElse(""));
		}
		else if (test.isTest()) {
			this.kept.take();
		}
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

	private synchronized void print(String end, String failure) {
		String name = this.running;
		this.running = "";
		this.console.println("---- " + name + " " + end + ". Its output:\n" + this.setUp + this.kept.take() + failure
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
