package io.distlock.benchmark.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Which state of the sources was measured. */
final class Commit {

	private Commit() {
	}

	/**
	 * Asks git in the working directory, from which the documentation has benchmarks
	 * started.
	 */
	static String current() {
		try {
			Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--exclude=*")
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
			return answer.isEmpty() ? "unknown" : answer;
		}
		catch (IOException ex) {
			return "unknown";
		}
	}

}
