package io.distlock.migration;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import io.distlock.LockStoreException;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreCheckResult;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.ForeignText;

/**
 * Locks that ShedLock keeps in a database, by the time of the database. Instances that
 * use another clock are not excluded.
 */
final class ShedLockTable implements ForeignLocks {

	/** Stands for the holder of a lock whose row has an empty name. */
	private static final String UNNAMED = "?";

	/** The class of the SQL states of violated constraints. */
	private static final String DUPLICATE = "23";

	/** The names of types whose values depend on the time zone of the session. */
	private static final Set<String> WITH_ZONE = Set.of("timestamptz", "timestamp with time zone");

	private final DataSource database;

	private final String table;

	private volatile @Nullable Statements statements;

	/** How much more the database's clock shows than that of this JVM, 0 if not known. */
	private volatile long ahead;

	/**
	 * Creates the locks.
	 * @param database the database of ShedLock
	 * @param table the name of its table
	 */
	ShedLockTable(DataSource database, String table) {
		this.database = database;
		this.table = table;
	}

	@Override
	public Answer acquire(String name, RequestId request, long lease, boolean free, long turn) {
		return call((connection, sql) -> {
			long now = TimeUnit.NANOSECONDS.toMicros(System.nanoTime()) + this.ahead;
			// At once, as a lock that many want is not free for long.
			if (free && this.ahead != 0 && update(connection, sql.take(), lease,
					OwnerText.of(now + turn, request).toString(), name, "") > 0) {
				return new Answer(1, now, "");
			}
			Row row = row(connection, sql, name);
			this.ahead = row.now() - TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
			OwnerText before = row.owner();
			if (before != null && before.isAfter(request)) {
				return new Answer(-1, row.now(), "");
			}
			OwnerText passed = (before != null && (before.isLeft() || before.isEndedBy(request))) ? before : null;
			if (passed == null && (!row.text().isEmpty() || !free)) {
				return new Answer(0, row.now(), row.text());
			}
			String owner = OwnerText.of((passed != null) ? passed.turn() : row.now() + turn, request).toString();
			int changed = row.exists() ? update(connection, sql.take(), lease, owner, name, row.text())
					: update(connection, sql.create(), name, lease, owner);
			return new Answer(changed, row.now(), row.text());
		});
	}

	@Override
	public Answer renew(String name, RequestId request, long lease) {
		return call((connection, sql) -> {
			Row row = row(connection, sql, name);
			return new Answer(row.isOf(request) ? update(connection, sql.renew(), lease, name, row.text()) : 0,
					row.now(), String.valueOf(lease));
		});
	}

	@Override
	public Answer finish(String name, RequestId request, long keep, long leave) {
		return call((connection, sql) -> {
			Row row = row(connection, sql, name);
			OwnerText owner = row.owner();
			if (owner == null || !owner.isEndedBy(request)) {
				return new Answer(0, row.now(), row.text());
			}
			long left = Math.min(leave, TimeUnit.MICROSECONDS.toMillis(owner.turn() - row.now()));
			boolean isLeft = keep == 0 && left > 0;
			OwnerText next = new OwnerText(isLeft ? owner.turn() : 0, isLeft ? "" : "~", 0);
			return new Answer(update(connection, sql.finish(), isLeft ? left : keep, next.toString(), name, row.text()),
					row.now(), "");
		});
	}

	@Override
	public Answer inspect(String name) {
		return call((connection, sql) -> {
			Row row = row(connection, sql, name);
			return new Answer(row.text().isEmpty() ? 0 : 1, row.left(), row.text());
		});
	}

	private static Row row(Connection connection, Statements sql, String name) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql.find())) {
			statement.setString(1, name);
			try (ResultSet row = statement.executeQuery()) {
				// ShedLock deletes no row, so one is missing at the first use only.
				return row.next() ? new Row(true, row.getString(1), row.getLong(2), row.getLong(3))
						: new Row(false, "", 0, System.currentTimeMillis() * 1000);
			}
		}
	}

	private static int update(Connection connection, String sql, Object... arguments) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			for (int i = 0; i < arguments.length; i++) {
				statement.setObject(i + 1, arguments[i]);
			}
			return statement.executeUpdate();
		}
	}

	private Answer call(Step step) {
		try (Connection connection = this.database.getConnection()) {
			connection.setAutoCommit(true);
			Statements known = this.statements;
			if (known == null) {
				known = statements(connection);
				this.statements = known;
			}
			return step.in(connection, known);
		}
		catch (SQLException ex) {
			if (ex.getSQLState() != null && ex.getSQLState().startsWith(DUPLICATE)) {
				// Somebody else has just created the row.
				return new Answer(0, System.currentTimeMillis() * 1000, "");
			}
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Checks the type of the times. With a time zone, they mean another moment in a
	 * session of another time zone, and a lock would be free hours too early.
	 * @return what is wrong, if something is
	 */
	StoreCheckResult check() {
		try (Connection connection = this.database.getConnection();
				PreparedStatement statement = connection
					.prepareStatement("select lock_until, locked_at from " + this.table + " where 1 = 0");
				ResultSet none = statement.executeQuery()) {
			ResultSetMetaData columns = none.getMetaData();
			List<String> problems = new ArrayList<>();
			for (int i = 1; i <= columns.getColumnCount(); i++) {
				String type = columns.getColumnTypeName(i);
				if (WITH_ZONE.contains(type.toLowerCase(Locale.ROOT))) {
					problems.add("The column " + columns.getColumnName(i) + " of " + this.table + " has the type "
							+ type
							+ ". Instances whose sessions have different time zones, of ShedLock too, would hold a lock "
							+ "at the same time. Change it to timestamp(3), which has no time zone.");
				}
			}
			return problems.isEmpty() ? new StoreCheckResult.Passed() : new StoreCheckResult.Refused(problems);
		}
		catch (SQLException ex) {
			return new StoreCheckResult.Unreachable("The table of ShedLock could not be read", ex);
		}
	}

	private Statements statements(Connection connection) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName();
		return switch (product) {
			case "PostgreSQL" -> Statements.of(this.table, "timezone('utc', clock_timestamp())",
					"timezone('utc', clock_timestamp()) + ? * interval '1 ms'",
					"cast(1000000 * extract(epoch from cast(%s as timestamp)) as bigint)");
			case "MariaDB", "MySQL" ->
				Statements.of(this.table, "utc_timestamp(6)", "timestampadd(microsecond, 1000 * ?, utc_timestamp(6))",
						"timestampdiff(microsecond, '1970-01-01', %s)");
			default -> throw new SQLNonTransientException("Its product is " + product
					+ ", whose time is not known here. Stop the instances with ShedLock first");
		};
	}

	@Override
	public LockStoreException translate(String key, String where, RuntimeException failure) {
		String message = where + " did not answer: " + ForeignText.messageOf(failure);
		return (failure.getCause() instanceof SQLException cause && !(cause instanceof SQLNonTransientException))
				? new TransientStoreException(key, message, failure) : new LockStoreException(key, message, failure);
	}

	/** What happens on one connection. */
	@FunctionalInterface
	private interface Step {

		Answer in(Connection connection, Statements sql) throws SQLException;

	}

	/**
	 * The row of a lock.
	 *
	 * @param exists whether there is a row
	 * @param by who has the lock, or had it last
	 * @param left what is left of the lease, in microseconds; not positive if it is over
	 * @param now the time of the database, in microseconds
	 */
	private record Row(boolean exists, String by, long left, long now) {

		/** Returns who has the lock, an empty text if it is free. */
		String text() {
			if (this.left <= 0) {
				return "";
			}
			return this.by.isEmpty() ? UNNAMED : this.by;
		}

		@Nullable OwnerText owner() {
			return OwnerText.parse(text());
		}

		boolean isOf(RequestId request) {
			OwnerText owner = owner();
			return owner != null && owner.isEndedBy(request);
		}

	}

	/**
	 * The statements of a database.
	 *
	 * @param take takes a lock that is free, or that a known owner has
	 * @param create creates the row of a new lock
	 * @param renew makes a lease longer
	 * @param finish ends a lease, now or soon
	 * @param find finds who has a lock
	 */
	private record Statements(String take, String create, String renew, String finish, String find) {

		static Statements of(String table, String now, String later, String micros) {
			return new Statements("""
					update %s set lock_until = %s, locked_at = %s, locked_by = ?
					where name = ? and (lock_until <= %3$s or (locked_by = ? and locked_by <> ''))
					""".formatted(table, later, now), """
					insert into %s (name, lock_until, locked_at, locked_by) values (?, %s, %s, ?)
					""".formatted(table, later, now), """
					update %s set lock_until = greatest(lock_until, %s)
					where name = ? and locked_by = ? and lock_until > %s
					""".formatted(table, later, now), """
					update %s set lock_until = %s, locked_by = ?
					where name = ? and locked_by = ? and lock_until > %s
					""".formatted(table, later, now), """
					select locked_by, %2$s - %3$s, %3$s from %1$s where name = ?
					""".formatted(table, micros.formatted("lock_until"), micros.formatted(now)));
		}

	}

}
