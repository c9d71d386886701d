package io.distlock.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.distlock.LockStoreException;
import io.distlock.support.ForeignText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the threads of a started store get connections from. */
final class ConnectionSource implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionSource.class);

	private static final boolean HIKARI = isPresent("com.zaxxer.hikari.HikariDataSource");

	private final AtomicInteger renewals = new AtomicInteger();

	private final DataSource dataSource;

	private final Optional<OwnPool> pool;

	ConnectionSource(DataSource dataSource, Optional<OwnPool> pool) {
		this.dataSource = dataSource;
		this.pool = pool;
	}

	/**
	 * Connections of the store's own, if the application's pool can be copied.
	 * @param first how long the first connection may take
	 */
	static ConnectionSource like(DataSource application, JdbcLockStoreSettings settings, Duration first) {
		if (HIKARI) {
			try {
				Optional<OwnPool> pool = OwnPool.like(application, connections(settings), first);
				return new ConnectionSource(pool.isPresent() ? pool.get().dataSource() : application, pool);
			}
			catch (SQLException | RuntimeException ex) {
				throw new LockStoreException("",
						"The pool of the application could not be copied for locks: " + ForeignText.messageOf(ex), ex);
			}
		}
		return new ConnectionSource(application, Optional.empty());
	}

	/** How often connections made before were given up. */
	int renewals() {
		return this.renewals.get();
	}

	/** The workers' and the one that listens. */
	private static int connections(JdbcLockStoreSettings settings) {
		return settings.connections() + (settings.notifications() ? 1 : 0);
	}

	/** Whether the connections are the store's own, so that one may be kept. */
	boolean isOwn() {
		return this.pool.isPresent();
	}

	/** Warns if callers and the store may want the same connections. */
	void warnIfShared(int connections) {
		if (this.pool.isEmpty()) {
			logger.warn(
					"Locks use connections of the application's DataSource {}, up to {} at a time: it must have these to"
							+ " spare while callers inside of transactions wait for locks",
					this.dataSource.getClass().getName(), connections);
		}
	}

	/**
	 * The server takes no writes or refuses the user: connections made from now on may
	 * lead to another server, or have a newer password.
	 */
	void renew() {
		this.renewals.incrementAndGet();
		this.pool.ifPresent(OwnPool::renew);
	}

	static boolean isPresent(String type) {
		try {
			Class.forName(type, false, ConnectionSource.class.getClassLoader());
			return true;
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return false;
		}
	}

	/** The first attempt to connect is over; later ones have less time. */
	void limit(Duration timeout) {
		this.pool.ifPresent((own) -> own.limit(timeout));
	}

	/** The URL of the database as it is configured, without asking for a connection. */
	Optional<String> url() {
		return this.pool.flatMap(OwnPool::url);
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	@Override
	public void close() {
		this.pool.ifPresent(OwnPool::close);
	}

}
