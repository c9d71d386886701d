package io.distlock.redis.client;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ServerDescriptionTests {

	private static final String SECRET = "s3cret";

	@ParameterizedTest
	@MethodSource
	void describeNamesServersAndNoSecret(RedisConnectionFactory factory, String description) {
		assertThat(ServerDescription.of(factory)).isEqualTo(description).doesNotContain(SECRET);
	}

	static Stream<Arguments> describeNamesServersAndNoSecret() {
		LettuceClientConfiguration tls = LettuceClientConfiguration.builder().useSsl().build();
		JedisClientConfiguration jedisTls = JedisClientConfiguration.builder().useSsl().build();
		return Stream.of(arguments(new LettuceConnectionFactory(server(0)), "Redis at redis-1:6380"),
				arguments(new LettuceConnectionFactory(server(3), tls), "Redis at redis-1:6380 database 3 with TLS"),
				arguments(new LettuceConnectionFactory(new RedisSocketConfiguration("/run/redis.sock")),
						"Redis at /run/redis.sock"),
				arguments(new LettuceConnectionFactory(sentinel()),
						"Redis master 'shop' of Sentinel at s1:26379, s2:26379"),
				arguments(new LettuceConnectionFactory(cluster()), "Redis Cluster with c1:7000, c2:7000"),
				arguments(new JedisConnectionFactory(server(3), jedisTls), "Redis at redis-1:6380 database 3 with TLS"),
				arguments(new JedisConnectionFactory(sentinel()),
						"Redis master 'shop' of Sentinel at s1:26379, s2:26379"),
				arguments(new JedisConnectionFactory(cluster()), "Redis Cluster with c1:7000, c2:7000"));
	}

	/** Each getter of such a factory reports localhost. */
	@Test
	void describeWhenTheServersAreAListThenNotLocalhost() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStaticMasterReplicaConfiguration("redis-1"));
		factory.start();
		assertThat(ServerDescription.of(factory)).isEqualTo("Redis through LettuceConnectionFactory");
		factory.destroy();
	}

	@Test
	void describeWhenTheServerIsLocalhostThenNamed() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory();
		factory.start();
		assertThat(ServerDescription.of(factory)).isEqualTo("Redis at localhost:6379");
		factory.destroy();
	}

	private static RedisStandaloneConfiguration server(int database) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("redis-1", 6380);
		server.setUsername(SECRET);
		server.setPassword(SECRET);
		server.setDatabase(database);
		return server;
	}

	private static RedisSentinelConfiguration sentinel() {
		RedisSentinelConfiguration sentinel = new RedisSentinelConfiguration().master("shop")
			.sentinel("s2", 26379)
			.sentinel("s1", 26379);
		sentinel.setPassword(SECRET);
		sentinel.setSentinelPassword(SECRET);
		return sentinel;
	}

	private static RedisClusterConfiguration cluster() {
		RedisClusterConfiguration cluster = new RedisClusterConfiguration().clusterNode("c2", 7000)
			.clusterNode("c1", 7000);
		cluster.setPassword(SECRET);
		return cluster;
	}

}
