package io.distlock.spring;

import java.io.IOException;

import io.distlock.test.redis.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class PostgresTransactionTests extends AbstractTransactionTests {

	private static EmbeddedPostgres server;

	@BeforeAll
	static void startServer() throws IOException {
		server = EmbeddedPostgres.builder().setPort(FreePort.find("127.0.0.1")).start();
	}

	@AfterAll
	static void stopServer() throws IOException {
		server.close();
	}

	@Override
	protected String url() {
		return server.getJdbcUrl("postgres", "postgres");
	}

}
