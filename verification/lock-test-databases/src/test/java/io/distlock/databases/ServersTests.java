package io.distlock.databases;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Servers that are killed keep what was committed, and leave nothing behind. */
@Tag("ci")
class ServersTests {

	@Test
	void standbyHasWhatThePrimaryHadAndCanBePromoted() throws SQLException {
		try (PostgresServer primary = PostgresServer.start(); PostgresServer standby = primary.startStandby()) {
			assertThat(query(standby.url(), "SELECT pg_is_in_recovery()")).isEqualTo("t");
			primary.kill();
			primary.restart();
			assertThat(query(primary.url(), "SELECT pg_is_in_recovery()")).isEqualTo("f");
			standby.promote();
			assertThat(query(standby.url(), "SELECT pg_is_in_recovery()")).isEqualTo("f");
		}
	}

	private static String query(String url, String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(sql)) {
			result.next();
			return result.getString(1);
		}
	}

}
