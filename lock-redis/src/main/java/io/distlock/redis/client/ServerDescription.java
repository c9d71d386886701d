package io.distlock.redis.client;

import java.util.Collection;
import java.util.stream.Collectors;

import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.RedisCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Describes for messages which servers a connection factory is configured for. It asks no
 * server, and the text contains no user and no password.
 */
public final class ServerDescription {

	private static final boolean LETTUCE = isPresent("io.lettuce.core.RedisClient");

	private static final boolean JEDIS = isPresent("redis.clients.jedis.Jedis");

	private ServerDescription() {
	}

	/**
	 * Describes the servers of a connection factory.
	 * @param factory the connection factory
	 * @return a phrase such as {@code Redis at localhost:6379}
	 */
	public static String of(RedisConnectionFactory factory) {
		String text = LETTUCE ? Lettuce.describe(factory) : null;
		text = (text == null && JEDIS) ? Jedis.describe(factory) : text;
		return (text != null) ? text : "Redis through " + factory.getClass().getSimpleName();
	}

	/**
	 * Returns whether connections are encrypted.
	 * @param factory the connection factory
	 * @return {@code false} if they are not, or if that is unknown
	 */
	public static boolean isSecured(RedisConnectionFactory factory) {
		return (LETTUCE && Lettuce.isSecured(factory)) || (JEDIS && Jedis.isSecured(factory));
	}

	/**
	 * Returns whether the client of the factory knows to which server it connects. A
	 * client for a list of a primary and its replicas does not. It asks no server.
	 * @param factory the connection factory
	 * @return {@code true} also for a factory that is not started yet
	 */
	public static boolean isKnown(RedisConnectionFactory factory) {
		return !LETTUCE || Lettuce.isKnown(factory);
	}

	/**
	 * Returns whether the application reads from replicas. Its connections then find the
	 * primary even if the configured server is a replica.
	 * @param factory the connection factory
	 * @return {@code false} if it does not, or if that is unknown
	 */
	public static boolean readsFromReplicas(RedisConnectionFactory factory) {
		return LETTUCE && Lettuce.readsFromReplicas(factory);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, ServerDescription.class.getClassLoader());
	}

	private static String cluster(RedisClusterConfiguration cluster) {
		return "Redis Cluster with " + nodes(cluster.getClusterNodes());
	}

	private static String sentinel(RedisSentinelConfiguration sentinel) {
		NamedNode master = sentinel.getMaster();
		return "Redis master '" + ((master != null) ? master.getName() : "") + "' of Sentinel at "
				+ nodes(sentinel.getSentinels());
	}

	private static String server(String server, int database, boolean tls) {
		return "Redis at " + server + ((database != 0) ? " database " + database : "") + (tls ? " with TLS" : "");
	}

	private static String nodes(Collection<RedisNode> nodes) {
		return nodes.stream().map(RedisNode::asString).sorted().collect(Collectors.joining(", "));
	}

	/** Loaded only if Lettuce is on the class path. */
	private static final class Lettuce {

		static boolean isSecured(RedisConnectionFactory factory) {
			return factory instanceof LettuceConnectionFactory lettuce && lettuce.isUseSsl();
		}

		static boolean readsFromReplicas(RedisConnectionFactory factory) {
			return factory instanceof LettuceConnectionFactory lettuce
					&& lettuce.getClientConfiguration().getReadFrom().isPresent();
		}

		/**
		 * Asks the client by a call that it refuses in any case: without an address for
		 * another reason than with one. Nothing else tells, as each getter of a factory
		 * with static replicas reports localhost.
		 */
		static boolean isKnown(RedisConnectionFactory factory) {
			if (!(factory instanceof LettuceConnectionFactory lettuce) || !lettuce.isRunning()
					|| !(lettuce.getNativeClient() instanceof RedisClient client)) {
				return true;
			}
			@Nullable RedisCodec<String, String> none = null;
			try {
				client.connect(none).close();
				return true;
			}
			catch (IllegalStateException ex) {
				return false;
			}
			catch (IllegalArgumentException ex) {
				return true;
			}
		}

		static @Nullable String describe(RedisConnectionFactory factory) {
			if (!(factory instanceof LettuceConnectionFactory lettuce) || !isKnown(factory)) {
				return null;
			}
			if (lettuce.getClusterConfiguration() != null) {
				return cluster(lettuce.getClusterConfiguration());
			}
			if (lettuce.getSentinelConfiguration() != null) {
				return sentinel(lettuce.getSentinelConfiguration());
			}
			String server = (lettuce.getSocketConfiguration() != null) ? lettuce.getSocketConfiguration().getSocket()
					: lettuce.getHostName() + ":" + lettuce.getPort();
			return server(server, lettuce.getDatabase(), lettuce.isUseSsl());
		}

	}

	/** Loaded only if Jedis is on the class path. */
	private static final class Jedis {

		static boolean isSecured(RedisConnectionFactory factory) {
			return factory instanceof JedisConnectionFactory jedis && jedis.isUseSsl();
		}

		static @Nullable String describe(RedisConnectionFactory factory) {
			if (!(factory instanceof JedisConnectionFactory jedis)) {
				return null;
			}
			if (jedis.getClusterConfiguration() != null) {
				return cluster(jedis.getClusterConfiguration());
			}
			if (jedis.getSentinelConfiguration() != null) {
				return sentinel(jedis.getSentinelConfiguration());
			}
			return server(jedis.getHostName() + ":" + jedis.getPort(), jedis.getDatabase(), jedis.isUseSsl());
		}

	}

}
