package io.distlock.test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * A second JVM on the class path of this one, for tests that have to lose a process. Its
 * output and error output are kept, not printed. Several threads may use it at the same
 * time.
 */
public final class ChildJvm implements AutoCloseable {

	private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

	private final Process process;

	private final Queue<String> lines = new ConcurrentLinkedQueue<>();

	private final Thread reader;

	private ChildJvm(Process process) {
		this.process = process;
		this.reader = new Thread(this::read, "output of " + process.pid());
		this.reader.setDaemon(true);
		this.reader.start();
	}

	/**
	 * Begins to describe a JVM that runs a {@code main} method.
	 * @param main the class that has the method
	 * @return a builder
	 */
	public static Builder of(Class<?> main) {
		return new Builder(main);
	}

	private void read() {
		try (BufferedReader out = this.process.inputReader()) {
			for (String line = out.readLine(); line != null; line = out.readLine()) {
				this.lines.add(line);
			}
		}
		catch (IOException ex) {
			// The process was killed while it wrote a line.
		}
	}

	/**
	 * Returns the process.
	 * @return the handle
	 */
	public ProcessHandle handle() {
		return this.process.toHandle();
	}

	/**
	 * Returns whether the process exists. A process that a signal has stopped exists too.
	 * @return whether there is a process
	 */
	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Returns what the process has printed so far.
	 * @return a copy of the lines
	 */
	public List<String> lines() {
		return List.copyOf(this.lines);
	}

	/**
	 * Returns whether the process has printed a line with this text.
	 * @param text a part of the line
	 * @return whether there is such a line
	 */
	public boolean printed(String text) {
		return this.lines.stream().anyMatch((line) -> line.contains(text));
	}

	/**
	 * Returns the end of what the process has printed so far, for the message of a
	 * failure.
	 * @return at most 4,000 characters
	 */
	public String output() {
		String text = String.join("\n", this.lines);
		return text.substring(Math.max(0, text.length() - 4000));
	}

	/** Asks the process to end, like {@code kill}, and does not wait. */
	public void terminate() {
		this.process.destroy();
	}

	/**
	 * Ends the process at once, like {@code kill -9}, and waits until it is gone.
	 */
	public void kill() {
		this.process.destroyForcibly();
		awaitExit(KILL_LIMIT);
	}

	/**
	 * Sends a signal and returns when the kernel has received it.
	 * @param name the name of the signal, such as {@code STOP}
	 * @throws IllegalStateException if there is no such process
	 */
	public void signal(String name) {
		try {
			Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + this.process.pid()).start();
			if (kill.waitFor() != 0) {
				throw new IllegalStateException("Cannot send " + name + " to " + this.process.pid());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot run a shell", ex);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	/**
	 * Waits until the process has ended and all of its output is read.
	 * @param limit how long to wait
	 * @return the exit value
	 * @throws AssertionError if the process does not end in time; the message contains
	 * its output
	 */
	public int awaitExit(Duration limit) {
		try {
			if (!this.process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
				throw new AssertionError("Still running after " + limit + ":\n" + output());
			}
			// A process that outlives this one may keep the output open.
			this.reader.join(limit.toMillis());
			return this.process.exitValue();
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	private static IllegalStateException interrupted(InterruptedException ex) {
		Thread.currentThread().interrupt();
		return new IllegalStateException("Interrupted while waiting for a process", ex);
	}

	/** Kills the process if it still runs. */
	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	/** Describes a JVM to start. */
	public static final class Builder {

		private final Class<?> main;

		/** These options shorten the start of a JVM that lives only for a few seconds. */
		private final List<String> options = new ArrayList<>(
				List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));

		private final List<String> arguments = new ArrayList<>();

		private final Map<String, String> environment = new HashMap<>();

		private String classPath = System.getProperty("java.class.path");

		private Builder(Class<?> main) {
			this.main = main;
		}

		/**
		 * Adds options of the JVM.
		 * @param options the options for {@code java}
		 * @return this builder
		 */
		public Builder options(List<String> options) {
			this.options.addAll(options);
			return this;
		}

		/**
		 * Replaces the class path, which is the one of this JVM by default.
		 * @param classPath the entries
		 * @return this builder
		 */
		public Builder classPath(String classPath) {
			this.classPath = classPath;
			return this;
		}

		/**
		 * Sets an environment variable. All other variables are those of this JVM.
		 * @param name the name
		 * @param value the value
		 * @return this builder
		 */
		public Builder environment(String name, String value) {
			this.environment.put(name, value);
			return this;
		}

		/**
		 * Adds arguments of the {@code main} method.
		 * @param arguments the arguments
		 * @return this builder
		 */
		public Builder args(String... arguments) {
			this.arguments.addAll(List.of(arguments));
			return this;
		}

		/**
		 * Starts the JVM and does not wait for it.
		 * @return the running process
		 */
		public ChildJvm start() {
			List<String> command = new ArrayList<>();
			command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
			command.addAll(this.options);
			command.addAll(List.of("-cp", this.classPath, this.main.getName()));
			command.addAll(this.arguments);
			ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
			builder.environment().putAll(this.environment);
			try {
				return new ChildJvm(builder.start());
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Cannot start " + command.get(0), ex);
			}
		}

	}

}
