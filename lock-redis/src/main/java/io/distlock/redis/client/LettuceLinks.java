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

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Opens connections for the store alone, with the client that the application configured:
 * same servers, same credentials, same TLS.
 */
final class LettuceLinks {

	private final LettuceConnectionFactory factory;

	/** A connection, and its commands in the form that all topologies have. */
	record Link(StatefulConnection<String, String> connection, RedisClusterAsyncCommands<String, String> commands,
			UnansweredTimer unanswered) {

		boolean isOpen() {
			return this.connection.isOpen();
		}

		/**
		 * Returns whether answers have been missing for longer than a limit, because the
		 * server hangs or the client takes its time to reconnect.
		 */
		boolean isSilent(Duration limit) {
			return this.unanswered.longerThan(limit, !isOpen());
		}

		/** Returns whether it is lost and the client is configured not to reconnect. */
		boolean isGone() {
			return !isOpen() && !this.connection.getOptions().isAutoReconnect();
		}

	}

	LettuceLinks(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	/** Blocks until connected; throws what the client throws. */
	Link open() {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		if (client instanceof RedisClusterClient cluster) {
			StatefulRedisClusterConnection<String, String> connection = cluster.connect(StringCodec.UTF8);
			return new Link(connection, connection.async(), new UnansweredTimer());
		}
		StatefulRedisConnection<String, String> connection = ((RedisClient) client).connect(StringCodec.UTF8);
		return new Link(connection, connection.async(), new UnansweredTimer());
	}

	/** Blocks until connected; throws what the client throws. */
	StatefulRedisPubSubConnection<String, String> openPubSub() {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		return (client instanceof RedisClusterClient cluster) ? cluster.connectPubSub(StringCodec.UTF8)
				: ((RedisClient) client).connectPubSub(StringCodec.UTF8);
	}

	String server() {
		return ServerDescription.of(this.factory);
	}

}
