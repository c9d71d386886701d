package io.distlock.databases;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A MariaDB server with the durable settings that are its defaults; the user is
 * {@code root} without a password, the database {@code test}. Needs {@code mariadbd} on
 * the PATH, see {@link NeedsServer}.
 */
public final class MariaDbServer extends RestartableServer {

	/**
	 * The kernel's requests for asynchronous input and output are limited for the whole
	 * machine, whose other users may have taken them.
	 */
	private static final String OWN_THREADS_FOR_FILES = "--innodb-use-native-aio=0";

	private MariaDbServer(Path files, int port, List<String> command) {
		super(files, port, command);
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
		int port = ServerProcess.freePort();
		List<String> command = new ArrayList<>(List.of("mariadbd", "--no-defaults",
				"--user=" + System.getProperty("user.name"), "--datadir=" + files.resolve("data"),
				"--socket=" + files.resolve("socket"), "--pid-file=" + files.resolve("pid"), "--port=" + port,
				"--bind-address=" + ServerProcess.HOST, "--skip-name-resolve", "--innodb-log-file-size=8M",
				"--innodb-buffer-pool-size=32M", OWN_THREADS_FOR_FILES));
		command.addAll(List.of(options));
		return new MariaDbServer(files, port, command);
	}

	/**
	 * Returns the address.
	 * @param driver {@code mariadb} or {@code mysql}
	 * @return a URL of JDBC
	 */
	public String url(String driver) {
		return url(driver, port());
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

}
