package io.distlock.redis.client;

import java.time.Duration;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Opens connections of the store's own with the client that the application configured:
 * same servers, same credentials, same TLS.
 */
public final class LettuceLinks {

	private final LettuceConnectionFactory factory;

	/** A connection, and its commands in the form that all topologies have. */
	public record Link(StatefulConnection<String, String> connection,
			RedisClusterAsyncCommands<String, String> commands, Silence silence) {

		boolean isOpen() {
			return this.connection.isOpen();
		}

		/**
		 * Whether nothing was answered for so long, by a server that hangs or to a client
		 * that takes its time to reconnect.
		 */
		boolean isSilent(Duration limit) {
			return this.silence.longerThan(limit, !isOpen());
		}

		/** Whether the client was told not to reconnect by itself. */
		boolean isGone() {
			return !isOpen() && !this.connection.getOptions().isAutoReconnect();
		}

	}

	public LettuceLinks(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	/** Blocks until connected; throws what the client throws. */
	public Link open() {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		if (client instanceof RedisClusterClient cluster) {
			StatefulRedisClusterConnection<String, String> connection = cluster.connect(StringCodec.UTF8);
			return new Link(connection, connection.async(), new Silence());
		}
		StatefulRedisConnection<String, String> connection = ((RedisClient) client).connect(StringCodec.UTF8);
		return new Link(connection, connection.async(), new Silence());
	}

	/** Blocks until connected; throws what the client throws. */
	StatefulRedisPubSubConnection<String, String> openPubSub() {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		return (client instanceof RedisClusterClient cluster) ? cluster.connectPubSub(StringCodec.UTF8)
				: ((RedisClient) client).connectPubSub(StringCodec.UTF8);
	}

	public String server() {
		RedisSentinelConfiguration sentinel = this.factory.getSentinelConfiguration();
		if (sentinel != null) {
			return "Redis, Sentinel master " + sentinel.getMaster();
		}
		return this.factory.isClusterAware() ? "Redis Cluster"
				: "Redis at " + this.factory.getHostName() + ":" + this.factory.getPort();
	}

}
