package io.distlock.reliability.database;

import java.util.function.Consumer;

import io.distlock.databases.MariaDbServer;
import io.distlock.databases.MySqlServer;
import io.distlock.databases.PostgresServer;

/**
 * A server of any kind, and what can be done to it.
 *
 * @param url its address
 * @param signal sends a signal to it
 * @param kill kills it
 * @param restart starts it again
 * @param stop ends it
 */
record Database(String url, Consumer<String> signal, Runnable kill, Runnable restart,
		Runnable stop) implements AutoCloseable {

	/** The servers that tests start. */
	enum Kind {

		POSTGRESQL, MARIADB, MYSQL;

		Database start() {
			return switch (this) {
				case POSTGRESQL -> {
					PostgresServer server = PostgresServer.start();
					yield new Database(server.url(), server::signal, server::kill, server::restart, server::close);
				}
				case MARIADB -> {
					MariaDbServer server = MariaDbServer.start();
					yield new Database(server.url("mariadb"), server::signal, server::kill, server::restart,
							server::close);
				}
				case MYSQL -> {
					MySqlServer server = MySqlServer.start();
					yield new Database(server.url(), server::signal, server::kill, server::restart, server::close);
				}
			};
		}

	}

	@Override
	public void close() {
		this.stop.run();
	}

}
