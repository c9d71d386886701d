package io.distlock.sample.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A JVM of its own on this test's class path. What it prints is kept. */
public final class ChildJvm implements AutoCloseable {

	private final Process process;

	private final Queue<String> lines = new ConcurrentLinkedQueue<>();

	private final Thread reader;

	private ChildJvm(Process process) {
		this.process = process;
		this.reader = new Thread(this::read, "output of " + process.pid());
		this.reader.start();
	}

	public static ChildJvm start(Class<?> main, String... args) {
		return start(List.of(), main, args);
	}

	public static ChildJvm start(List<String> options, Class<?> main, String... args) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-Xshare:auto", "-cp", System.getProperty("java.class.path")));
		command.addAll(options);
		command.add(main.getName());
		command.addAll(List.of(args));
		try {
			return new ChildJvm(new ProcessBuilder(command).redirectErrorStream(true).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void read() {
		try (BufferedReader out = this.process.inputReader()) {
			for (String line = out.readLine(); line != null; line = out.readLine()) {
				this.lines.add(line);
			}
		}
		catch (IOException ex) {
			// The process was killed in the middle of a line.
		}
	}

	public ProcessHandle handle() {
		return this.process.toHandle();
	}

	public List<String> lines() {
		return List.copyOf(this.lines);
	}

	public boolean printed(String text) {
		return this.lines.stream().anyMatch((line) -> line.contains(text));
	}

	/** What {@code kill -9} does. */
	public void kill() {
		this.process.destroyForcibly();
	}

	/** What {@code kill} does. */
	public void terminate() {
		this.process.destroy();
	}

	public int awaitExit(Duration limit) throws InterruptedException {
		if (!this.process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
			throw new AssertionError("Still running after " + limit + ": " + lines());
		}
		this.reader.join();
		return this.process.exitValue();
	}

	@Override
	public void close() {
		kill();
	}

}
