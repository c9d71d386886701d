package io.distlock.lab.fencing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.distlock.lab.jvm.JavaCommand;

/** A JVM that executes commands, line by line, and prints what it does. */
final class NodeProcess implements AutoCloseable {

	/** For the demo and not for those who watch it. */
	private static final Set<String> SIGNALS = Set.of(FencingNode.READY, FencingNode.DONE);

	private final String name;

	private final Process process;

	private final PrintStream out;

	private final List<String> lines = new ArrayList<>();

	private NodeProcess(String name, Process process, PrintStream out) {
		this.name = name;
		this.process = process;
		this.out = out;
		Thread reader = new Thread(this::read, "output of " + name);
		reader.setDaemon(true);
		reader.start();
		// Who is frozen does not see that this process ends.
		Runtime.getRuntime().addShutdownHook(new Thread(this::close));
	}

	static NodeProcess start(Class<?> application, PrintStream out, String name, String... properties)
			throws IOException {
		List<String> args = new ArrayList<>(
				List.of("--demo=fencing-node", "--spring.application.name=" + name, "--distributed-lock.store=redis"));
		args.addAll(List.of(properties));
		List<String> command = JavaCommand.of(application, List.of(), args);
		return new NodeProcess(name, new ProcessBuilder(command).redirectErrorStream(true).start(), out);
	}

	private void read() {
		try (BufferedReader reader = this.process.inputReader()) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				add(line);
			}
		}
		catch (IOException ex) {
			// The process ended in the middle of a line.
		}
	}

	private synchronized void add(String line) {
		this.lines.add(line);
		if (!SIGNALS.contains(line)) {
			this.out.println("  " + this.name + ": " + line);
		}
		notifyAll();
	}

	synchronized boolean said(String text) {
		return this.lines.stream().anyMatch((line) -> line.contains(text));
	}

	synchronized void await(String text, Duration limit) throws InterruptedException {
		long deadline = System.nanoTime() + limit.toNanos();
		while (!said(text)) {
			long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
			if (left <= 0 || !this.process.isAlive()) {
				throw new IllegalStateException("Process %s %s and did not say '%s', but %s".formatted(this.name,
						this.process.isAlive() ? "runs" : "ended", text, this.lines));
			}
			wait(Math.min(left, 100));
		}
	}

	void say(String line) {
		try {
			this.process.outputWriter().write(line + "\n");
			this.process.outputWriter().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void freeze() throws IOException, InterruptedException {
		signal("STOP");
	}

	void wake() throws IOException, InterruptedException {
		signal("CONT");
	}

	private void signal(String signal) throws IOException, InterruptedException {
		int status = new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid())).start().waitFor();
		if (status != 0) {
			throw new IOException("Signal " + signal + " could not be sent to process " + this.process.pid());
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
