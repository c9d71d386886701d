package io.distlock.lab.jvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM on the class path of this one that never outlives it. A shell waits beside the
 * process: when this JVM is gone, even by {@code kill -9}, the kernel closes the shell's
 * standard input and the shell kills the process, also one that is frozen.
 */
public final class NodeJvm implements AutoCloseable {

	/**
	 * Prints the pid, then lives exactly as long as the process. Ctrl-C is for the main
	 * process, which ends the others.
	 */
	private static final String WATCHDOG = """
			trap '' INT
			exec 3<&0
			"$@" </dev/null 2>&1 3<&- &
			node=$!
			echo $node
			( read -r ignored <&3; kill -9 $node ) >/dev/null 2>&1 &
			watchdog=$!
			wait $node
			status=$?
			kill $watchdog 2>/dev/null
			exit $status
			""";

	private static final long END_SECONDS = 10;

	private final String name;

	private final Process shell;

	private final ProcessHandle process;

	private NodeJvm(String name, Process shell, long pid, BufferedReader out, Consumer<String> lines) {
		this.name = name;
		this.shell = shell;
		this.process = ProcessHandle.of(pid)
			.orElseThrow(() -> new IllegalStateException("Process of " + name + " ended at once"));
		Thread reader = new Thread(() -> read(out, lines), "output of " + name);
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Starts a JVM and does not wait until it is ready.
	 * @param application the class with the {@code main} method
	 * @param name what messages call the process
	 * @param megabytes largest size of the heap
	 * @param args arguments of the {@code main} method
	 * @param environment variables to add, the place for secrets
	 * @param lines receives the lines that the process prints, on a thread of this object
	 * @return the running process
	 */
	public static NodeJvm start(Class<?> application, String name, int megabytes, List<String> args,
			Map<String, String> environment, Consumer<String> lines) {
		List<String> command = new ArrayList<>(List.of("sh", "-c", WATCHDOG, "node-watchdog"));
		command.addAll(JavaCommand.of(application,
				List.of("-Xms16m", "-Xmx" + megabytes + "m", "-Djava.awt.headless=true"), args));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment().putAll(environment);
		try {
			Process shell = builder.start();
			BufferedReader out = shell.inputReader();
			return new NodeJvm(name, shell, Long.parseLong(String.valueOf(out.readLine())), out, lines);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot run a shell to start " + name, ex);
		}
	}

	private static void read(BufferedReader out, Consumer<String> lines) {
		try (out) {
			for (String line = out.readLine(); line != null; line = out.readLine()) {
				lines.accept(line);
			}
		}
		catch (IOException ex) {
			// The process was killed in the middle of a line.
		}
	}

	/**
	 * Names the process.
	 * @return its pid
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Says whether the process exists, even if frozen.
	 * @return whether it does
	 */
	public boolean isAlive() {
		return this.shell.isAlive();
	}

	/**
	 * Waits until the process is gone.
	 * @throws InterruptedException if the thread was interrupted
	 */
	public void awaitEnd() throws InterruptedException {
		this.shell.waitFor();
	}

	/** Ends the process at once, like {@code kill -9}, and waits until it is gone. */
	public void kill() {
		this.process.destroyForcibly();
		try {
			this.shell.waitFor(END_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Stops the process where it is; its connections stay open. */
	public void freeze() {
		signal("STOP");
	}

	/** Ends a {@link #freeze()}. */
	public void thaw() {
		signal("CONT");
	}

	private void signal(String signal) {
		if (!isAlive()) {
			return;
		}
		try {
			int status = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid()).redirectErrorStream(true)
				.start()
				.waitFor();
			if (status != 0 && isAlive()) {
				throw new IllegalStateException("Signal " + signal + " could not be sent to " + this.name);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot run a shell to send " + signal + " to " + this.name, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Ends the process at once; does not wait. */
	@Override
	public void close() {
		try {
			this.shell.getOutputStream().close();
		}
		catch (IOException ex) {
			// The shell is gone already, which is what closing is for.
		}
	}

}
