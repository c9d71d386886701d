package io.distlock.spring.fencing;

import javax.sql.DataSource;

import io.distlock.databases.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

class PostgresFenceTests extends AbstractJdbcFenceTests {

	private static PostgresServer server;

	@BeforeAll
	static void start() {
		server = PostgresServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Override
	protected DataSource dataSource() {
		return new DriverManagerDataSource(server.url());
	}

	@Override
	protected String script() {
		return "fence-postgresql.sql";
	}

}
