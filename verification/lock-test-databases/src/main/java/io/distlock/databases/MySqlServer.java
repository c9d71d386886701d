package io.distlock.databases;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A MySQL 8 server with the durable settings that are its defaults, of the binary that
 * the build brings along for Linux on amd64; the user is {@code root} without a password,
 * the database {@code test}. The binary needs libaio and libnuma, which
 * {@code mariadb-server-core} of Debian brings, see {@link NeedsServer}.
 */
public final class MySqlServer implements AutoCloseable {

	private static final String BINARY = "mysql-Linux-amd64.tar.gz";

	private final Path files;

	private final int port;

	private final List<String> options;

	private ServerProcess process;

	private MySqlServer(Path files, int port, List<String> options) {
		this.files = files;
		this.port = port;
		this.options = options;
		this.process = launch();
	}

	/**
	 * Starts a server.
	 * @param options further options of {@code mysqld}
	 * @return the running server
	 * @throws IllegalStateException if this is no machine for the binary
	 */
	public static MySqlServer start(String... options) {
		String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
		if (!machine.toLowerCase(Locale.ROOT).equals("linux amd64")) {
			throw new IllegalStateException("The server of MySQL is there for Linux on amd64 only, not for " + machine);
		}
		return ServerProcess.startPersistently(() -> create(options));
	}

	private static MySqlServer create(String... options) {
		Path files = ServerProcess.newDirectory("mysql");
		ServerProcess.run(List.of("cp", "-a", Template.FILES.resolve("data").toString(), files.toString()));
		return new MySqlServer(files, ServerProcess.freePort(), List.of(options));
	}

	private ServerProcess launch() {
		List<String> command = new ArrayList<>(Template.command(this.files));
		command.addAll(List.of("--socket=" + this.files.resolve("socket"), "--pid-file=" + this.files.resolve("pid"),
				"--port=" + this.port, "--bind-address=" + ServerProcess.HOST, "--skip-name-resolve", "--mysqlx=0",
				"--performance-schema=0"));
		command.addAll(this.options);
		return ServerProcess.start(this.files, this.port, "KILL", command);
	}

	/** Returns the address as a URL of JDBC, for Connector/J. */
	public String url() {
		return url(this.port);
	}

	/**
	 * Returns the address behind a proxy.
	 * @param through the port of the proxy
	 * @return a URL of JDBC
	 */
	public static String url(int through) {
		// Without TLS, as what it offers is too old for today's Java.
		return "jdbc:mysql://" + ServerProcess.HOST + ":" + through
				+ "/test?user=root&createDatabaseIfNotExist=true&sslMode=DISABLED&allowPublicKeyRetrieval=true";
	}

	/** Returns the port. */
	public int port() {
		return this.port;
	}

	/** Kills the process; what was committed is on the disk. */
	public void kill() {
		this.process.kill();
	}

	/** Starts the server again, with its data. */
	public void restart() {
		this.process = launch();
	}

	/**
	 * Sends a signal.
	 * @param name for instance {@code STOP}
	 */
	public void signal(String name) {
		this.process.signal(name);
	}

	@Override
	public void close() {
		this.process.close();
	}

	/** The binary, unpacked once per JVM, and an empty database to copy. */
	private static final class Template {

		/** Names are not resolved, so that of this machine means no user. */
		private static final String USERS = """
				CREATE USER root@'127.0.0.1' IDENTIFIED WITH mysql_native_password BY '';
				GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION;
				""";

		private static final Path FILES = create();

		private static Path create() {
			Path files = ServerProcess.newDirectory("mysql-template");
			Runtime.getRuntime()
				.addShutdownHook(new Thread(() -> ServerProcess.run(List.of("rm", "-rf", files.toString()))));
			try (InputStream binary = MySqlServer.class.getResourceAsStream("/" + BINARY)) {
				if (binary == null) {
					throw new IllegalStateException(BINARY + " is not on the class path");
				}
				Path archive = files.resolve(BINARY);
				Files.copy(binary, archive);
				ServerProcess.run(List.of("tar", "-xzf", archive.toString(), "-C", files.toString()));
				Files.writeString(files.resolve("users.sql"), USERS);
			}
			catch (IOException ex) {
				throw new UncheckedIOException("MySQL cannot be unpacked", ex);
			}
			List<String> initialize = new ArrayList<>(command(files, files));
			initialize.addAll(List.of("--initialize-insecure", "--init-file=" + files.resolve("users.sql")));
			ServerProcess.run(initialize);
			return files;
		}

		private static List<String> command(Path files) {
			return command(FILES, files);
		}

		private static List<String> command(Path binaries, Path files) {
			return List.of(binaries.resolve("bin/mysqld").toString(), "--no-defaults", "--basedir=" + binaries,
					"--datadir=" + files.resolve("data"), "--user=" + System.getProperty("user.name"),
					"--innodb-log-file-size=8M", "--innodb-buffer-pool-size=32M", "--innodb-use-native-aio=0",
					"--skip-log-bin");
		}

	}

}
