package io.distlock.migration;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.distlock.databases.PostgresServer;

class PostgresShedLockTableTests extends AbstractShedLockTableTests {

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
	DataSource database() {
		return new DriverManagerDataSource(server.url());
	}

	/** What ShedLock writes is the time of UTC, whatever the zone of the session. */
	@ParameterizedTest
	@ValueSource(strings = { "Asia/Tokyo", "America/New_York" })
	void bothExcludeEachOtherWhereColumnsHaveAZone(String zone) {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(server.url());
			pool.setConnectionInitSql("SET TIME ZONE '" + zone + "'");
			bothExcludeEachOther(pool, "TIMESTAMP WITH TIME ZONE");
		}
	}

}
