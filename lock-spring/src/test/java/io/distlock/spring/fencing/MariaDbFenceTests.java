package io.distlock.spring.fencing;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.distlock.databases.MariaDbServer;
import io.distlock.databases.NeedsMariaDb;
import org.junit.jupiter.api.Tag;

@NeedsMariaDb
@Tag("ci")
class MariaDbFenceTests extends AbstractMySqlFenceTests {

	private static MariaDbServer server;

	@BeforeAll
	static void start() {
		server = MariaDbServer.start("--transaction-isolation=READ-COMMITTED");
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Override
	protected DataSource dataSource() {
		return new DriverManagerDataSource(server.url("mariadb"));
	}

}
