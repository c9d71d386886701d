package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.distlock.redis.client.ReplicaConnection;
import io.distlock.redis.lettuce.LettuceLinks.Link;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.Replies;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.spi.TransientStoreException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;

/** Waits for replicas on a native connection that only the store uses. */
final class LettuceReplicaConnection implements ReplicaConnection {

	private final Link link;

	private final Duration patience;

	/**
	 * Whether the connection was lost. The client reconnects by itself and repeats WAIT,
	 * perhaps on another server, whose replicas lack the writes of this connection.
	 */
	private volatile boolean broken;

	private LettuceReplicaConnection(Link link, Duration patience) {
		this.link = link;
		this.patience = patience;
		link.connection().addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
				LettuceReplicaConnection.this.broken = true;
			}

		});
		if (!link.isOpen()) {
			this.broken = true;
		}
	}

	/**
	 * Opens a connection; fails if that takes longer than the patience, and then passes
	 * the connection on when it opens.
	 */
	static ReplicaConnection open(LettuceLinks links, Executor connector, Duration patience,
			Consumer<ReplicaConnection> late) {
		CompletableFuture<Link> opening = CompletableFuture.supplyAsync(links::open, connector);
		try {
			return new LettuceReplicaConnection(get(opening, patience), patience);
		}
		catch (RuntimeException ex) {
			opening.thenAccept((link) -> late.accept(new LettuceReplicaConnection(link, patience)));
			throw ex;
		}
	}

	@Override
	public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
		ScriptCommand command = new ScriptCommand(script, byDigest, arguments);
		this.link.connection().dispatch(command);
		return Replies.texts(get(command, this.patience));
	}

	@Override
	public long awaitReplicas(int required, Duration timeout) {
		long confirmed = get(this.link.commands().waitForReplication(required, timeout.toMillis()),
				timeout.plus(this.patience));
		return this.broken ? 0 : confirmed;
	}

	@Override
	public boolean isSound() {
		return !this.broken;
	}

	@Override
	public void close() {
		this.link.connection().closeAsync();
	}

	private static <T> T get(Future<T> future, Duration atMost) {
		try {
			return future.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw new TransientStoreException("", "Redis did not answer within " + atMost.toMillis() + " ms", ex);
		}
		catch (ExecutionException | CancellationException ex) {
			throw new CompletionException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CompletionException(ex);
		}
	}

}
