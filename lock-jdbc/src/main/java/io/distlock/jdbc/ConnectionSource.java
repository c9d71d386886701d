package io.distlock.jdbc;

import java.sql.SQLException;

import javax.sql.DataSource;

import io.distlock.LockStoreException;
import io.distlock.support.ForeignText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the threads of a started store get connections from. */
final class ConnectionSource implements AutoCloseable {

	private static final Logger log = LoggerFactory.getLogger(JdbcLockStore.class);

	private static final boolean HIKARI = isPresent("com.zaxxer.hikari.HikariDataSource");

	private final DataSource dataSource;

	private final AutoCloseable pool;

	private ConnectionSource(DataSource dataSource, AutoCloseable pool) {
		this.dataSource = dataSource;
		this.pool = pool;
	}

	/** Connections of the store's own, if the application's pool can be copied. */
	static ConnectionSource like(DataSource application, JdbcLockStoreSettings settings) {
		if (HIKARI) {
			try {
				var pool = OwnPool.like(application, settings.connections(), settings.commandTimeout());
				if (pool.isPresent()) {
					return new ConnectionSource(pool.get(), pool.get());
				}
			}
			catch (SQLException | RuntimeException ex) {
				throw new LockStoreException("",
						"The pool of the application could not be copied for locks: " + ForeignText.messageOf(ex), ex);
			}
		}
		log.warn(
				"Locks use connections of the application's DataSource {}, up to {} at a time: it must have these to"
						+ " spare while callers inside of transactions wait for locks",
				application.getClass().getName(), settings.connections());
		return new ConnectionSource(application, () -> {
		});
	}

	private static boolean isPresent(String type) {
		try {
			Class.forName(type, false, ConnectionSource.class.getClassLoader());
			return true;
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return false;
		}
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	@Override
	public void close() {
		try {
			this.pool.close();
		}
		catch (Exception ex) {
			log.debug("The pool of the lock store could not be closed: {}", ForeignText.messageOf(ex));
		}
	}

}
