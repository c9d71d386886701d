package io.distlock.test.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of redis-server below a shell. The shell ends the server when this JVM has
 * ended, however it ended. The kernel then closes the shell's standard input.
 */
final class RedisProcess {

	/**
	 * Prints the server's pid, then lives exactly as long as the server. It sends CONT,
	 * because a paused server would not see TERM.
	 */
	private static final String WATCHDOG = """
			exec 3<&0
			log=$1; shift
			"$@" >>"$log" 2>&1 3<&- &
			server=$!
			echo $server
			trap 'kill $server' TERM
			( trap - TERM; read -r ignored <&3; kill $server; kill -CONT $server ) >/dev/null 2>&1 &
			watchdog=$!
			wait $server
			status=$?
			kill $watchdog 2>/dev/null
			exit $status
			""";

	private static final long STOP_SECONDS = 10;

	private final Process shell;

	private final long pid;

	private RedisProcess(Process shell, long pid) {
		this.shell = shell;
		this.pid = pid;
	}

	static RedisProcess launch(List<String> command, Path log) {
		List<String> line = new ArrayList<>(List.of("sh", "-c", WATCHDOG, "redis-watchdog", log.toString()));
		line.addAll(command);
		try {
			Process shell = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
			BufferedReader out = new BufferedReader(
					new InputStreamReader(shell.getInputStream(), StandardCharsets.US_ASCII));
			return new RedisProcess(shell, Long.parseLong(String.valueOf(out.readLine())));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot run a shell to start " + command.get(0), ex);
		}
	}

	long pid() {
		return this.pid;
	}

	boolean isAlive() {
		return this.shell.isAlive();
	}

	/** Asks the server to end, and forces it if it does not. */
	void stop() {
		closeInput();
		if (!awaitEnd()) {
			kill();
		}
	}

	void kill() {
		if (isAlive()) {
			ProcessHandle.of(this.pid).ifPresent(ProcessHandle::destroyForcibly);
		}
		awaitEnd();
		closeInput();
	}

	void signal(String name) {
		if (!isAlive()) {
			return;
		}
		try {
			Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + this.pid).inheritIO().start();
			kill.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot send " + name + " to redis-server " + this.pid, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean awaitEnd() {
		boolean interrupted = false;
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
		try {
			while (true) {
				try {
					return this.shell.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
				}
				catch (InterruptedException ex) {
					// Ending the server matters more than the interrupt. The caller sees
					// the flag.
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void closeInput() {
		try {
			this.shell.getOutputStream().close();
		}
		catch (IOException ex) {
			// The shell has already ended, which is the purpose of closing.
		}
	}

}
