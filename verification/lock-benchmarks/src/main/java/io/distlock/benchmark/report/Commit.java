package io.distlock.benchmark.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Which state of the sources was measured. */
final class Commit {

	/** Samples that an earlier step wrote, and pages, do not change what is measured. */
	private static final List<String> SOURCES = List.of(":/", ":(top,exclude)docs",
			":(top,exclude)verification/lock-benchmarks/results");

	private Commit() {
	}

	/**
	 * Asks git in the working directory, from which the documentation has benchmarks
	 * started.
	 */
	static String current() {
		String commit = git("rev-parse", "--short", "HEAD");
		if (commit.isEmpty()) {
			return "unknown";
		}
		List<String> changed = new ArrayList<>(List.of("diff", "--name-only", "HEAD", "--"));
		changed.addAll(SOURCES);
		return commit + (git(changed.toArray(String[]::new)).isEmpty() ? "" : ", changed");
	}

	private static String git(String... arguments) {
		List<String> command = new ArrayList<>(List.of("git"));
		command.addAll(List.of(arguments));
		try {
			Process git = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
			return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
		}
		catch (IOException ex) {
			return "";
		}
	}

}
