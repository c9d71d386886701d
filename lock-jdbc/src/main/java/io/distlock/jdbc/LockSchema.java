package io.distlock.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import javax.sql.DataSource;

import io.distlock.LockStoreException;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.ForeignText;

/**
 * Creates the table of locks. Its definition is in {@code
 * io/distlock/jdbc/schema-@@platform@@.sql} for {@code postgresql}, {@code mysql}, {@code
 * mariadb} and {@code h2}. Copy the file for a migration tool, or let {@link #create}
 * execute it.
 */
public final class LockSchema {

	private static final String TABLE = JdbcLockStoreSettings.DEFAULTS.table();

	private static final Duration LIMIT = Duration.ofSeconds(10);

	/**
	 * States of PostgreSQL: another process just created the table, its type, or its
	 * catalogue row.
	 */
	private static final Set<String> EXISTS_STATES = Set.of("42P07", "42710", "XX000");

	/** MySQL, MariaDB; H2. */
	private static final Set<Integer> EXISTS = Set.of(1050, 42101);

	private LockSchema() {
	}

	/**
	 * Creates the table if it is missing. Blocks while the database works, for at most 10
	 * s per statement.
	 * @param dataSource the database
	 * @param table the table
	 * @throws TransientStoreException if the database does not answer
	 * @throws LockStoreException if the database refuses, or locks cannot be kept in it
	 */
	public static void create(DataSource dataSource, String table) {
		create(dataSource, table, LIMIT);
	}

	static void create(DataSource dataSource, String table, Duration limit) {
		try {
			try {
				execute(dataSource, table, limit);
			}
			catch (SQLException ex) {
				if (!isRace(ex)) {
					throw ex;
				}
				execute(dataSource, table, limit);
			}
		}
		catch (SQLException ex) {
			SqlFailure kind = SqlFailure.of(ex);
			if (kind == SqlFailure.UNAVAILABLE || kind == SqlFailure.FULL) {
				throw new TransientStoreException("", "The database did not answer while table " + table
						+ " of locks was created: " + ForeignText.messageOf(ex), ex);
			}
			throw new LockStoreException("",
					"The table " + table + " of locks could not be created: " + ForeignText.messageOf(ex), ex);
		}
	}

	private static void execute(DataSource dataSource, String table, Duration limit) throws SQLException {
		try (Session session = Session.of(dataSource.getConnection(), limit);
				Writable writable = Writable.of(session.connection());
				Statement statement = session.connection().createStatement()) {
			for (String definition : statements(Dialect.of(writable.connection()), table)) {
				statement.execute(definition);
			}
		}
	}

	/**
	 * A connection that takes writes for a while, also one of a pool that is read-only.
	 *
	 * @param connection the connection
	 * @param readOnly whether it was read-only before
	 */
	private record Writable(Connection connection, boolean readOnly) implements AutoCloseable {

		static Writable of(Connection connection) throws SQLException {
			boolean readOnly = connection.isReadOnly();
			if (readOnly) {
				connection.setReadOnly(false);
			}
			return new Writable(connection, readOnly);
		}

		@Override
		public void close() throws SQLException {
			if (this.readOnly) {
				this.connection.setReadOnly(true);
			}
		}

	}

	/**
	 * Returns whether the database refused a second process that created the table at the
	 * same time. The refused process then finds the table.
	 */
	private static boolean isRace(SQLException failure) {
		SqlFailure kind = SqlFailure.of(failure);
		return kind == SqlFailure.RACE || kind == SqlFailure.DUPLICATE || EXISTS.contains(failure.getErrorCode())
				|| (failure.getSQLState() != null && EXISTS_STATES.contains(failure.getSQLState()));
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
