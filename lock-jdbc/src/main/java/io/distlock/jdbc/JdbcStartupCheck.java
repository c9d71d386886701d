package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import javax.sql.DataSource;

import io.distlock.LockStoreException;
import io.distlock.spi.StoreCheckResult;
import io.distlock.support.BoundedCall;
import io.distlock.support.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a database can keep locks. The store must know the product and its
 * version. The server must take writes. The table must exist with the right definition.
 * The user must have all rights. A full cycle of writes on a test row must give the
 * expected results. The check deletes its rows.
 */
public final class JdbcStartupCheck {

	private static final Duration LEAST_TIME = Duration.ofSeconds(5);

	private final DataSource dataSource;

	private final JdbcLockStoreSettings settings;

	private final DatabaseName name;

	/**
	 * Creates a check.
	 * @param dataSource as for the store
	 * @param settings the settings of the store
	 */
	public JdbcStartupCheck(DataSource dataSource, JdbcLockStoreSettings settings) {
		this.dataSource = dataSource;
		this.settings = settings;
		this.name = new DatabaseName(settings.table());
	}

	/**
	 * Runs the check; blocks for at most five command timeouts, or 5 s if that is longer.
	 * @return the result
	 */
	public StoreCheckResult run() {
		Duration limit = limit();
		String place = "The database of table " + this.settings.table();
		try {
			// The caller's thread may have a transaction, so the check uses another
			// thread.
			return BoundedCall.run("distributed-lock-jdbc-check", BoundedCall.within(limit.toNanos()), this::check);
		}
		catch (TimeoutException ex) {
			return new StoreCheckResult.Unreachable(
					place + " did not answer within " + limit.toMillis() + " ms" + this.name.suffix(), null);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new StoreCheckResult.Unreachable("The check of the database was interrupted", ex);
		}
		catch (ExecutionException ex) {
			Throwable cause = (ex.getCause() != null) ? ex.getCause() : ex;
			return new StoreCheckResult.Unreachable("The check of the database failed: " + ForeignText.messageOf(cause),
					cause);
		}
	}

	private Duration limit() {
		Duration limit = this.settings.commandTimeout().multipliedBy(5);
		return (limit.compareTo(LEAST_TIME) > 0) ? limit : LEAST_TIME;
	}

	/** Answers before it closes the pool, because that may take seconds. */
	private void check(CompletableFuture<StoreCheckResult> result) {
		try (ConnectionSource source = ConnectionSource.like(this.dataSource, this.settings, limit())) {
			this.name.expect(source.url());
			result.complete(check(source));
		}
		catch (LockStoreException ex) {
			result.complete(new StoreCheckResult.Problems(named(List.of(String.valueOf(ex.getMessage())))));
		}
	}

	private StoreCheckResult check(ConnectionSource source) {
		Optional<Dialect> dialect = Optional.empty();
		// The pool gives up before this check, because only the pool knows the reason.
		try (Session session = Session.of(source.connect(limit().multipliedBy(3).dividedBy(4)), limit())) {
			Connection connection = session.connection();
			this.name.learn(connection);
			dialect = Optional.of(Dialect.of(connection));
			ServerProbe server = new ServerProbe(connection, dialect.get(), this.settings.table());
			List<String> problems = server.problems();
			if (problems.isEmpty()) {
				// A table that stays locked is waited for twice.
				problems = new TableProbe(connection, dialect.get(), this.settings, limit().dividedBy(2)).problems();
			}
			return problems.isEmpty() ? new StoreCheckResult.Passed(named(warnings(server, source.besides())))
					: new StoreCheckResult.Problems(named(problems));
		}
		catch (SQLException ex) {
			String sentence = new DatabaseErrors(this.name).sentence(ex, dialect);
			return switch (SqlFailure.of(ex)) {
				case UNAVAILABLE, RACE, LOCKED -> new StoreCheckResult.Unreachable(sentence, ex);
				case NO_TABLE, OTHER_TABLE, NO_RIGHT, NO_LOGIN, NO_DATABASE ->
					new StoreCheckResult.Refused(List.of(sentence));
				default -> new StoreCheckResult.Problems(List.of(sentence));
			};
		}
	}

	private List<String> warnings(ServerProbe server, int besides) {
		List<String> warnings = new ArrayList<>(server.warnings(this.settings.notifications()));
		if (besides > 0) {
			warnings.addAll(server.tooFewConnections(besides, ConnectionSource.needed(this.settings)));
		}
		if (this.name.isInMemory()) {
			warnings.add("Locks are kept in an H2 database in the memory of this process, so they exclude callers of "
					+ "this process only: let all instances use one database, for instance with spring.datasource.url");
		}
		return warnings;
	}

	private List<String> named(List<String> sentences) {
		return sentences.stream().map((sentence) -> sentence + this.name.suffix()).toList();
	}

}
