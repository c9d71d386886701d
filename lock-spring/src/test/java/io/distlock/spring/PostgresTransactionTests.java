package io.distlock.spring;

import io.distlock.databases.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class PostgresTransactionTests extends AbstractTransactionTests {

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
