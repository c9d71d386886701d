package io.distlock.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Counts the tests of each tag, which the reports of Surefire do not have, and writes
 * them beside the reports: a file for each class, a line for each tag.
 */
public final class TestCounts implements TestExecutionListener {

	private final Path directory;

	private final boolean active;

	private final Map<String, Integer> counts = new TreeMap<>();

	/** Created by JUnit. */
	public TestCounts() {
		this(Path.of("target", "test-counts"), System.getProperty("test.scope") != null);
	}

	TestCounts(Path directory, boolean active) {
		this.directory = directory;
		this.active = active;
	}

	@Override
	public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
		if (!this.active) {
			return;
		}
		if (test.isTest()) {
			test.getTags().forEach((tag) -> this.counts.merge(tag.getName(), 1, Integer::sum));
		}
		else if (OutputOfFailedTests.isClass(test)) {
			write(test.getUniqueIdObject().getLastSegment().getValue());
		}
	}

	private void write(String type) {
		Path file = this.directory.resolve(type);
		try {
			if (this.counts.isEmpty()) {
				Files.deleteIfExists(file);
				return;
			}
			Files.createDirectories(this.directory);
			Files.writeString(file,
					this.counts.entrySet()
						.stream()
						.map((count) -> count.getKey() + " " + count.getValue())
						.collect(Collectors.joining("\n")));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			this.counts.clear();
		}
	}

}
