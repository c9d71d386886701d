package io.distlock.spring.fencing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

import io.distlock.StaleFencingTokenException;
import io.distlock.support.KeyText;

/**
 * Refuses transactions of earlier holders of a lock. A table remembers the highest
 * fencing token of each resource:
 *
 * <pre>
 * &#64;Transactional
 * &#64;DistributedLock(name = "stock", key = "#sku")
 * public void deduct(String sku, int quantity, &#64;FencingToken long token) {
 * 	fence.raise("stock:" + sku, token);
 * 	… // any statements
 * }
 * </pre>
 *
 * The row of the resource stays locked until the transaction ends, so that overlapping
 * holders write one after another. What an earlier holder writes after {@code raise}
 * never becomes visible after the writes of a later holder. Tokens of different locks
 * cannot be compared, so use a resource under one lock only.
 * <p>
 * The statements that create the table are in {@code fence-h2.sql},
 * {@code fence-postgresql.sql} and {@code fence-mysql.sql} (MySQL and MariaDB) of this
 * package. If your table has a column for the token, you do not need this class. The
 * statement
 * {@code UPDATE … SET …, fencing_token = :token WHERE id = :id AND fencing_token <= :token}
 * changes no row if the token is too old. Thread-safe.
 */
public final class JdbcFence {

	/** The default table. */
	public static final String DEFAULT_TABLE = "lock_fence";

	private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");

	/**
	 * The number of attempts. Another transaction may insert the row, but rows are never
	 * deleted.
	 */
	private static final int ATTEMPTS = 3;

	private final JdbcOperations jdbc;

	private final String update;

	private final String select;

	private final String insert;

	/**
	 * Creates a fence on the table {@value #DEFAULT_TABLE}.
	 * @param jdbc executes statements in the database of the writes
	 */
	public JdbcFence(JdbcOperations jdbc) {
		this(jdbc, DEFAULT_TABLE);
	}

	/**
	 * Creates a fence.
	 * @param jdbc executes statements in the database of the writes
	 * @param table name of the table, optionally with its schema
	 * @throws IllegalArgumentException if the name is not a plain name
	 */
	public JdbcFence(JdbcOperations jdbc, String table) {
		if (!TABLE.matcher(table).matches()) {
			throw new IllegalArgumentException("'" + table + "' is not the name of a table");
		}
		this.jdbc = jdbc;
		this.update = "UPDATE " + table + " SET token = ? WHERE resource = ? AND token <= ?";
		this.select = "SELECT token FROM " + table + " WHERE resource = ? FOR UPDATE";
		this.insert = "INSERT INTO " + table + " (resource, token) VALUES (?, ?)";
	}

	/**
	 * Raises the highest token of a resource to this token, within the caller's
	 * transaction. Call it before the first write.
	 * @param resource name of the data to write, at most 255 characters; usually the key
	 * of the lock
	 * @param token fencing token of the held lock
	 * @throws StaleFencingTokenException if a later holder has raised the token; the
	 * transaction must be rolled back, as Spring does
	 * @throws IllegalArgumentException if the token is not positive
	 * @throws IllegalStateException if there is no transaction: the row would be free
	 * again before the write
	 */
	public void raise(String resource, long token) {
		if (token <= 0) {
			throw new IllegalArgumentException("'" + KeyText.of(resource) + "' needs the fencing token of a lock, was "
					+ token + ": was the method called without its lock?");
		}
		requireTransaction(resource);
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			if (this.jdbc.update(this.update, token, resource, token) > 0) {
				return;
			}
			Long highest = highest(resource);
			if (highest == null) {
				if (isInserted(resource, token)) {
					return;
				}
			}
			else if (highest == token) {
				// The row already has this token and is locked. Some drivers count only
				// rows that change.
				return;
			}
			else if (highest > token) {
				throw new StaleFencingTokenException(resource, token, highest);
			}
		}
		throw new CannotAcquireLockException(
				"The fence row of '" + KeyText.of(resource) + "' could not be updated after " + ATTEMPTS
						+ " attempts. Does another program delete rows of the fence table?");
	}

	private void requireTransaction(String resource) {
		Boolean open = this.jdbc.execute((ConnectionCallback<Boolean>) (connection) -> !connection.getAutoCommit());
		if (!Boolean.TRUE.equals(open)) {
			throw new IllegalStateException("'" + KeyText.of(resource)
					+ "' is fenced outside of a transaction: put @Transactional on the method that writes it");
		}
	}

	/** Reads the highest token with the commits of others, whatever the isolation. */
	private @Nullable Long highest(String resource) {
		List<Long> rows = this.jdbc.queryForList(this.select, Long.class, resource);
		return rows.isEmpty() ? null : rows.get(0);
	}

	private boolean isInserted(String resource, long token) {
		return Boolean.TRUE.equals(this.jdbc
			.execute((ConnectionCallback<Boolean>) (connection) -> isInserted(connection, resource, token)));
	}

	/**
	 * Inserts the row. In PostgreSQL an error makes the transaction unusable unless there
	 * is a savepoint.
	 */
	private boolean isInserted(Connection connection, String resource, long token) throws SQLException {
		Savepoint before = connection.setSavepoint();
		try (PreparedStatement statement = connection.prepareStatement(this.insert)) {
			statement.setString(1, resource);
			statement.setLong(2, token);
			statement.executeUpdate();
			connection.releaseSavepoint(before);
			return true;
		}
		catch (SQLException ex) {
			if (!isDuplicate(ex)) {
				throw ex;
			}
			connection.rollback(before);
			return false;
		}
	}

	private static boolean isDuplicate(SQLException ex) {
		return ex.getSQLState() != null && ex.getSQLState().startsWith("23");
	}

}
