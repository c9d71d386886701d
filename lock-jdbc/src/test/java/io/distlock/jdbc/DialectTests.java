package io.distlock.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The statements as text. */
@Isolated // changes the language
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

	/** Its digits would be those of the language, which no server knows. */
	@ParameterizedTest
	@EnumSource
	void statementsAreTheSameInEachLanguage(Dialect dialect) {
		Locale usual = Locale.getDefault();
		List<String> statements = statements(dialect);
		Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
		try {
			assertThat("%d".formatted(7)).as("digits of the language").isNotEqualTo("7");
			assertThat(statements(dialect)).isEqualTo(statements);
		}
		finally {
			Locale.setDefault(usual);
		}
	}

	private static List<String> statements(Dialect dialect) {
		Duration timeout = Duration.ofMillis(1234);
		return List.of(dialect.patientSql("t", timeout).update(), dialect.sql("t", timeout).read(),
				dialect.sql("t", timeout).update(), dialect.lockWait(timeout).toString(),
				dialect.limitForGood(timeout));
	}

	private static long parameters(String statement) {
		return statement.chars().filter((c) -> c == '?').count();
	}

}
