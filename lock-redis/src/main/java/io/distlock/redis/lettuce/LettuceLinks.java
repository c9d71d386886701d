package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

import io.distlock.redis.client.Connections;
import io.distlock.redis.client.ServerDescription;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Opens connections that only the store uses. It uses the client that the application
 * configured, with the same servers, credentials and TLS settings.
 */
final class LettuceLinks {

	private static final Logger logger = LoggerFactory.getLogger(LettuceLinks.class);

	private final LettuceConnectionFactory factory;

	private final @Nullable LettuceSentinels sentinels;

	/** A connection and the commands that all topologies share. */
	record Link(StatefulConnection<byte[], byte[]> connection, RedisClusterAsyncCommands<byte[], byte[]> commands,
			UnansweredTimer unanswered) {

		boolean isOpen() {
			return this.connection.isOpen();
		}

		/**
		 * Returns whether answers have been missing for longer than a limit, because the
		 * server hangs or the client needs long to reconnect.
		 */
		boolean isSilent(Duration limit, long now) {
			return this.unanswered.longerThan(limit, now, !isOpen());
		}

		/**
		 * Returns whether the connection is lost and the client is configured not to
		 * reconnect.
		 */
		boolean isGone() {
			return !isOpen() && !this.connection.getOptions().isAutoReconnect();
		}

	}

	LettuceLinks(LettuceConnectionFactory factory) {
		this(factory, null);
	}

	/**
	 * Creates links.
	 * @param factory the application's connection factory
	 * @param sentinels know where the master is; {@code null} if the client finds the
	 * server by itself
	 */
	LettuceLinks(LettuceConnectionFactory factory, @Nullable LettuceSentinels sentinels) {
		this.factory = factory;
		this.sentinels = sentinels;
	}

	/** Blocks until connected; throws the client's exceptions. */
	Link open() {
		AbstractRedisClient client = client();
		if (client instanceof RedisClusterClient cluster) {
			StatefulRedisClusterConnection<byte[], byte[]> connection = cluster.connect(ByteArrayCodec.INSTANCE);
			return new Link(connection, connection.async(), new UnansweredTimer());
		}
		RedisClient single = (RedisClient) client;
		StatefulRedisConnection<byte[], byte[]> connection = toMaster(
				(uri) -> single.connect(ByteArrayCodec.INSTANCE, uri), () -> single.connect(ByteArrayCodec.INSTANCE));
		return new Link(connection, connection.async(), new UnansweredTimer());
	}

	@SuppressWarnings("ConstantValue")
	private AbstractRedisClient client() {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		if (client == null) {
			throw Connections.none(this.factory);
		}
		return client;
	}

	private <T> T toMaster(Function<RedisURI, T> direct, Supplier<T> asConfigured) {
		LettuceSentinels watch = this.sentinels;
		RedisURI known = (watch != null) ? watch.master() : null;
		if (watch != null && known != null) {
			try {
				return direct.apply(known);
			}
			catch (RedisConnectionException ex) {
				logger.debug("Cannot connect to the master that the Sentinels name, asking them again", ex);
				watch.openedElsewhere();
			}
		}
		return asConfigured.get();
	}

	/** Blocks until connected; throws the client's exceptions. */
	StatefulRedisPubSubConnection<String, String> openPubSub() {
		AbstractRedisClient client = client();
		if (client instanceof RedisClusterClient cluster) {
			return cluster.connectPubSub(StringCodec.UTF8);
		}
		RedisClient single = (RedisClient) client;
		return toMaster((uri) -> single.connectPubSub(StringCodec.UTF8, uri),
				() -> single.connectPubSub(StringCodec.UTF8));
	}

	String server() {
		return ServerDescription.of(this.factory);
	}

}
