package io.distlock.redis;

import java.time.Duration;
import java.util.stream.Stream;

import io.distlock.output.Seeds;
import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.JedisPoolConfig;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The clients that Spring Data Redis knows. */
public enum Client {

	LETTUCE {
		@Override
		RedisConnectionFactory connect(RedisConfiguration configuration, int connections) {
			LettuceConnectionFactory factory = (configuration instanceof RedisClusterConfiguration)
					? new LettuceConnectionFactory(configuration, refreshing())
					: new LettuceConnectionFactory(configuration);
			factory.afterPropertiesSet();
			factory.start();
			return factory;
		}

		@Override
		public RedisConnectionFactory connectSecured(RedisStandaloneConfiguration configuration) {
			LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration,
					LettuceClientConfiguration.builder().useSsl().build());
			factory.afterPropertiesSet();
			factory.start();
			return factory;
		}

		/** As the documentation asks for. */
		private LettuceClientConfiguration refreshing() {
			ClusterTopologyRefreshOptions refresh = ClusterTopologyRefreshOptions.builder()
				.enablePeriodicRefresh(Duration.ofSeconds(2))
				.enableAllAdaptiveRefreshTriggers()
				.build();
			return LettuceClientConfiguration.builder()
				.commandTimeout(Duration.ofSeconds(5))
				.shutdownTimeout(Duration.ZERO)
				.clientOptions(ClusterClientOptions.builder().topologyRefreshOptions(refresh).build())
				.build();
		}
	},

	JEDIS {
		@Override
		RedisConnectionFactory connect(RedisConfiguration configuration, int connections) {
			JedisPoolConfig pool = new JedisPoolConfig();
			pool.setMaxTotal(connections);
			JedisClientConfiguration client = JedisClientConfiguration.builder()
				.readTimeout(Duration.ofSeconds(5))
				.usePooling()
				.poolConfig(pool)
				.build();
			JedisConnectionFactory factory = factory(configuration, client);
			// Without it, user, password and timeouts are left out.
			factory.afterPropertiesSet();
			factory.start();
			return factory;
		}

		@Override
		public RedisConnectionFactory connectSecured(RedisStandaloneConfiguration configuration) {
			JedisConnectionFactory factory = new JedisConnectionFactory(configuration,
					JedisClientConfiguration.builder().useSsl().build());
			factory.afterPropertiesSet();
			factory.start();
			return factory;
		}

		private JedisConnectionFactory factory(RedisConfiguration configuration, JedisClientConfiguration client) {
			if (configuration instanceof RedisClusterConfiguration cluster) {
				return new JedisConnectionFactory(cluster, client);
			}
			return (configuration instanceof RedisSentinelConfiguration sentinel)
					? new JedisConnectionFactory(sentinel, client)
					: new JedisConnectionFactory((RedisStandaloneConfiguration) configuration, client);
		}
	};

	/** With so many connections, where a client has a pool. */
	abstract RedisConnectionFactory connect(RedisConfiguration configuration, int connections);

	/** As Spring Boot would without further settings. */
	public RedisConnectionFactory connect(RedisConfiguration configuration) {
		return connect(configuration, GenericObjectPoolConfig.DEFAULT_MAX_TOTAL);
	}

	/** The same with TLS. */
	public abstract RedisConnectionFactory connectSecured(RedisStandaloneConfiguration configuration);

	/** In the usual build one of them. */
	static Stream<Client> tested() {
		return Stream.of(values()).limit(Seeds.of("redis.clients", 1, 2));
	}

	public RedisConnectionFactory connect(RedisServer server) {
		return connect(of(server));
	}

	public RedisConnectionFactory connect(RedisCluster cluster) {
		return connect(nodes(cluster));
	}

	public RedisConnectionFactory connect(RedisSentinel sentinel) {
		return connect(of(sentinel));
	}

	static RedisStandaloneConfiguration of(RedisServer server) {
		return new RedisStandaloneConfiguration(server.host(), server.port());
	}

	static RedisSentinelConfiguration of(RedisSentinel sentinel) {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(sentinel.masterName());
		sentinel.sentinels().forEach((server) -> configuration.sentinel(server.host(), server.port()));
		return configuration;
	}

	static RedisClusterConfiguration nodes(RedisCluster cluster) {
		RedisClusterConfiguration configuration = new RedisClusterConfiguration();
		cluster.nodes().forEach((node) -> configuration.clusterNode(node.host(), node.port()));
		return configuration;
	}

	public static void close(RedisConnectionFactory factory) {
		if (factory instanceof LettuceConnectionFactory lettuce) {
			lettuce.destroy();
		}
		else if (factory instanceof JedisConnectionFactory jedis) {
			jedis.destroy();
		}
	}

}
