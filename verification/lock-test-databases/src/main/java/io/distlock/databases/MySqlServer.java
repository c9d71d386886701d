package io.distlock.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A MySQL 8 server with the durable settings that are its defaults, of the binary that
 * the build brings along for Linux on amd64; the user is {@code root} without a password,
 * the database {@code test}. The binary needs libaio and libnuma of the system, see
 * {@link NeedsMySql}.
 */
public final class MySqlServer extends ReplayingServer {

	private MySqlServer(Path files, List<String> options) {
		super(files, program("--mysqlx=0", "--performance-schema=0"), options);
	}

	/**
	 * Starts a server.
	 * @param options further options of {@code mysqld}
	 * @return the running server
	 * @throws IllegalStateException if the binary does not run here, see
	 * {@link NeedsMySql}
	 */
	public static MySqlServer start(String... options) {
		MySqlBinary.get().command();
		return ServerProcess.startPersistently(() -> create(options));
	}

	private static MySqlServer create(String... options) {
		Path data = Template.data();
		Path files = ServerProcess.newDirectory("mysql");
		ServerProcess.run(List.of("cp", "-a", data.toString(), files.toString()));
		return new MySqlServer(files, List.of(options));
	}

	/**
	 * Starts a server that can have a standby.
	 * @return the running server
	 */
	public static MySqlServer startReplicated() {
		return start("--log-bin=changes", "--gtid-mode=ON", "--enforce-gtid-consistency=ON");
	}

	/** Both know the same transactions, by their global identifiers. */
	@Override
	public MySqlServer startStandby() {
		Path copy = copy("mysql");
		// It has the identifier of the server.
		ServerProcess.run(List.of("rm", "-f", copy.resolve("data/auto.cnf").toString()));
		MySqlServer standby = new MySqlServer(copy, options());
		follow(standby, "MASTER_AUTO_POSITION = 1");
		return standby;
	}

	@Override
	String operator() {
		return "jdbc:mysql://" + ServerProcess.HOST + ":" + port()
				+ "/mysql?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true";
	}

	private static List<String> program(String... options) {
		List<String> program = new ArrayList<>(MySqlBinary.get().command());
		program.addAll(List.of("--basedir=" + MySqlBinary.get().files(), "--skip-log-bin"));
		program.addAll(List.of(options));
		return program;
	}

	/** For Connector/J. */
	@Override
	public String url() {
		return url(port());
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

	/** An empty database to copy. */
	private static final class Template {

		/** Names are not resolved, so that of this machine means no user. */
		private static final String USERS = """
				CREATE USER root@'127.0.0.1' IDENTIFIED WITH mysql_native_password BY '';
				GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION;
				""";

		/**
		 * Complete only under its final name; a failed attempt leaves the next one free.
		 */
		private static synchronized Path data() {
			Path files = MySqlBinary.get().files();
			Path complete = files.resolve("complete");
			if (Files.exists(complete)) {
				return complete.resolve("data");
			}
			try {
				Path attempt = Files.createTempDirectory(files, "attempt-");
				Path users = Files.writeString(attempt.resolve("users.sql"), USERS);
				List<String> initialize = program("--datadir=" + attempt.resolve("data"), "--initialize-insecure",
						"--init-file=" + users);
				initialize.addAll(SMALL);
				ServerProcess.run(initialize);
				Files.move(attempt, complete);
			}
			catch (IOException ex) {
				throw new UncheckedIOException("MySQL cannot be initialized", ex);
			}
			return complete.resolve("data");
		}

	}

}
