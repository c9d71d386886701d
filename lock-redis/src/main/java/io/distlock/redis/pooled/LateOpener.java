package io.distlock.redis.pooled;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.distlock.redis.client.RedisWorkers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Opens the connections of a pool of Jedis on threads of its own. A caller waits only
 * briefly for a new connection, also while a name is looked up or a login is slow. A
 * connection that opens later goes to the pool, because the next one may need as long.
 */
final class LateOpener {

	private static final Logger logger = LoggerFactory.getLogger(LateOpener.class);

	/**
	 * The most attempts at a time, of which those in excess of the usual ones hang.
	 */
	private static final int MOST = 64;

	private static final int USUAL = 16;

	/** Another attempt begins so often if all usual ones hang. */
	private static final long APART_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private final RedisWorkers threads = new RedisWorkers(MOST);

	private final Supplier<String> server;

	private final Duration patience;

	private final Callable<Connection> open;

	/** The connection that the pool takes on this thread. */
	private final ThreadLocal<@Nullable Connection> opened = new ThreadLocal<>();

	private final Deque<CompletableFuture<Connection>> waiting = new ArrayDeque<>();

	private volatile Spare spare = () -> {
	};

	private Attempts attempts = new Attempts(0, 0, 0);

	/**
	 * Creates an opener, which opens nothing by itself.
	 * @param server describes the server
	 * @param patience how long a caller waits for a new connection
	 * @param open opens a connection; may take longer
	 */
	LateOpener(Supplier<String> server, Duration patience, Callable<Connection> open) {
		this.server = server;
		this.patience = patience;
		this.open = open;
	}

	/** Lets a pool ask {@link #take} for one more connection. */
	interface Spare {

		void add() throws Exception;

	}

	/** Sets how connections that open late go to the pool. */
	void keepBy(Spare pool) {
		this.spare = pool;
	}

	/**
	 * Returns a new connection.
	 * @return the connection, or the one that opened late and goes to the pool now
	 */
	Connection take() throws InterruptedException {
		Connection given = this.opened.get();
		if (given != null) {
			this.opened.remove();
			return given;
		}
		CompletableFuture<Connection> waiter = new CompletableFuture<>();
		begin(waiter);
		return await(waiter);
	}

	/** Begins no more attempts. */
	void shutdown() {
		this.threads.shutdown();
	}

	private Connection await(CompletableFuture<Connection> waiter) throws InterruptedException {
		try {
			return waiter.get(this.patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new JedisConnectionException("Cannot connect to " + this.server.get(), ex.getCause());
		}
		catch (TimeoutException ex) {
			// The connection may come at this moment.
			if (!waiter.cancel(false)) {
				return waiter.join();
			}
			throw new JedisConnectionException(
					"No connection to " + this.server.get() + " opened within " + this.patience.toMillis() + " ms");
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
			connection = this.open.call();
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
	 * would ask the server in vain. An earlier attempt may have met a server that is back
	 * by now.
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
