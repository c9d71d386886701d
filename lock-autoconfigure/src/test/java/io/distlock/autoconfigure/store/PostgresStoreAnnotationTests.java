package io.distlock.autoconfigure.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;

import io.distlock.test.redis.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.autoconfigure.LockApplications;

class PostgresStoreAnnotationTests extends AbstractStoreAnnotationTests {

	private final EmbeddedPostgres server = newServer();

	private static EmbeddedPostgres newServer() {
		try {
			return EmbeddedPostgres.builder().setPort(FreePort.find("127.0.0.1")).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	void stopServer() throws IOException {
		this.server.close();
	}

	@Override
	ConfigurableApplicationContext start() {
		return LockApplications.start(LockApplications.database(), Application.class,
				"spring.datasource.url=" + this.server.getJdbcUrl("postgres", "postgres"),
				"distributed-lock.store=jdbc", "distributed-lock.jdbc.initialize-schema=always",
				"distributed-lock.lease-time=15s", "distributed-lock.command-timeout=5s");
	}

	@Override
	void loseLocks() throws Exception {
		try (Connection connection = this.server.getPostgresDatabase().getConnection()) {
			connection.createStatement().execute("DELETE FROM distributed_lock");
		}
	}

}
