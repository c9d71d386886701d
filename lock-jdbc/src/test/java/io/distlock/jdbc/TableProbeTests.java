package io.distlock.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The check of one process runs while others use the table. */
@Tag("ci")
class TableProbeTests {

	private int collections;

	@Test
	void collectorOfAnotherProcessDeletesNoRowOfTheCheck() throws SQLException {
		for (var database : List.of(TestDatabase.postgres(), TestDatabase.h2())) {
			try (Connection connection = database.getConnection()) {
				this.collections = 0;
				Dialect dialect = Dialect.of(connection);
				assertThat(new TableProbe(collected(connection, dialect), dialect, TestDatabase.SETTINGS,
						Duration.ofMinutes(1))
					.problems()).isEmpty();
				assertThat(this.collections).isPositive();
			}
		}
	}

	/** Deletes unused rows before each statement, as another process may do. */
	private Connection collected(Connection connection, Dialect dialect) {
		RowCollector collector = new RowCollector(new RowStatements(connection,
				dialect.sql(JdbcLockStoreSettings.DEFAULTS.table(), Duration.ofMinutes(1)),
				new DatabaseClock(System::nanoTime)));
		return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (self, method, args) -> {
					if (method.getName().equals("prepareStatement")) {
						collector.collect(System.currentTimeMillis() - Duration.ofDays(1).toMillis(), 100);
						this.collections++;
					}
					try {
						return method.invoke(connection, args);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

}
