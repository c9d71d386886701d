package io.distlock.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;

import javax.sql.DataSource;

import io.distlock.LockStoreException;
import io.distlock.support.ForeignText;

/**
 * The table of locks: its definition is in
 * {@code io/distlock/jdbc/schema-@@platform@@.sql} for {@code postgresql}, {@code mysql},
 * {@code mariadb}, {@code h2}, {@code oracle} and {@code sqlserver}. Copy the file for a
 * migration tool, or let {@link #create} run it.
 */
public final class LockSchema {

	private static final String TABLE = JdbcLockStoreSettings.DEFAULTS.table();

	private LockSchema() {
	}

	/**
	 * Creates the table if it is missing; on Oracle and SQL Server it must be missing.
	 * Blocks while the database works.
	 * @param dataSource the database
	 * @param table the table
	 * @throws LockStoreException if the database refuses, or locks cannot be kept in it
	 */
	public static void create(DataSource dataSource, String table) {
		try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
			Dialect dialect = Dialect.of(connection);
			for (String definition : statements(dialect, table)) {
				statement.execute(definition);
			}
			if (!connection.getAutoCommit()) {
				connection.commit();
			}
		}
		catch (SQLException ex) {
			throw new LockStoreException("",
					"The table " + table + " of locks could not be created: " + ForeignText.messageOf(ex), ex);
		}
	}

	static List<String> statements(Dialect dialect, String table) {
		String name = "schema-" + dialect.platform() + ".sql";
		try (InputStream file = LockSchema.class.getResourceAsStream(name)) {
			if (file == null) {
				throw new IllegalStateException("The file " + name + " is missing in lock-jdbc");
			}
			String text = new String(file.readAllBytes(), StandardCharsets.UTF_8).replace(TABLE, table);
			return Arrays.stream(text.split(";")).map(String::strip).filter((part) -> !part.isEmpty()).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
