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

	private MariaDbServer(Path files, List<String> options) {
		super(files, List.of("mariadbd", "--no-defaults"), options);
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
		List<String> install = new ArrayList<>(List.of("mariadb-install-db", "--no-defaults"));
		install.addAll(SMALL);
		install.addAll(List.of("--datadir=" + files.resolve("data"), "--auth-root-authentication-method=normal"));
		ServerProcess.run(install);
		return new MariaDbServer(files, List.of(options));
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
		MariaDbServer standby = new MariaDbServer(copy, options());
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
