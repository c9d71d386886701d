package io.distlock.migration;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.distlock.databases.MySqlServer;
import io.distlock.databases.NeedsMySql;

@NeedsMySql
class MySqlShedLockTableTests extends AbstractShedLockTableTests {

	private static MySqlServer server;

	@BeforeAll
	static void start() {
		server = MySqlServer.start();
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
