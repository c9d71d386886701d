package io.distlock.jdbc;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SqlFailureTests {

	@ParameterizedTest
	@CsvSource({ "40001,0,RACE", "40P01,0,RACE", "HY000,1205,LOCKED", "HY000,3572,LOCKED", "55P03,0,LOCKED",
			"40001,1205,RACE", "40001,1213,RACE", "23505,0,DUPLICATE", "23000,1062,DUPLICATE", "23502,0,OTHER_TABLE",
			"23000,1048,OTHER_TABLE", "08006,0,UNAVAILABLE", "08S01,0,UNAVAILABLE", "57P01,0,UNAVAILABLE",
			"53300,0,FULL", "HYT00,50200,LOCKED", "HYT00,0,UNAVAILABLE", "25006,0,READ_ONLY", "HY000,1290,READ_ONLY",
			"42P01,0,NO_TABLE", "42S02,1146,NO_TABLE", "42601,0,FATAL", "28P01,0,NO_LOGIN", "28000,1045,NO_LOGIN",
			"42501,0,NO_RIGHT", "42000,1142,NO_RIGHT", "22001,1406,TOO_LONG", "26000,0,POOLED", "42703,0,OTHER_TABLE",
			"42S22,1054,OTHER_TABLE", "08004,1040,FULL", "42000,1203,FULL", "42000,1226,FULL", "08004,0,NO_LOGIN",
			"57P05,0,UNAVAILABLE", "57P04,0,UNAVAILABLE", "57P09,0,UNAVAILABLE", "57014,0,UNAVAILABLE",
			"70100,1969,UNAVAILABLE", "53100,0,NO_SPACE", "HY000,1021,NO_SPACE", "HY000,1114,NO_SPACE" })
	void stateAndCodeTellWhatHappened(String state, int code, SqlFailure expected) {
		assertThat(SqlFailure.of(new SQLException("any", state, code))).isEqualTo(expected);
	}

	/** A pool says when it gave up, and the driver before it says why. */
	@Test
	void reasonOfAPoolCounts() {
		SQLException full = new SQLException("too many", "42000", 1226);
		assertThat(SqlFailure.of(new SQLTransientConnectionException("timed out", "42000", full)))
			.isEqualTo(SqlFailure.FULL);
		assertThat(SqlFailure.of(new SQLTransientConnectionException("timed out"))).isEqualTo(SqlFailure.UNAVAILABLE);
	}

	/** The driver of MySQL has neither state nor code for a batch that took too long. */
	@Test
	void reasonOfABatchCounts() {
		SQLException late = new SQLTimeoutException("cancelled by client");
		assertThat(SqlFailure.of(new BatchUpdateException("cancelled by client", null, 0, new int[0], late)))
			.isEqualTo(SqlFailure.UNAVAILABLE);
		SQLException locked = new SQLException("locked", "HY000", 1205);
		assertThat(SqlFailure.of(new BatchUpdateException("locked", "HY000", 1205, new int[0], locked)))
			.isEqualTo(SqlFailure.LOCKED);
	}

	@ParameterizedTest
	@CsvSource(nullValues = "null", value = { "42501,true", "42883,true", "54000,true", "0A000,true", "42P01,false",
			"57014,false", "25006,false", "null,false" })
	void refusalToNotifyIsTold(String state, boolean expected) {
		assertThat(SqlFailure.refusesToNotify(new SQLException("any", state))).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource(nullValues = "null", value = { "null,0,FATAL", "null,1062,DUPLICATE", "null,1213,RACE" })
	void codeCountsWithoutAState(String state, int code, SqlFailure expected) {
		assertThat(SqlFailure.of(new SQLException("any", state, code))).isEqualTo(expected);
	}

}
