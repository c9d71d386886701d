package io.distlock.reliability.failover;

import java.time.Duration;

import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import org.awaitility.Awaitility;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connection factories as the documentation recommends them. */
final class Connections {

	/**
	 * A Sentinel that could not run for two seconds makes no server a replica for half a
	 * minute.
	 */
	static final Duration SENTINEL_PATIENCE = Duration.ofMinutes(3);

	private Connections() {
	}

	static LettuceConnectionFactory to(RedisSentinel sentinel) {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(sentinel.masterName());
		sentinel.sentinels().forEach((server) -> configuration.sentinel(server.host(), server.port()));
		return started(new LettuceConnectionFactory(configuration));
	}

	static LettuceConnectionFactory to(RedisCluster cluster) {
		RedisClusterConfiguration configuration = new RedisClusterConfiguration();
		cluster.nodes().forEach((node) -> configuration.clusterNode(node.host(), node.port()));
		ClusterTopologyRefreshOptions refresh = ClusterTopologyRefreshOptions.builder()
			.enablePeriodicRefresh(Duration.ofSeconds(2))
			.enableAllAdaptiveRefreshTriggers()
			.build();
		return started(new LettuceConnectionFactory(configuration,
				LettuceClientConfiguration.builder()
					.commandTimeout(Duration.ofSeconds(2))
					.shutdownTimeout(Duration.ZERO)
					.clientOptions(ClusterClientOptions.builder().topologyRefreshOptions(refresh).build())
					.build()));
	}

	private static LettuceConnectionFactory started(LettuceConnectionFactory factory) {
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	/**
	 * Or else it waits ten seconds before another failover, and as long to see a replica.
	 */
	static void awaitReady(RedisSentinel sentinel) {
		RedisServer watcher = sentinel.sentinels().get(0);
		watcher.command("SENTINEL", "RESET", sentinel.masterName());
		Awaitility.await()
			.atMost(SENTINEL_PATIENCE)
			.until(() -> watcher.command("SENTINEL", "MASTER", sentinel.masterName()).contains("num-slaves\n1\n"));
	}

}
