package io.distlock.redis.pooled;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.redis.client.RedisWorkers;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * A pool of Jedis that opens its connections on threads of its own. A caller waits only
 * briefly for a new connection, also while a name is looked up or a login is slow. A
 * connection that opens later goes to the pool, because the next one may need as long.
 */
final class DedicatedPool extends ConnectionPool {

	private static final Logger logger = LoggerFactory.getLogger(DedicatedPool.class);

	private final Opener opener;

	/**
	 * Creates a pool; connects with its first use.
	 * @param server the server
	 * @param login how to connect, with the time that an attempt may take
	 * @param limits the size of the pool, and how long a caller waits for a connection
	 * that another caller uses
	 * @param patience how long a caller waits for a new connection
	 * @param answer how long an answer may take
	 */
	DedicatedPool(HostAndPort server, JedisClientConfig login, GenericObjectPoolConfig<Connection> limits,
			Duration patience, Duration answer) {
		this(new Opener(server, login, patience, (int) answer.toMillis()), limits);
	}

	private DedicatedPool(Opener opener, GenericObjectPoolConfig<Connection> limits) {
		super(opener, limits);
		this.opener = opener;
		opener.spare = this::addObject;
	}

	@Override
	public void close() {
		super.close();
		this.opener.threads.shutdown();
	}

	private interface Spare {

		void add() throws Exception;

	}

	/** Opens connections, and drops those that were closed before they were returned. */
	private static final class Opener extends ConnectionFactory {

		/**
		 * The most attempts at a time, of which those in excess of the usual ones hang.
		 */
		private static final int MOST = 64;

		private static final int USUAL = 16;

		/** Another attempt begins so often if all usual ones hang. */
		private static final long APART_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

		private final RedisWorkers threads = new RedisWorkers(MOST);

		private final Duration patience;

		private final int answerMillis;

		private final String server;

		/** The connection that the pool takes on this thread. */
		private final ThreadLocal<@Nullable Connection> opened = new ThreadLocal<>();

		private final Deque<CompletableFuture<Connection>> waiting = new ArrayDeque<>();

		private volatile Spare spare = () -> {
		};

		private Attempts attempts = new Attempts(0, 0, 0);

		private Opener(HostAndPort server, JedisClientConfig login, Duration patience, int answerMillis) {
			super(server, login);
			this.server = server.toString();
			this.patience = patience;
			this.answerMillis = answerMillis;
		}

		@Override
		public void activateObject(PooledObject<Connection> pooled) throws Exception {
			if (!pooled.getObject().isConnected()) {
				throw new JedisConnectionException("The connection is closed");
			}
			super.activateObject(pooled);
		}

		@Override
		public PooledObject<Connection> makeObject() throws Exception {
			Connection given = this.opened.get();
			if (given != null) {
				this.opened.remove();
				return new DefaultPooledObject<>(given);
			}
			CompletableFuture<Connection> waiter = new CompletableFuture<>();
			begin(waiter);
			return new DefaultPooledObject<>(await(waiter));
		}

		private Connection await(CompletableFuture<Connection> waiter) throws InterruptedException {
			try {
				return waiter.get(this.patience.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (ExecutionException ex) {
				if (ex.getCause() instanceof RuntimeException failure) {
					throw failure;
				}
				throw new JedisConnectionException("Cannot connect to " + this.server, ex.getCause());
			}
			catch (TimeoutException ex) {
				// The connection may come at this moment.
				if (!waiter.cancel(false)) {
					return waiter.join();
				}
				throw new JedisConnectionException(
						"No connection to " + this.server + " opened within " + this.patience.toMillis() + " ms");
			}
			catch (InterruptedException ex) {
				if (!waiter.cancel(false)) {
					waiter.thenAccept(this::keep);
				}
				throw ex;
			}
		}

		private void begin(CompletableFuture<Connection> waiter) {
			synchronized (this.waiting) {
				this.waiting.removeIf(CompletableFuture::isDone);
				this.waiting.add(waiter);
			}
			beginIfDue();
		}

		private void beginIfDue() {
			long attempt;
			synchronized (this.waiting) {
				long now = System.nanoTime();
				Attempts known = this.attempts;
				if (this.waiting.isEmpty() || known.running() >= MOST
						|| (known.running() >= USUAL && now - known.begunAt() < APART_NANOS)) {
					return;
				}
				attempt = known.latest() + 1;
				this.attempts = new Attempts(known.running() + 1, now, attempt);
			}
			try {
				this.threads.execute(() -> open(attempt));
			}
			catch (Throwable ex) {
				failed(attempt, ex);
			}
		}

		private void open(long attempt) {
			Connection connection;
			try {
				connection = super.makeObject().getObject();
				connection.setSoTimeout(this.answerMillis);
			}
			catch (Throwable ex) {
				failed(attempt, ex);
				return;
			}
			synchronized (this.waiting) {
				this.attempts = this.attempts.oneEnded();
			}
			give(connection);
			beginIfDue();
		}

		private void give(Connection connection) {
			for (CompletableFuture<Connection> waiter = next(); waiter != null; waiter = next()) {
				if (waiter.complete(connection)) {
					return;
				}
			}
			keep(connection);
		}

		private @Nullable CompletableFuture<Connection> next() {
			synchronized (this.waiting) {
				return this.waiting.poll();
			}
		}

		/** Adds a connection to the pool, unless the pool is full or closed. */
		private void keep(Connection connection) {
			this.opened.set(connection);
			try {
				this.spare.add();
			}
			catch (Exception ex) {
				logger.debug("A connection that opened late is not needed", ex);
			}
			finally {
				if (this.opened.get() != null) {
					this.opened.remove();
					disconnect(connection);
				}
			}
		}

		private static void disconnect(Connection connection) {
			try {
				connection.disconnect();
			}
			catch (JedisConnectionException ex) {
				logger.debug("A connection that is not needed did not close in good order", ex);
			}
		}

		/**
		 * Fails all callers that wait if the latest attempt failed, because each of them
		 * would ask the server in vain. An earlier attempt may have met a server that is
		 * back by now.
		 */
		private void failed(long attempt, Throwable failure) {
			List<CompletableFuture<Connection>> failing = List.of();
			synchronized (this.waiting) {
				this.attempts = this.attempts.oneEnded();
				if (attempt == this.attempts.latest()) {
					failing = List.copyOf(this.waiting);
					this.waiting.clear();
				}
			}
			failing.forEach((waiter) -> waiter.completeExceptionally(failure));
			beginIfDue();
		}

		/**
		 * The attempts to connect. Guarded by the queue of those who wait.
		 *
		 * @param running how many are under way
		 * @param begunAt when the latest one began
		 * @param latest its number
		 */
		private record Attempts(int running, long begunAt, long latest) {

			Attempts oneEnded() {
				return new Attempts(this.running - 1, this.begunAt, this.latest);
			}

		}

	}

}
