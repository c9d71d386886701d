package io.distlock.spring.fencing;

import java.io.IOException;
import javax.sql.DataSource;

import io.distlock.test.redis.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresFenceTests extends AbstractJdbcFenceTests {

	private static EmbeddedPostgres server;

	@BeforeAll
	static void start() throws IOException {
		server = EmbeddedPostgres.builder().setPort(FreePort.find("127.0.0.1")).start();
	}

	@AfterAll
	static void stop() throws IOException {
		server.close();
	}

	@Override
	protected DataSource dataSource() {
		return server.getPostgresDatabase();
	}

	@Override
	protected String script() {
		return "fence-postgresql.sql";
	}

}
