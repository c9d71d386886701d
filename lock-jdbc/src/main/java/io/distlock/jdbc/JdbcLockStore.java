package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import javax.sql.DataSource;

import io.distlock.LockStoreException;
import io.distlock.records.RecordLockStore;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.StoreListener;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps locks in one table of a relational database: PostgreSQL, MySQL 8, MariaDB or H2.
 * <p>
 * Each lock is one row. Each change is one statement in a separate transaction, on a
 * connection that only this statement uses. A thread that waits for the answer executes
 * the statement itself if a connection of the store's own pool is free; otherwise a
 * thread of the store executes it. The store keeps no connection while a lock is held,
 * and joins no transaction of a caller. The database's clock measures leases. On
 * PostgreSQL, processes notify each other of hand-overs. On other databases waiters poll,
 * and the first waiter in line polls most often.
 */
public final class JdbcLockStore extends DelegatingLockStore {

	private static final Logger logger = LoggerFactory.getLogger(JdbcLockStore.class);

	private static final Duration COLLECT_EVERY = Duration.ofMinutes(10);

	/** A small batch, so that deletions do not delay commands of locks. */
	private static final int COLLECT_AT_ONCE = 100;

	private final AtomicLong collectedAt = new AtomicLong();

	private final JdbcLockStoreSettings settings;

	private final JdbcLockRecords records;

	private final RecordLockStore store;

	/**
	 * Creates a store.
	 * @param dataSource the database. For a HikariCP pool, the store makes a small
	 * separate pool with the same server and user. For any other data source, the store
	 * uses up to {@link JdbcLockStoreSettings#connections()} of its connections at a
	 * time. That many connections must stay free while callers inside transactions wait
	 * for locks. A proxy that hands out the connection of the current transaction is
	 * harmless
	 * @param settings table, connections and times
	 */
	public JdbcLockStore(DataSource dataSource, JdbcLockStoreSettings settings) {
		this(new JdbcLockRecords(dataSource, settings), settings);
	}

	private JdbcLockStore(JdbcLockRecords records, JdbcLockStoreSettings settings) {
		this(records, new RecordLockStore(records, settings.records()), settings);
	}

	private JdbcLockStore(JdbcLockRecords records, RecordLockStore store, JdbcLockStoreSettings settings) {
		super(store);
		this.settings = settings;
		this.records = records;
		this.store = store;
	}

	@Override
	public void start(String instance, StoreListener listener) {
		this.collectedAt.set(System.nanoTime());
		super.start(instance, listener);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		collectNowAndThen();
		return super.acquire(command, caller);
	}

	/**
	 * Locks the rows of locks until a transaction ends. No other owner gets one of these
	 * locks before the transaction has committed or was rolled back, even if this process
	 * stops or a lease expires. Call it as the last step before a commit. Blocks while
	 * another transaction changes one of the rows.
	 * @param connection a connection in a transaction, to the database of the locks; its
	 * user may update their table
	 * @param tokens fencing token by key, of locks that this store has granted
	 * @return the sorted keys of the locks that this process no longer holds
	 * @throws LockStoreException if the database refuses or does not answer
	 */
	public SortedSet<String> lockRows(Connection connection, Map<String, Long> tokens) {
		SortedSet<String> lost = new TreeSet<>();
		try {
			this.records.lockRows(connection, tokens.keySet()).forEach((key, text) -> {
				if (!this.store.isHeldHere(key, text, tokens.getOrDefault(key, 0L))) {
					lost.add(key);
				}
			});
		}
		catch (SQLException ex) {
			String key = tokens.keySet().stream().sorted().findFirst().orElse("");
			String advice = (SqlFailure.of(ex) == SqlFailure.RACE)
					? ". With REPEATABLE READ and above a lock that was renewed since the transaction began cannot "
							+ "be checked; use READ COMMITTED"
					: "";
			throw new LockStoreException(key, "The commit check of lock '" + KeyText.of(key) + "' in " + describe()
					+ " failed: " + ForeignText.messageOf(ex) + advice, ex);
		}
		return lost;
	}

	/** Returns whether messages of other processes arrive at present. */
	boolean isNotified() {
		return this.records.listens();
	}

	private void collectNowAndThen() {
		long last = this.collectedAt.get();
		long now = System.nanoTime();
		if (now - last > COLLECT_EVERY.toNanos() && this.collectedAt.compareAndSet(last, now)) {
			collect();
		}
	}

	private void collect() {
		this.records.collect(this.settings.keepIdle(), COLLECT_AT_ONCE).whenComplete((count, failure) -> {
			if (failure != null) {
				logger.debug("Unused rows of {} were not deleted: {}", describe(), ForeignText.messageOf(failure));
			}
			else if (count == COLLECT_AT_ONCE) {
				collect();
			}
		});
	}

}
