package io.distlock.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * PgBouncer in transaction mode before a server. Needs {@code pgbouncer} on the PATH, see
 * {@link NeedsServer}.
 */
public final class PgBouncer implements AutoCloseable {

	private final ServerProcess process;

	private final int port;

	private PgBouncer(ServerProcess process, int port) {
		this.process = process;
		this.port = port;
	}

	/**
	 * Starts it.
	 * @param postgres the port of the server
	 * @return the running pooler
	 */
	public static PgBouncer start(int postgres) {
		return ServerProcess.startPersistently(() -> create(postgres));
	}

	private static PgBouncer create(int postgres) {
		Path files = ServerProcess.newDirectory("pgbouncer");
		int port = ServerProcess.freePort();
		try {
			Files.writeString(files.resolve("ini"), """
					[databases]
					postgres = host=127.0.0.1 port=%d user=postgres
					[pgbouncer]
					listen_addr = 127.0.0.1
					listen_port = %d
					unix_socket_dir =
					auth_type = any
					pool_mode = transaction
					default_pool_size = 4
					ignore_startup_parameters = extra_float_digits
					""".formatted(postgres, port));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		boolean root = "root".equals(System.getProperty("user.name"));
		List<String> command = root ? List.of("unshare", "-U", "pgbouncer", files.resolve("ini").toString())
				: List.of("pgbouncer", files.resolve("ini").toString());
		return new PgBouncer(ServerProcess.start(files, port, "KILL", command), port);
	}

	/**
	 * Returns the address as a URL of JDBC, without prepared statements on the server,
	 * which do not work in transaction mode.
	 */
	public String url() {
		return PostgresServer.url(this.port) + "&prepareThreshold=0";
	}

	@Override
	public void close() {
		this.process.close();
	}

}
