package io.distlock.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * A PostgreSQL server, of the binaries that the build brings along; the user is
 * {@code postgres} without a password.
 */
public final class PostgresServer extends RestartableServer {

	/**
	 * The server does not run as root; in a user namespace it does not see that it is.
	 */
	private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

	/** The immediate shutdown: no checkpoint, recovery at the next start. */
	private static final String KILL = "QUIT";

	/** The shutdown that does not wait for clients. */
	private static final String STOP = "INT";

	private static final int TRIES = 400;

	private PostgresServer(Path files, int port, List<String> settings) {
		super(files, port, KILL, command(files, port, settings));
	}

	/**
	 * Starts a server.
	 * @param settings of the server, such as {@code synchronous_commit=off}
	 * @return the running server
	 */
	public static PostgresServer start(String... settings) {
		return ServerProcess.startPersistently(() -> create(settings));
	}

	private static PostgresServer create(String... settings) {
		Path files = ServerProcess.newDirectory("postgres");
		ServerProcess.run(List.of("cp", "-a", Template.DATA.toString(), files.resolve("data").toString()));
		return new PostgresServer(files, ServerProcess.freePort(), List.of(settings));
	}

	@Override
	public PostgresServer startStandby() {
		Path copy = copy("postgres", STOP);
		try {
			Files.writeString(copy.resolve("data/standby.signal"), "");
			// In a file, so that ALTER SYSTEM can cut it off.
			Files.writeString(copy.resolve("data/postgresql.auto.conf"),
					"primary_conninfo = 'host=" + ServerProcess.HOST + " port=" + port() + " user=postgres'\n",
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new PostgresServer(copy, ServerProcess.freePort(), List.of());
	}

	private static List<String> command(Path files, int port, List<String> settings) {
		List<String> command = new ArrayList<>(ROOT ? List.of("unshare", "-U") : List.of());
		command.addAll(List.of(Template.BINARY, "-D", files.resolve("data").toString(), "-p", Integer.toString(port),
				"-h", ServerProcess.HOST, "-k", ""));
		for (String setting : settings) {
			command.addAll(List.of("-c", setting));
		}
		return command;
	}

	@Override
	void awaitRecovery() {
		for (int i = 0;; i++) {
			try (Connection connection = DriverManager.getConnection(url())) {
				return;
			}
			catch (SQLException ex) {
				if (i == TRIES) {
					throw new IllegalStateException("PostgreSQL does not recover", ex);
				}
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
			}
		}
	}

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
		return "jdbc:postgresql://" + ServerProcess.HOST + ":" + through + "/postgres?user=postgres";
	}

	@Override
	public boolean isFollowing() {
		return query(url(), "SELECT status FROM pg_stat_wal_receiver", "status").equals("streaming");
	}

	@Override
	public void cutOff() {
		execute(url(), "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
		for (int i = 0; isFollowing(); i++) {
			if (i == TRIES) {
				throw new IllegalStateException("The standby still follows");
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
		}
	}

	@Override
	public void promote() {
		execute(url(), "SELECT pg_promote()");
	}

	/** The binaries, unpacked once on a machine, and a fresh database to copy. */
	private static final class Template {

		private static final Path FILES = ServerProcess.newDirectory("postgres-template");

		private static final Path DATA = FILES.resolve("data");

		private static final String BINARY = create();

		private static String create() {
			try (EmbeddedPostgres once = EmbeddedPostgres.builder()
				.setDataDirectory(DATA)
				.setCleanDataDirectory(false)
				.start()) {
				Runtime.getRuntime().addShutdownHook(new Thread(Template::delete));
				return Files.readString(DATA.resolve("postmaster.opts")).split(" ")[0];
			}
			catch (IOException ex) {
				throw new UncheckedIOException("PostgreSQL cannot be started", ex);
			}
		}

		private static void delete() {
			ServerProcess.run(List.of("rm", "-rf", FILES.toString()));
		}

	}

}
