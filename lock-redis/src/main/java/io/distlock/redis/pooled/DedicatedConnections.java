package io.distlock.redis.pooled;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.redis.protocol.Replies;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.spi.TransientStoreException;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Connections to one server that only locks use, in a pool of Jedis without a limit:
 * threads wait for a permit. A thread opens a connection to use it, and never when it
 * returns a broken one, as the pool would: the server may hang.
 * <p>
 * A connection is closed after anything but an answer, because an answer may still come,
 * and after that of a server that is not the master any more: behind its name another one
 * may be.
 */
final class DedicatedConnections implements ScriptExecutor {

	private static final Logger logger = LoggerFactory.getLogger(DedicatedConnections.class);

	/** The time in which this thread may connect, unless it has the usual one. */
	private static final ThreadLocal<Duration> CONNECT_WITHIN = new ThreadLocal<>();

	/** No thread tries to connect in less time. */
	private static final Duration SHORTEST = Duration.ofMillis(1);

	private static final Duration IDLE = Duration.ofSeconds(60);

	private static final String BUSY = "No connection was free in time to send a command to Redis: it hangs, or "
			+ "answers too slowly";

	private static final String INTERRUPTED = "The thread was interrupted while it waited for a connection to Redis";

	private final Semaphore permits;

	private final Duration patience;

	private final ConnectionPool pool;

	/**
	 * Creates connections; opens none.
	 * @param own opens them
	 */
	DedicatedConnections(LockConnections own) {
		this.permits = new Semaphore(own.most());
		this.patience = own.longestWait();
		GenericObjectPoolConfig<Connection> limits = new GenericObjectPoolConfig<>();
		limits.setMaxTotal(-1);
		limits.setMaxIdle(own.most());
		limits.setMinEvictableIdleDuration(IDLE);
		limits.setTimeBetweenEvictionRuns(IDLE.dividedBy(2));
		limits.setNumTestsPerEvictionRun(-1);
		limits.setJmxEnabled(false);
		this.pool = new ConnectionPool(new Opening(own), limits);
	}

	@Override
	public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
		Duration connectWithin = awaitPermit();
		try {
			return run(take(connectWithin), script, byDigest, arguments);
		}
		finally {
			this.permits.release();
		}
	}

	/** Returns how long to connect at most, if there is no connection. */
	private Duration awaitPermit() {
		if (this.permits.tryAcquire()) {
			return this.patience;
		}
		long begun = System.nanoTime();
		try {
			if (!this.permits.tryAcquire(this.patience.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new TransientStoreException("", BUSY, null);
			}
		}
		catch (InterruptedException ex) {
			throw new TransientStoreException("", INTERRUPTED, ex);
		}
		return this.patience.minusNanos(System.nanoTime() - begun);
	}

	private Connection take(Duration connectWithin) {
		if (connectWithin == this.patience) {
			return this.pool.getResource();
		}
		CONNECT_WITHIN.set(connectWithin);
		try {
			return this.pool.getResource();
		}
		finally {
			CONNECT_WITHIN.remove();
		}
	}

	private List<Object> run(Connection connection, LockScript script, boolean byDigest, ScriptArguments arguments) {
		boolean answered = false;
		try {
			CommandArguments command = new CommandArguments(byDigest ? Protocol.Command.EVALSHA : Protocol.Command.EVAL)
				.add(byDigest ? script.encodedSha() : script.text().getBytes(StandardCharsets.UTF_8))
				.add(arguments.keys())
				.addObjects((Object[]) arguments.words());
			List<Object> reply = Replies.texts(connection.executeCommand(command));
			answered = true;
			return reply;
		}
		catch (JedisDataException ex) {
			answered = !connection.isBroken() && RedisFailure.of(ex) != RedisFailure.OTHER_ROLE;
			throw ex;
		}
		finally {
			giveBack(connection, answered);
		}
	}

	/** An error on the way must not cost the reply. */
	private void giveBack(Connection connection, boolean answered) {
		try {
			if (answered) {
				this.pool.returnResource(connection);
				return;
			}
			returnBroken(connection);
			// What ended this connection may have ended the others, each of which would
			// fail one more command. The interrupt of a virtual thread closes only its
			// own.
			if (!Thread.currentThread().isInterrupted()) {
				this.pool.clear();
			}
		}
		catch (Throwable ex) {
			connection.disconnect();
		}
	}

	private void returnBroken(Connection connection) {
		CONNECT_WITHIN.set(Duration.ZERO);
		try {
			this.pool.returnBrokenResource(connection);
		}
		catch (RuntimeException ex) {
			logger.trace("No other connection was opened for a broken one", ex);
		}
		finally {
			CONNECT_WITHIN.remove();
		}
	}

	@Override
	public void close() {
		this.pool.close();
	}

	/** Opens and closes connections for the pool. */
	private static final class Opening extends BasePooledObjectFactory<Connection> {

		private final LockConnections own;

		private Opening(LockConnections own) {
			this.own = own;
		}

		@Override
		public Connection create() {
			Duration left = CONNECT_WITHIN.get();
			if (left == null) {
				return this.own.open(this.own.longestWait());
			}
			if (left.compareTo(SHORTEST) < 0) {
				throw new TransientStoreException("", BUSY, null);
			}
			return this.own.open(left);
		}

		@Override
		public PooledObject<Connection> wrap(Connection connection) {
			return new DefaultPooledObject<>(connection);
		}

		@Override
		public void destroyObject(PooledObject<Connection> pooled) {
			pooled.getObject().disconnect();
		}

	}

}
