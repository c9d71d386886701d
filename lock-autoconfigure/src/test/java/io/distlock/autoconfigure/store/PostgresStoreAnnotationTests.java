package io.distlock.autoconfigure.store;

import java.sql.Connection;
import java.sql.DriverManager;

import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.autoconfigure.LockApplications;
import io.distlock.databases.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class PostgresStoreAnnotationTests extends AbstractStoreAnnotationTests {

	private final PostgresServer server = PostgresServer.start();

	@Override
	void stopServer() {
		this.server.close();
	}

	@Override
	ConfigurableApplicationContext start() {
		return LockApplications.start(LockApplications.database(), Application.class,
				"spring.datasource.url=" + this.server.url(), "distributed-lock.store=jdbc",
				"distributed-lock.jdbc.initialize-schema=always", "distributed-lock.lease-time=15s",
				"distributed-lock.command-timeout=5s");
	}

	@Override
	void loseLocks() throws Exception {
		try (Connection connection = DriverManager.getConnection(this.server.url())) {
			connection.createStatement().execute("DELETE FROM distributed_lock");
		}
	}

}
