package io.distlock.redis.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.redis.client.KeptConnections.Link;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.FutureFailures;

/**
 * Opens connections on threads of its own, so that no command waits longer than it may.
 * No client limits the lookup of a name, and timeouts of connecting and logging in are
 * those of one address and one step.
 * <p>
 * Invariants: whoever asks for a connection gets one, or an exception, in time; a
 * connection that is ready after that is closed.
 */
final class BoundedOpening implements KeptConnections.Opener {

	private static final String LATE = "Looking up the name of Redis, connecting and logging in took too long";

	private static final String INTERRUPTED = "The thread was interrupted while it connected to Redis";

	private final KeptConnections.Opener opener;

	private final Duration login;

	private final Workers threads;

	/**
	 * Creates an opener.
	 * @param opener opens a connection; may block for longer
	 * @param login how long the login may take after the time for connecting
	 * @param most how many may be opened at a time
	 */
	BoundedOpening(KeptConnections.Opener opener, Duration login, int most) {
		this.opener = opener;
		this.login = login;
		this.threads = new Workers(most);
	}

	@Override
	public Link open(Duration connectWithin) {
		Duration limit = connectWithin.plus(this.login);
		CompletableFuture<Link> opening = this.threads.submit(limit, LATE, () -> this.opener.open(connectWithin));
		boolean taken = false;
		try {
			Link link = opening.get(limit.toNanos(), TimeUnit.NANOSECONDS);
			taken = true;
			return link;
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
				opening.thenAccept(Link::close);
			}
		}
	}

	private static RuntimeException unchecked(Throwable failure) {
		if (failure instanceof Error error) {
			throw error;
		}
		return (RuntimeException) failure;
	}

	@Override
	public void close() {
		this.threads.shutdown();
	}

}
