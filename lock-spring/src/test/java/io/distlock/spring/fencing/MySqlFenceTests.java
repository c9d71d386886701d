package io.distlock.spring.fencing;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.StaleFencingTokenException;
import io.distlock.databases.MySqlServer;
import io.distlock.databases.NeedsMySql;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@NeedsMySql
@Tag("ci")
class MySqlFenceTests extends AbstractMySqlFenceTests {

	private static MySqlServer server;

	@BeforeAll
	static void start() {
		server = MySqlServer.start("--transaction-isolation=READ-COMMITTED");
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Override
	protected DataSource dataSource() {
		return new DriverManagerDataSource(server.url());
	}

	/** The driver's other way of counting rows. */
	@Test
	void raiseWhenOnlyRowsThatChangeAreCountedThenTheSameTokenPassesAgain() {
		DataSource counting = new DriverManagerDataSource(server.url() + "&useAffectedRows=true");
		JdbcFence fence = new JdbcFence(new JdbcTemplate(counting));
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(counting));
		for (int i = 0; i < 3; i++) {
			transaction.executeWithoutResult((status) -> fence.raise("stock:counted", 17));
		}
		assertThatExceptionOfType(StaleFencingTokenException.class)
			.isThrownBy(() -> transaction.executeWithoutResult((status) -> fence.raise("stock:counted", 16)));
	}

}
