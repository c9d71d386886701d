package io.distlock.migration;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.distlock.databases.PostgresServer;

class PostgresShedLockTableTests extends AbstractShedLockTableTests {

	PostgresShedLockTableTests() {
		super(PostgresServer.start());
	}

	/** ShedLock writes the time of UTC in every session. */
	@ParameterizedTest
	@ValueSource(strings = { "Asia/Tokyo", "America/New_York" })
	void bothExcludeEachOtherWhereColumnsHaveAZone(String zone) {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(this.server.url());
			pool.setConnectionInitSql("SET TIME ZONE '" + zone + "'");
			bothExcludeEachOther(pool, "TIMESTAMP WITH TIME ZONE");
		}
	}

}
