package io.distlock.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A real redis-server, run as a child process on a free port of the loopback interface.
 * The binary is the {@code redis-server} on the PATH, else the one packed in
 * {@code org.signal:embedded-redis}. It keeps nothing on disk, except with arguments such
 * as {@code --appendonly yes}. It ends with this JVM at the latest, even if the JVM is
 * killed.
 * <p>
 * All methods block until they are done, usually for some milliseconds. One thread at a
 * time should control a server.
 */
public final class RedisServer implements AutoCloseable {

	private static final String HOST = "127.0.0.1";

	private static final int PORT_ATTEMPTS = 20;

	private final List<String> arguments;

	private final List<String> sentinelConfiguration;

	private final boolean clusterNode;

	private final Path executable;

	private final Duration startTimeout;

	private final Path directory;

	private final Path log;

	private int port;

	private @Nullable RedisProcess process;

	private RedisServer(Builder builder) {
		this.arguments = List.copyOf(builder.arguments);
		this.sentinelConfiguration = builder.sentinelConfiguration;
		this.clusterNode = this.arguments.contains("--cluster-enabled");
		this.executable = RedisBinary.find();
		this.startTimeout = builder.startTimeout;
		this.port = builder.port;
		try {
			this.directory = Files.createTempDirectory("redis-data-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot create a temporary directory for Redis", ex);
		}
		this.log = this.directory.resolve("redis.log");
	}

	/**
	 * Starts a server with default settings.
	 * @return a server that answers
	 * @throws IllegalStateException if the server does not start; the message contains
	 * its log
	 */
	public static RedisServer start() {
		return builder().start();
	}

	/**
	 * Begins to describe a server.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the host on which the server listens.
	 * @return the host
	 */
	public String host() {
		return HOST;
	}

	/**
	 * Returns the port on which the server listens. It stays the same over restarts.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Returns whether the process runs, even if it is paused.
	 * @return whether there is a process
	 */
	public boolean isRunning() {
		RedisProcess current = this.process;
		return current != null && current.isAlive();
	}

	/**
	 * Returns the id of the server's process.
	 * @return its pid
	 * @throws IllegalStateException if the server does not run
	 */
	public long pid() {
		return running().pid();
	}

	/**
	 * Returns the file that is run, as it was found. A name on the PATH may be a symbolic
	 * link to a file of another name. The operating system reports the process under the
	 * name of that file. For example, the {@code redis-server} of Debian and Ubuntu is a
	 * link to {@code redis-check-rdb}.
	 * @return the path; links are not resolved
	 */
	public Path executable() {
		return this.executable;
	}

	/**
	 * Sends one command on a new connection.
	 * @param words the command and its arguments
	 * @return the answer as text, with each element of an array on a separate line
	 * @throws IllegalStateException if the answer is an error
	 * @throws UncheckedIOException if there is no answer within 5 s
	 */
	public String command(String... words) {
		try {
			return RedisConversation.ask(HOST, this.port, words);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("redis-server on port " + this.port + " did not answer", ex);
		}
	}

	/** Ends the server in good order. {@link #restart()} starts it again. */
	public void stop() {
		RedisProcess current = this.process;
		if (current != null) {
			current.stop();
		}
	}

	/** Ends the server at once, like {@code kill -9}. */
	public void kill() {
		RedisProcess current = this.process;
		if (current != null) {
			current.kill();
		}
	}

	/**
	 * Starts the server again on the same port and data. A running server is stopped
	 * first.
	 */
	public void restart() {
		stop();
		long deadline = System.nanoTime() + this.startTimeout.toNanos();
		// The port of a killed server may need a moment to become free.
		while (!launch()) {
			if (!portTaken() || System.nanoTime() - deadline > 0) {
				throw failure();
			}
		}
	}

	/** Freezes the process. Connections stay open, but the server does not answer. */
	public void pause() {
		running().signal("STOP");
	}

	/** Ends a {@link #pause()}. */
	public void resume() {
		running().signal("CONT");
	}

	/**
	 * Returns what the server has written to its log so far.
	 * @return the log
	 */
	public String log() {
		try {
			return Files.exists(this.log) ? Files.readString(this.log) : "";
		}
		catch (IOException ex) {
			return "(log not readable: " + ex.getMessage() + ")";
		}
	}

	/**
	 * Ends the server at once, even while it is paused or runs a script, and deletes its
	 * data.
	 */
	@Override
	public void close() {
		kill();
		try (Stream<Path> files = Files.walk(this.directory)) {
			files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
		}
		catch (IOException ex) {
			// Only temporary files are left behind.
		}
	}

	private void startOnFreePort() {
		boolean chosen = this.port == 0;
		for (int attempt = 1; attempt <= PORT_ATTEMPTS; attempt++) {
			if (chosen) {
				this.port = this.clusterNode ? FreePort.findWithBus(HOST) : FreePort.find(HOST);
			}
			if (launch()) {
				return;
			}
			// Another process may take the port before the server listens on it.
			if (!chosen || !portTaken()) {
				break;
			}
		}
		IllegalStateException failure = failure();
		close();
		throw failure;
	}

	private boolean launch() {
		int logged = log().length();
		RedisProcess started = RedisProcess.launch(command(), this.log);
		this.process = started;
		if (RedisPing.await(HOST, this.port, this.startTimeout, started::isAlive, () -> listensSince(logged))) {
			return true;
		}
		started.kill();
		return false;
	}

	private List<String> command() {
		List<String> command = new ArrayList<>();
		command.add(this.executable.toString());
		if (!this.sentinelConfiguration.isEmpty()) {
			command.addAll(List.of(sentinelFile().toString(), "--sentinel"));
		}
		command.addAll(List.of("--bind", HOST, "--port", String.valueOf(this.port)));
		command.addAll(List.of("--dir", this.directory.toString(), "--save", ""));
		command.addAll(this.arguments);
		return command;
	}

	/**
	 * Written only once, because a Sentinel keeps there what it learns, even over
	 * restarts.
	 */
	private Path sentinelFile() {
		Path file = this.directory.resolve("sentinel.conf");
		try {
			return Files.exists(file) ? file : Files.write(file, this.sentinelConfiguration);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write " + file, ex);
		}
	}

	/** Servers and Sentinels write these lines once they listen, before they answer. */
	private boolean listensSince(int logged) {
		String text = log().substring(logged);
		return text.contains("eady to accept connections") || text.contains("Sentinel ID is");
	}

	private boolean portTaken() {
		String text = log();
		// The words after this text differ between C libraries.
		return text.substring(Math.max(0, text.length() - 500)).contains("bind: Address");
	}

	private IllegalStateException failure() {
		return new IllegalStateException(
				"redis-server did not start on " + HOST + ":" + this.port + ". Its log:\n" + log());
	}

	private RedisProcess running() {
		RedisProcess current = this.process;
		if (current == null || !current.isAlive()) {
			throw new IllegalStateException("redis-server on port " + this.port + " does not run");
		}
		return current;
	}

	/**
	 * Returns no arguments for Redis 6.2, which does not know these settings and protects
	 * nothing.
	 */
	private static List<String> withoutProtection() {
		return (RedisBinary.majorVersion(RedisBinary.find()) < 7) ? List.of()
				: List.of("--enable-debug-command", "yes", "--enable-protected-configs", "yes");
	}

	/** Describes a server to start. */
	public static final class Builder {

		private final List<String> arguments = new ArrayList<>();

		private Duration startTimeout = Duration.ofSeconds(10);

		private List<String> sentinelConfiguration = List.of();

		private int port;

		private Builder() {
		}

		/**
		 * Adds arguments of redis-server, for instance
		 * {@code "--appendonly", "yes", "--appendfsync", "always"}.
		 * @param arguments options and their values
		 * @return this builder
		 */
		public Builder args(String... arguments) {
			this.arguments.addAll(List.of(arguments));
			return this;
		}

		/**
		 * Lets the server accept the command DEBUG and changes of protected settings.
		 * @return this builder
		 */
		public Builder unprotected() {
			this.arguments.addAll(withoutProtection());
			return this;
		}

		/** Makes the server a Sentinel with these lines of configuration. */
		Builder sentinel(List<String> lines) {
			this.sentinelConfiguration = lines;
			return this;
		}

		/**
		 * Asks for a fixed port.
		 * @param port the port; 0, the default, for any free port
		 * @return this builder
		 */
		public Builder port(int port) {
			this.port = port;
			return this;
		}

		/**
		 * Limits how long the server may take until it answers. The default is 10 s.
		 * @param timeout the limit
		 * @return this builder
		 */
		public Builder startTimeout(Duration timeout) {
			this.startTimeout = timeout;
			return this;
		}

		/**
		 * Starts the server.
		 * @return a server that answers
		 * @throws IllegalStateException if the server does not start; the message
		 * contains its log
		 */
		public RedisServer start() {
			RedisServer server = new RedisServer(this);
			server.startOnFreePort();
			return server;
		}

	}

}
