package io.distlock.autoconfigure;

import io.distlock.databases.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class PostgresLostUpdateTests extends AbstractLostUpdateTests {

	private static PostgresServer server;

	@BeforeAll
	static void startServer() {
		server = PostgresServer.start();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Override
	protected String url() {
		return server.url();
	}

}
