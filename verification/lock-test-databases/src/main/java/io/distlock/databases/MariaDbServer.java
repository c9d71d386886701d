package io.distlock.databases;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A MariaDB server with the durable settings that are its defaults; the user is
 * {@code root} without a password, the database {@code test}. Needs {@code mariadbd} on
 * the PATH, see {@link NeedsServer}.
 */
public final class MariaDbServer implements AutoCloseable {

	/**
	 * The kernel's requests for asynchronous input and output are limited for the whole
	 * machine, whose other users may have taken them.
	 */
	private static final String OWN_THREADS_FOR_FILES = "--innodb-use-native-aio=0";

	private final Path files;

	private final int port;

	private final List<String> options;

	private ServerProcess process;

	private MariaDbServer(Path files, int port, List<String> options) {
		this.files = files;
		this.port = port;
		this.options = options;
		this.process = launch();
	}

	/**
	 * Starts a server.
	 * @param options further options of {@code mariadbd}
	 * @return the running server
	 */
	public static MariaDbServer start(String... options) {
		return ServerProcess.startPersistently(() -> create(options));
	}

	private static MariaDbServer create(String... options) {
		Path files = ServerProcess.newDirectory("mariadb");
		ServerProcess.run(List.of("mariadb-install-db", "--no-defaults", "--user=" + System.getProperty("user.name"),
				"--datadir=" + files.resolve("data"), "--auth-root-authentication-method=normal", "--skip-name-resolve",
				"--innodb-log-file-size=8M", OWN_THREADS_FOR_FILES));
		return new MariaDbServer(files, ServerProcess.freePort(), List.of(options));
	}

	private ServerProcess launch() {
		List<String> command = new ArrayList<>(List.of("mariadbd", "--no-defaults",
				"--user=" + System.getProperty("user.name"), "--datadir=" + this.files.resolve("data"),
				"--socket=" + this.files.resolve("socket"), "--pid-file=" + this.files.resolve("pid"),
				"--port=" + this.port, "--bind-address=" + ServerProcess.HOST, "--skip-name-resolve",
				"--innodb-log-file-size=8M", "--innodb-buffer-pool-size=32M", OWN_THREADS_FOR_FILES));
		command.addAll(this.options);
		return ServerProcess.start(this.files, this.port, "KILL", command);
	}

	/**
	 * Returns the address.
	 * @param driver {@code mariadb} or {@code mysql}
	 * @return a URL of JDBC
	 */
	public String url(String driver) {
		return url(driver, this.port);
	}

	/**
	 * Returns the address behind a proxy.
	 * @param driver {@code mariadb} or {@code mysql}
	 * @param through the port of the proxy
	 * @return a URL of JDBC
	 */
	public static String url(String driver, int through) {
		return "jdbc:" + driver + "://" + ServerProcess.HOST + ":" + through
				+ "/test?user=root&createDatabaseIfNotExist=true";
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

}
