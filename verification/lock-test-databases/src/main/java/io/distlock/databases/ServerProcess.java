package io.distlock.databases;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.distlock.test.redis.FreePort;

/**
 * One run of a server below a shell that ends it, and deletes its files, when this JVM is
 * gone, however it went: the kernel then closes the shell's standard input.
 */
final class ServerProcess {

	static final String HOST = "127.0.0.1";

	/**
	 * Prints the server's pid, then lives as long as the server. CONT, because a stopped
	 * server would not see the signal before. A server that was ended by {@link #stop}
	 * leaves its files, for another run. The shells ignore the signals that end a group
	 * of processes, but only when the server has started, which would inherit that.
	 */
	private static final String WATCHDOG = """
			exec 3<&0
			files=$1; end=$2; shift 2
			"$@" >>"$files/log" 2>&1 3<&- &
			server=$!
			trap '' HUP INT TERM
			echo $server
			( read -r ignored <&3; kill -$end $server; kill -CONT $server; sleep 0.1; kill -KILL $server; rm -rf "$files" ) >/dev/null 2>&1 &
			watchdog=$!
			wait $server
			status=$?
			exec 3<&-
			if [ -e "$files/keep" ]; then kill -KILL $watchdog; else wait $watchdog; fi
			exit $status
			""";

	private static final String DELETION = """
			trap '' HUP INT TERM
			read -r ignored
			rm -rf "$1"
			""";

	private static final Duration START = Duration.ofSeconds(60);

	private static final int ATTEMPTS = 3;

	private final Path files;

	private final Process shell;

	private final long pid;

	private ServerProcess(Path files, Process shell, long pid) {
		this.files = files;
		this.shell = shell;
		this.pid = pid;
	}

	/** Starts a server and returns when it accepts connections. */
	static ServerProcess start(Path files, int port, String endSignal, List<String> command) {
		List<String> line = new ArrayList<>(
				List.of("sh", "-c", WATCHDOG, "database-watchdog", files.toString(), endSignal));
		line.addAll(command);
		try {
			Files.deleteIfExists(files.resolve("keep"));
			Process shell = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
			BufferedReader out = new BufferedReader(
					new InputStreamReader(shell.getInputStream(), StandardCharsets.US_ASCII));
			ServerProcess started = new ServerProcess(files, shell, Long.parseLong(out.readLine()));
			started.awaitPort(port);
			return started;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot start " + command.get(0), ex);
		}
	}

	/** Runs a command to its end, which must be good. */
	static void run(List<String> command) {
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (process.waitFor() != 0) {
				throw new IllegalStateException(command + " failed: " + output);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot run " + command.get(0), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(command + " was interrupted", ex);
		}
	}

	static int freePort() {
		return FreePort.find(HOST);
	}

	/**
	 * Starts a server, again if it fails: one bad start, such as a port that another
	 * process took meanwhile, is not the concern of a test.
	 * @param starter starts a server with files and a port of its own
	 * @return what the starter returns
	 */
	static <T> T startPersistently(Supplier<T> starter) {
		for (int attempt = 1;; attempt++) {
			try {
				return starter.get();
			}
			catch (IllegalStateException | UncheckedIOException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
				System.getLogger(ServerProcess.class.getName())
					.log(System.Logger.Level.WARNING, "Start " + attempt + " of a server failed", ex);
			}
		}
	}

	static Path newDirectory(String name) {
		try {
			return Files.createTempDirectory("distlock-" + name + "-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No directory for " + name, ex);
		}
	}

	/** Deletes a directory when this JVM is gone, however it went. */
	static void deleteAfterThisJvm(Path directory) {
		try {
			new ProcessBuilder("sh", "-c", DELETION, "directory-watchdog", directory.toString())
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot watch " + directory, ex);
		}
	}

	private void awaitPort(int port) throws IOException {
		long end = System.nanoTime() + START.toNanos();
		while (!accepts(port)) {
			if (!this.shell.isAlive() || System.nanoTime() - end > 0) {
				String log = Files.exists(this.files.resolve("log")) ? Files.readString(this.files.resolve("log")) : "";
				close();
				throw new IllegalStateException("A server did not start: " + log);
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		}
	}

	private static boolean accepts(int port) {
		try (Socket socket = new Socket(HOST, port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	boolean isAlive() {
		return this.shell.isAlive();
	}

	/** Ends the server by a signal; its files stay. */
	void stop(String signal) {
		try {
			Files.writeString(this.files.resolve("keep"), "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		signal(signal);
		awaitEnd();
	}

	void signal(String name) {
		if (isAlive()) {
			run(List.of("sh", "-c", "kill -" + name + " " + this.pid));
		}
	}

	/** Signals the server and the processes that it has started. */
	void signalFamily(String name) {
		if (isAlive()) {
			run(List.of("sh", "-c", "kill -" + name + " " + this.pid + " $(pgrep -P " + this.pid + ") || true"));
		}
	}

	/** Stops the server and deletes its files. */
	void close() {
		try {
			this.shell.getOutputStream().close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		awaitEnd();
		if (Files.exists(this.files)) {
			run(List.of("rm", "-rf", this.files.toString()));
		}
	}

	private void awaitEnd() {
		try {
			if (!this.shell.waitFor(30, TimeUnit.SECONDS)) {
				throw new IllegalStateException("The server " + this.pid + " did not end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
