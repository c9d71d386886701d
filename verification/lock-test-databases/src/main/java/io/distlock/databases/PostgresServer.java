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
public final class PostgresServer implements ReplicatedServer {

	/**
	 * The server does not run as root; in a user namespace it does not see that it is.
	 */
	private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

	private static final int TRIES = 400;

	private final Path files;

	private final int port;

	private final List<String> options;

	private ServerProcess process;

	private PostgresServer(Path files, int port, List<String> options) {
		this.files = files;
		this.port = port;
		this.options = options;
		this.process = launch();
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
		Path copy = ServerProcess.newDirectory("postgres");
		this.process.stop("INT");
		ServerProcess.run(List.of("cp", "-a", this.files.resolve("data").toString(), copy.resolve("data").toString()));
		restart();
		try {
			Files.writeString(copy.resolve("data/standby.signal"), "");
			// In a file, so that ALTER SYSTEM can cut it off.
			Files.writeString(copy.resolve("data/postgresql.auto.conf"),
					"primary_conninfo = 'host=" + ServerProcess.HOST + " port=" + this.port + " user=postgres'\n",
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new PostgresServer(copy, ServerProcess.freePort(), List.of());
	}

	private ServerProcess launch() {
		List<String> command = new ArrayList<>(ROOT ? List.of("unshare", "-U") : List.of());
		command.addAll(List.of(Template.BINARY, "-D", this.files.resolve("data").toString(), "-p",
				Integer.toString(this.port), "-h", ServerProcess.HOST, "-k", ""));
		for (String option : this.options) {
			command.addAll(List.of("-c", option));
		}
		ServerProcess started = ServerProcess.start(this.files, this.port, "QUIT", command);
		awaitConnection();
		return started;
	}

	/** The server accepts connections before it has recovered. */
	private void awaitConnection() {
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
		return url(this.port);
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
	public int port() {
		return this.port;
	}

	@Override
	public void kill() {
		// The immediate shutdown: no checkpoint, recovery at the next start.
		this.process.stop("QUIT");
	}

	/** Starts the server again, with its data. */
	public void restart() {
		this.process = launch();
	}

	@Override
	public boolean isFollowing() {
		return RestartableServer.query(url(), "SELECT status FROM pg_stat_wal_receiver", "status").equals("streaming");
	}

	@Override
	public void cutOff() {
		RestartableServer.execute(url(), "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
		for (int i = 0; isFollowing(); i++) {
			if (i == TRIES) {
				throw new IllegalStateException("The standby still follows");
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
		}
	}

	@Override
	public void promote() {
		RestartableServer.execute(url(), "SELECT pg_promote()");
	}

	/**
	 * Sends a signal to the server and all its backends.
	 * @param name for instance {@code STOP}
	 */
	public void signal(String name) {
		this.process.signalFamily(name);
	}

	@Override
	public void close() {
		this.process.close();
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
