package io.distlock.reliability.database;

import java.io.File;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.test.Pause;

/**
 * A process that sells under a lock and pauses before or after the check of its commit,
 * so that it can be stopped there.
 */
final class StoppedSeller {

	static final String KEY = "stock:1";

	static final Duration LEASE = Duration.ofSeconds(3);

	private static final int ATTEMPTS = 10;

	private StoppedSeller() {
	}

	/**
	 * Sells.
	 * @param args the database, where to pause, and the file that ends the pause
	 */
	public static void main(String[] args) throws SQLException, IOException {
		File go = new File(args[2]);
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(args[0]);
			JdbcLockStore store = new JdbcLockStore(pool, JdbcLockStoreSettings.DEFAULTS);
			LockSettings settings = LockSettings.builder().leaseTime(LEASE).commandTimeout(LEASE.dividedBy(3)).build();
			try (CloseableLockTemplate template = LockTemplateBuilder.forStore(store).settings(settings).build();
					Connection transaction = DriverManager.getConnection(args[0])) {
				LockHandle lock = acquire(template);
				transaction.setAutoCommit(false);
				execute(transaction, "INSERT INTO sale VALUES (" + lock.fencingToken() + ")");
				if (args[1].equals("before")) {
					pause("HOLDS " + lock.fencingToken(), go);
				}
				SortedSet<String> lost = store.lockRows(transaction, Map.of(KEY, lock.fencingToken()));
				if (args[1].equals("after")) {
					pause("KEEPS " + lock.fencingToken(), go);
				}
				if (lost.isEmpty()) {
					transaction.commit();
					System.out.println("COMMITTED");
				}
				else {
					transaction.rollback();
					System.out.println("ROLLED BACK");
				}
			}
		}
	}

	private static void pause(String where, File go) {
		System.out.println(where);
		while (!go.exists()) {
			Pause.of(Duration.ofMillis(5));
		}
	}

	/** Acquires the lock. Repeats this if a command has no answer in time. */
	static LockHandle acquire(CloseableLockTemplate template) {
		for (int attempt = 1;; attempt++) {
			try {
				return template.acquire(LockRequest.of(KEY).waitAtMost(Duration.ofSeconds(20)));
			}
			catch (LockException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
