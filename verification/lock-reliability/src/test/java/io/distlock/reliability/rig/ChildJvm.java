package io.distlock.reliability.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own on this test's class path, at the mercy of signals. */
final class ChildJvm {

	private final Process process;

	private final Path output;

	private ChildJvm(Process process, Path output) {
		this.process = process;
		this.output = output;
	}

	static ChildJvm start(Path output, List<String> jvm, Class<?> main, String... arguments) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx128m"));
		command.addAll(jvm);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(List.of(arguments));
		try {
			return new ChildJvm(
					new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start(),
					output);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/** What {@code kill -9} does. Returns when the process is gone. */
	void kill() {
		this.process.destroyForcibly();
		awaitExit(Duration.ofSeconds(10));
	}

	/** Sends a signal and returns when the kernel has it. */
	void signal(String name) {
		try {
			Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + this.process.pid()).start();
			if (kill.waitFor() != 0) {
				throw new IllegalStateException("Cannot send " + name + " to " + this.process.pid());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	int awaitExit(Duration limit) {
		try {
			if (!this.process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
				throw new AssertionError("Still running after " + limit + ": " + output());
			}
			return this.process.exitValue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	String output() {
		try {
			String text = Files.readString(this.output);
			return text.substring(Math.max(0, text.length() - 4000));
		}
		catch (IOException ex) {
			return "(no output: " + ex.getMessage() + ")";
		}
	}

}
