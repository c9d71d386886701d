package io.distlock.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockStoreException;
import io.distlock.LossReason;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.spring.CommitCheck;
import io.distlock.stores.LockTemplates;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * Locks the rows of all locks of a transaction before the commit, on the connection of
 * the transaction. So no other process can take over a lock before the transaction has
 * ended, even if this process pauses for longer than its leases.
 */
final class JdbcCommitCheck implements CommitCheck {

	private static final Logger logger = LoggerFactory.getLogger(JdbcCommitCheck.class);

	private final AtomicBoolean warned = new AtomicBoolean();

	private final DataSource dataSource;

	private final JdbcLockStore store;

	JdbcCommitCheck(DataSource dataSource, JdbcLockStore store) {
		this.dataSource = dataSource;
		this.store = store;
	}

	@Override
	public void beforeCommit(Collection<LockHandle> locks) {
		if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			return;
		}
		Connection connection = connection();
		if (connection == null) {
			warn();
			return;
		}
		Map<String, LockHandle> byKey = new HashMap<>();
		Map<String, Long> tokens = new HashMap<>();
		for (LockHandle lock : locks) {
			lock.parts().forEach((part) -> {
				byKey.put(part.key(), part);
				tokens.merge(part.key(), token(part), Math::min);
			});
		}
		SortedSet<String> lost = this.store.lockRows(connection, tokens);
		if (!lost.isEmpty()) {
			throw lost(byKey.get(lost.first()), lost.first());
		}
	}

	/** Returns the fencing token. A call without a grant of the store has none. */
	private static long token(LockHandle part) {
		try {
			return part.fencingToken();
		}
		catch (IllegalStateException ex) {
			throw new LockStoreException(part.key(), "The commit check of lock '" + KeyText.of(part.key())
					+ "' failed: the store has not granted it: " + ForeignText.messageOf(ex), ex);
		}
	}

	/**
	 * Returns the transaction's connection to the database of the locks, if there is one.
	 */
	private @Nullable Connection connection() {
		DataSource source = this.dataSource;
		while (source instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			source = proxy.getTargetDataSource();
		}
		if (!(TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder holder)) {
			return null;
		}
		Connection connection = holder.getConnection();
		try {
			// In a transaction of another resource, the connection has auto-commit.
			return connection.getAutoCommit() ? null : connection;
		}
		catch (SQLException ex) {
			throw new LockStoreException("", "The commit check failed: " + ForeignText.messageOf(ex), ex);
		}
	}

	private void warn() {
		if (!this.warned.getAndSet(true)) {
			String name = TransactionSynchronizationManager.getCurrentTransactionName();
			logger.warn("distributed-lock.jdbc.commit-check has no effect on transaction {}: it is not in the database "
					+ "that keeps the locks. Transactions there are checked by the local deadlines of their locks only",
					(name != null) ? ForeignText.of(name) : "without a name");
		}
	}

	/**
	 * Creates the exception of a lost lock. Tokens of the store are microseconds of the
	 * database's clock. Renewals and the caller are unknown here, and the lease is its
	 * remainder.
	 */
	private static LockLostException lost(@Nullable LockHandle handle, String key) {
		long token = (handle != null) ? handle.fencingToken() : 0;
		Instant granted = Instant.ofEpochMilli(TimeUnit.MICROSECONDS.toMillis(token));
		LockLoss loss = new LockLoss(LockTemplates.DEFAULT, "", key, token, granted, granted, Instant.now(),
				(handle != null) ? handle.remaining() : Duration.ZERO, ForeignText.nameOf(Thread.currentThread()), "",
				LossReason.GONE_AT_COMMIT);
		return new LockLostException(loss, null);
	}

}
