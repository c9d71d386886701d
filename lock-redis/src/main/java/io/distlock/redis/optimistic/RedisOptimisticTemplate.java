package io.distlock.redis.optimistic;

import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.distlock.redis.optimistic.OptimisticOutcome.Contended;
import io.distlock.redis.optimistic.OptimisticOutcome.Unchanged;
import io.distlock.redis.optimistic.OptimisticOutcome.Written;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.data.redis.connection.DefaultStringRedisConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.StringRedisConnection;
import org.springframework.util.ClassUtils;

/**
 * Changes keys of Redis without a lock, by WATCH, MULTI and EXEC: reads, lets the
 * application decide, and writes only if the keys did not change meanwhile; otherwise
 * reads again, a limited number of times, with random pauses.
 * <p>
 * Suits short decisions about data that is in one Redis only, where callers seldom meet:
 * no caller waits for another, and a process that dies leaves nothing behind. With many
 * callers on one key most attempts are in vain, and no order is kept: take a lock then,
 * or do all of it in one script.
 * <p>
 * Each attempt uses one connection for all its commands. With Lettuce these are
 * connections of this template, at most eight of them idle, made by the client of the
 * given factory: {@link #close()} closes them. They never reconnect, because the server
 * forgets what a connection watched when it ends. With Jedis they come from the
 * application's pool. A Cluster is refused: Spring Data Redis cannot watch there.
 * <p>
 * Thread-safe. Methods block until Redis answers, at most for the command timeout of the
 * factory per command.
 */
public final class RedisOptimisticTemplate implements AutoCloseable {

	private final Connections connections;

	private final OptimisticSettings settings;

	private final Pause pause;

	/**
	 * Creates a template with {@link OptimisticSettings#DEFAULTS}; does not connect.
	 * @param factory the application's connection factory
	 */
	public RedisOptimisticTemplate(RedisConnectionFactory factory) {
		this(factory, OptimisticSettings.DEFAULTS);
	}

	/**
	 * Creates a template; does not connect.
	 * @param factory the application's connection factory
	 * @param settings how often and how fast a change is tried again
	 */
	public RedisOptimisticTemplate(RedisConnectionFactory factory, OptimisticSettings settings) {
		this(connections(factory), settings, RedisOptimisticTemplate::sleep);
	}

	RedisOptimisticTemplate(Connections connections, OptimisticSettings settings, Pause pause) {
		this.connections = connections;
		this.settings = settings;
		this.pause = pause;
	}

	private static Connections connections(RedisConnectionFactory factory) {
		boolean lettuce = ClassUtils.isPresent("io.lettuce.core.RedisClient",
				RedisOptimisticTemplate.class.getClassLoader());
		return (lettuce && LettuceConnections.suits(factory)) ? LettuceConnections.of(factory)
				: new FactoryConnections(factory);
	}

	/**
	 * Changes what depends on one key.
	 * @param <T> type of the result
	 * @param key the key that must not change between reading and writing
	 * @param read reads and decides; runs once per attempt
	 * @return what became of it
	 * @throws DataAccessException if Redis does not answer or refuses a command. If the
	 * connection broke while Redis executed the writes, they may have taken effect
	 */
	public <T> OptimisticOutcome<T> execute(String key, OptimisticRead<T> read) {
		return execute(List.of(key), read);
	}

	/**
	 * Changes what depends on several keys.
	 * @param <T> type of the result
	 * @param keys the keys that must not change between reading and writing, at least one
	 * @param read reads and decides; runs once per attempt
	 * @return what became of it
	 * @throws DataAccessException if Redis does not answer or refuses a command. If the
	 * connection broke while Redis executed the writes, they may have taken effect. If a
	 * single write fails, as one on a value of another type does, the others stay: Redis
	 * does not undo them
	 * @throws IllegalArgumentException if there are no keys
	 */
	public <T> OptimisticOutcome<T> execute(Collection<String> keys, OptimisticRead<T> read) {
		byte[][] watched = keys.stream().map((key) -> key.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
		if (watched.length == 0) {
			throw new IllegalArgumentException(
					"No key to watch: a change without one would overwrite what it never read");
		}
		try {
			return repeat(watched, read);
		}
		catch (RuntimeException ex) {
			throw DataAccessUtils.translateIfNecessary(ex, this.connections);
		}
	}

	private <T> OptimisticOutcome<T> repeat(byte[][] watched, OptimisticRead<T> read) {
		int attempts = 1;
		OptimisticOutcome<T> outcome = attempt(watched, read, attempts);
		while (outcome instanceof Contended && attempts < this.settings.maxAttempts() && pauseAfter(attempts)) {
			attempts++;
			outcome = attempt(watched, read, attempts);
		}
		return outcome;
	}

	/** Closes the connections of this template; those of the application stay open. */
	@Override
	public void close() {
		this.connections.close();
	}

	private boolean pauseAfter(int attempts) {
		try {
			this.pause.upTo(this.settings.longestPause(attempts));
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private <T> OptimisticOutcome<T> attempt(byte[][] keys, OptimisticRead<T> read, int attempts) {
		RedisConnection connection = watch(keys);
		boolean reset = false;
		try {
			StringRedisConnection redis = new DefaultStringRedisConnection(connection);
			OptimisticChange<T> change = read.read(redis);
			if (change.writes().isEmpty()) {
				connection.unwatch();
				reset = true;
				return new Unchanged<>(change.value(), attempts);
			}
			boolean written = write(redis, keys[0], change.writes().get());
			reset = true;
			return written ? new Written<>(change.value(), attempts) : new Contended<>(attempts);
		}
		finally {
			if (reset || reset(connection)) {
				this.connections.giveBack(connection);
			}
		}
	}

	/** A connection that was idle may be closed by now; one more, a new one, is tried. */
	private RedisConnection watch(byte[][] keys) {
		RedisConnection connection = this.connections.take();
		try {
			return watch(connection, keys);
		}
		catch (RuntimeException ex) {
			if (isTimeout(ex)) {
				throw ex;
			}
			return watch(this.connections.open(), keys);
		}
	}

	private RedisConnection watch(RedisConnection connection, byte[][] keys) {
		boolean watches = false;
		try {
			connection.watch(keys);
			watches = true;
			return connection;
		}
		finally {
			if (!watches) {
				connection.close();
			}
		}
	}

	/** A server that does not answer is asked once, or the caller would wait twice. */
	private static boolean isTimeout(RuntimeException ex) {
		return ex instanceof QueryTimeoutException || ex.getCause() instanceof SocketTimeoutException;
	}

	/**
	 * Writes, unless a watched key has changed. Clients report an EXEC that did nothing
	 * and one of no commands alike, so one more command is sent along.
	 */
	private static boolean write(StringRedisConnection redis, byte[] key, Consumer<StringRedisConnection> writes) {
		redis.multi();
		writes.accept(redis);
		redis.exists(key);
		List<Object> replies = redis.exec();
		return replies != null && !replies.isEmpty();
	}

	/** Ends what the connection watches and collects; closes it if that fails. */
	private static boolean reset(RedisConnection connection) {
		try {
			if (connection.isQueueing()) {
				connection.discard();
			}
			else {
				connection.unwatch();
			}
			return true;
		}
		catch (RuntimeException ex) {
			connection.close();
			return false;
		}
	}

	private static void sleep(Duration longest) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(longest.toNanos() + 1));
	}

}
