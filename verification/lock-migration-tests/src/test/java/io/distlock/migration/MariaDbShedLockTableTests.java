package io.distlock.migration;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.distlock.databases.MariaDbServer;
import io.distlock.databases.NeedsMariaDb;

@NeedsMariaDb
class MariaDbShedLockTableTests extends AbstractShedLockTableTests {

	private static MariaDbServer server;

	@BeforeAll
	static void start() {
		server = MariaDbServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Override
	DataSource database() {
		return new DriverManagerDataSource(server.url());
	}

}
