package io.distlock.redis.client;

import java.util.Collection;
import java.util.stream.Collectors;

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
 * What a connection factory connects to, for people, as it is configured. No server is
 * asked, and users and passwords stay out of it.
 */
public final class RedisPlace {

	private static final boolean LETTUCE = isPresent("io.lettuce.core.RedisClient");

	private static final boolean JEDIS = isPresent("redis.clients.jedis.Jedis");

	private RedisPlace() {
	}

	public static String of(RedisConnectionFactory factory) {
		String place = (LETTUCE) ? Lettuce.place(factory) : null;
		place = (place == null && JEDIS) ? Jedis.place(factory) : place;
		return (place != null) ? place : "Redis through " + factory.getClass().getSimpleName();
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, RedisPlace.class.getClassLoader());
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

	/** Loaded only where Lettuce is on the class path. */
	private static final class Lettuce {

		static @Nullable String place(RedisConnectionFactory factory) {
			if (!(factory instanceof LettuceConnectionFactory lettuce)) {
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

	/** Loaded only where Jedis is on the class path. */
	private static final class Jedis {

		static @Nullable String place(RedisConnectionFactory factory) {
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
