package io.distlock.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The statements as text. */
class DialectTests {

	@ParameterizedTest
	@CsvSource({ "PostgreSQL,POSTGRESQL", "MySQL,MYSQL", "MySQL 8.0.15,MYSQL", "MariaDB,MARIADB",
			"MySQL 5.5.5-10.11.19-MariaDB,MARIADB", "H2,H2" })
	void productIsRecognized(String product, Dialect dialect) {
		assertThat(Dialect.of(product)).contains(dialect);
	}

	@Test
	void otherProductIsRefused() {
		assertThat(List.of("Apache Derby", "Oracle", "Microsoft SQL Server")).map(Dialect::of)
			.allMatch(Optional::isEmpty);
	}

	@ParameterizedTest
	@EnumSource
	void everyWriteHasBothBoundsOfTheClock(Dialect dialect) {
		Sql sql = dialect.sql("locks.distributed_lock", Duration.ofSeconds(1));
		assertThat(List.of(sql.update(), sql.insert(), sql.takeIdle()))
			.allSatisfy((statement) -> assertThat(statement).containsOnlyOnce(" BETWEEN ? AND ?"));
		assertThat(sql.updateTogether()).containsOnlyOnce(" BETWEEN v.not_before AND v.not_after");
		assertThat(sql.take().split(" BETWEEN \\? AND \\?", -1)).hasSize(3);
	}

	@ParameterizedTest
	@EnumSource
	void everyStatementNamesTheTableAndKeepsItsParameters(Dialect dialect) {
		Sql sql = dialect.sql("locks.distributed_lock", Duration.ofSeconds(1));
		assertThat(List.of(sql.read(), sql.update(), sql.insert(), sql.takeIdle(), sql.idleRows(), sql.deleteIdle()))
			.allSatisfy((statement) -> assertThat(statement).contains("locks.distributed_lock").doesNotContain("%"));
		assertThat(List.of(sql.read(), sql.update(), sql.insert(), sql.takeIdle(), sql.take()))
			.extracting(DialectTests::parameters)
			.containsExactly(1L, 11L, 10L, 11L, 16L);
	}

	@ParameterizedTest
	@EnumSource
	void everyDialectHasASchema(Dialect dialect) {
		assertThat(LockSchema.statements(dialect, "other_table")).singleElement()
			.asString()
			.contains("other_table", "lock_key", "revision", "busy", "token", "record", "holder", "waiting",
					"held_until")
			.doesNotContain("distributed_lock");
	}

	private static long parameters(String statement) {
		return statement.chars().filter((c) -> c == '?').count();
	}

}
