package io.distlock.redis.pooled;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

import io.distlock.redis.client.RedisWorkers;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.FutureFailures;

/**
 * Opens connections on other threads, so that no command waits longer than it may. No
 * client limits the lookup of a name, and timeouts of connecting and logging in are those
 * of one address and one step.
 * <p>
 * Invariants: a request for a connection ends in time, with one or an exception; a
 * connection that is ready after that is closed.
 *
 * @param <T> type of the connections
 */
final class BoundedOpening<T> implements AutoCloseable {

	private static final String LATE = "Looking up the name of Redis, connecting and logging in took too long";

	private static final String INTERRUPTED = "The thread was interrupted while it connected to Redis";

	private final Function<Duration, T> opener;

	private final Consumer<T> closer;

	private final Duration login;

	private final RedisWorkers threads;

	/**
	 * Creates an opener.
	 * @param opener opens a connection, and connects to an address within the time given;
	 * may block for longer
	 * @param closer closes a connection; does not block
	 * @param login how long the login may take after the time for connecting
	 * @param most how many may be opened at a time
	 */
	BoundedOpening(Function<Duration, T> opener, Consumer<T> closer, Duration login, int most) {
		this.opener = opener;
		this.closer = closer;
		this.login = login;
		this.threads = new RedisWorkers(most);
	}

	/**
	 * Opens a connection.
	 * @param connectWithin how long to connect at most; the login may take its time after
	 * that
	 * @return the connection; throws what the client throws
	 */
	T open(Duration connectWithin) {
		Duration limit = connectWithin.plus(this.login);
		CompletableFuture<T> opening = this.threads.submit(limit, LATE, () -> this.opener.apply(connectWithin));
		boolean taken = false;
		try {
			T opened = opening.get(limit.toNanos(), TimeUnit.NANOSECONDS);
			taken = true;
			return opened;
		}
		catch (TimeoutException ex) {
			throw new TransientStoreException("", LATE, ex);
		}
		catch (InterruptedException ex) {
			throw new TransientStoreException("", INTERRUPTED, ex);
		}
		catch (ExecutionException ex) {
			throw unchecked(FutureFailures.unwrap(ex));
		}
		finally {
			if (!taken) {
				opening.thenAccept(this.closer);
			}
		}
	}

	private static RuntimeException unchecked(Throwable failure) {
		if (failure instanceof Error error) {
			throw error;
		}
		return (RuntimeException) failure;
	}

	/** Opens no more. */
	@Override
	public void close() {
		this.threads.shutdown();
	}

}
