package io.distlock.databases;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A MariaDB server with the durable settings that are its defaults; the user is
 * {@code root} without a password, the database {@code test}. Its commands must be on the
 * PATH, see {@link NeedsMariaDb}.
 */
public final class MariaDbServer extends ReplayingServer {

	/**
	 * The kernel's requests for asynchronous input and output are limited for the whole
	 * machine, whose other users may have taken them.
	 */
	private static final String OWN_THREADS_FOR_FILES = "--innodb-use-native-aio=0";

	private final List<String> options;

	private MariaDbServer(Path files, int port, List<String> options) {
		super(files, port, command(files, port, options));
		this.options = options;
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

	private static List<String> command(Path files, int port, List<String> options) {
		List<String> command = new ArrayList<>(List.of("mariadbd", "--no-defaults",
				"--user=" + System.getProperty("user.name"), "--datadir=" + files.resolve("data"),
				"--socket=" + files.resolve("socket"), "--pid-file=" + files.resolve("pid"), "--port=" + port,
				"--bind-address=" + ServerProcess.HOST, "--skip-name-resolve", "--innodb-log-file-size=8M",
				"--innodb-buffer-pool-size=32M", OWN_THREADS_FOR_FILES, "--server-id=" + port));
		command.addAll(options);
		return command;
	}

	/**
	 * Starts a server that can have a standby.
	 * @return the running server
	 */
	public static MariaDbServer startReplicated() {
		return start("--log-bin=changes", "--log-slave-updates");
	}

	/** Both know the same transactions, by their global identifiers. */
	@Override
	public MariaDbServer startStandby() {
		Path copy = copy("mariadb");
		MariaDbServer standby = new MariaDbServer(copy, ServerProcess.freePort(), this.options);
		execute(standby.operator(), "SET GLOBAL gtid_slave_pos = @@gtid_binlog_pos");
		follow(standby, "MASTER_USE_GTID = slave_pos");
		return standby;
	}

	@Override
	String operator() {
		return "jdbc:mariadb://" + ServerProcess.HOST + ":" + port() + "/mysql?user=root";
	}

	@Override
	public String url() {
		return url("mariadb");
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
