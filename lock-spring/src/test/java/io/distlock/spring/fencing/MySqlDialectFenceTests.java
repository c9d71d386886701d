package io.distlock.spring.fencing;

import java.util.UUID;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.StaleFencingTokenException;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The statements as MySQL writes them; its locks are not those of H2. */
class MySqlDialectFenceTests extends AbstractJdbcFenceTests {

	@Override
	protected DataSource dataSource() {
		return new DriverManagerDataSource("jdbc:h2:mem:fence-mysql;MODE=MySQL;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
	}

	@Override
	protected String script() {
		return "fence-mysql.sql";
	}

	/** As MySQL's driver counts with {@code useAffectedRows=true}. */
	@Test
	void raiseWhenOnlyRowsThatChangeAreCountedThenTheSameTokenPassesAgain() {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource()) {

			@Override
			public int update(String sql, @Nullable Object... arguments) {
				return super.update(sql.replace("token <= ?", "token < ?"), arguments);
			}

		};
		JdbcFence changes = new JdbcFence(jdbc);
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(jdbc.getDataSource()));
		String resource = "stock:" + UUID.randomUUID();
		for (int i = 0; i < 3; i++) {
			transaction.executeWithoutResult((status) -> changes.raise(resource, 17));
		}
		assertThatExceptionOfType(StaleFencingTokenException.class)
			.isThrownBy(() -> transaction.executeWithoutResult((status) -> changes.raise(resource, 16)));
	}

}
