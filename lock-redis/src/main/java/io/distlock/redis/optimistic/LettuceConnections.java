package io.distlock.redis.optimistic;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionProvider;

/**
 * Connections of the application's client that never reconnect. Lettuce connects anew in
 * silence, and the server then watches nothing any more: the next EXEC would write what
 * rests on an old value. They also read from the master, wherever the application reads
 * from.
 */
final class LettuceConnections implements Connections {

	private static final int MOST_IDLE = 8;

	private final LettuceConnectionFactory factory;

	private final Lock lock = new ReentrantLock();

	private final Deque<RedisConnection> idle = new ArrayDeque<>();

	private boolean closed;

	private LettuceConnections(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	static boolean suits(RedisConnectionFactory factory) {
		return factory instanceof LettuceConnectionFactory;
	}

	static LettuceConnections of(RedisConnectionFactory factory) {
		LettuceConnectionFactory lettuce = (LettuceConnectionFactory) factory;
		if (lettuce.isClusterAware()) {
			throw new IllegalArgumentException("The connection factory is one of a Redis Cluster: " + NO_CLUSTER);
		}
		return new LettuceConnections(lettuce);
	}

	@Override
	public RedisConnection take() {
		RedisConnection connection;
		this.lock.lock();
		try {
			connection = this.idle.pollLast();
		}
		finally {
			this.lock.unlock();
		}
		return (connection != null) ? connection : open();
	}

	@Override
	public RedisConnection open() {
		RedisClient client = (RedisClient) this.factory.getRequiredNativeClient();
		StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
		connection.addListener(new RedisConnectionStateAdapter() {
			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
				connection.closeAsync();
			}
		});
		return new LettuceConnection(null, new One(connection), this.factory.getTimeout(), this.factory.getDatabase());
	}

	@Override
	public void giveBack(RedisConnection connection) {
		if (!keep(connection)) {
			connection.close();
		}
	}

	private boolean keep(RedisConnection connection) {
		this.lock.lock();
		try {
			boolean room = !this.closed && this.idle.size() < MOST_IDLE;
			if (room) {
				this.idle.addLast(connection);
			}
			return room;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException ex) {
		return this.factory.translateExceptionIfPossible(ex);
	}

	@Override
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.idle.forEach(RedisConnection::close);
			this.idle.clear();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Gives Spring's connection the one that it shall use. */
	private record One(StatefulRedisConnection<byte[], byte[]> connection) implements LettuceConnectionProvider {

		@Override
		public <T extends StatefulConnection<?, ?>> CompletableFuture<T> getConnectionAsync(Class<T> type) {
			return CompletableFuture.completedFuture(type.cast(this.connection));
		}

	}

}
