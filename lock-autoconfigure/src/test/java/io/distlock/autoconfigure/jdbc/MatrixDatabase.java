package io.distlock.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

import io.distlock.databases.DatabaseServer;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.MySqlServer;
import io.distlock.databases.PostgresServer;

/**
 * A server for {@link DataSourceWays}, with what differs between servers. The user
 * {@code app} has a password, and {@code few} may have two connections.
 *
 * @param server the server
 * @param url its address, without a user
 * @param nowhere the address of a database that is not there
 * @param type the driver's data source
 * @param property a property of the driver
 * @param statement a statement for each connection
 * @param readOnly a property of the driver for connections that only read
 * @param refused what the server says to a wrong password
 */
record MatrixDatabase(DatabaseServer server, String url, String nowhere, String type, String property, String statement,
		String readOnly, String refused) {

	static final String PASSWORD = "right";

	static MatrixDatabase postgres() {
		PostgresServer server = PostgresServer.start();
		execute(server.url(), "CREATE ROLE app LOGIN PASSWORD '" + PASSWORD + "'", "GRANT ALL ON SCHEMA public TO app",
				"CREATE ROLE few LOGIN CONNECTION LIMIT 2", "GRANT ALL ON SCHEMA public TO few", """
						DO $$ BEGIN EXECUTE format('COPY (VALUES (%L), (%L)) TO %L',
						'host all app 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 trust',
						current_setting('hba_file')); END $$""", "SELECT pg_reload_conf()");
		return new MatrixDatabase(server, server.url().replaceFirst("\\?.*", ""),
				server.url().replace("/postgres?", "/nowhere?"), "org.postgresql.ds.PGSimpleDataSource",
				"preferQueryMode=simple", "SET TIME ZONE 'UTC'", "options=-c default_transaction_read_only=on",
				"password");
	}

	static MatrixDatabase mariaDb() {
		return likeMySql(MariaDbServer.start(), "org.mariadb.jdbc.MariaDbDataSource", "IDENTIFIED BY",
				"sessionVariables=tx_read_only=1");
	}

	static MatrixDatabase mySql() {
		return likeMySql(MySqlServer.start(), "com.mysql.cj.jdbc.MysqlDataSource",
				"IDENTIFIED WITH mysql_native_password BY", "sessionVariables=transaction_read_only=1");
	}

	private static MatrixDatabase likeMySql(DatabaseServer server, String type, String identified, String readOnly) {
		execute(server.url(), "CREATE USER app@'127.0.0.1' " + identified + " '" + PASSWORD + "'",
				"GRANT ALL ON test.* TO app@'127.0.0.1'",
				"CREATE USER few@'127.0.0.1' " + identified + " '' WITH MAX_USER_CONNECTIONS 2",
				"GRANT ALL ON test.* TO few@'127.0.0.1'");
		return new MatrixDatabase(server,
				server.url().replaceFirst("user=root&createDatabaseIfNotExist=true&?", "").replaceFirst("\\?$", ""),
				server.url().replace("/test?", "/nowhere?").replace("&createDatabaseIfNotExist=true", ""), type,
				"useServerPrepStmts=true", "SET time_zone = '+00:00'", readOnly, "Access denied");
	}

	/** Returns a connection of a user with few of them. */
	Connection few() throws SQLException {
		return DriverManager.getConnection(this.url, "few", "");
	}

	private static void execute(String url, String... statements) {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
