package io.distlock.redis;

import java.util.EnumMap;
import java.util.Map;

import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisSentinel;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A Cluster and a Sentinel for all tests of this JVM that leave them as they were: they
 * take seconds to start.
 */
final class SharedServers {

	private SharedServers() {
	}

	static RedisCluster cluster() {
		return Cluster.SERVERS;
	}

	static RedisConnectionFactory cluster(Client client) {
		return Cluster.FACTORIES.get(client);
	}

	static RedisConnectionFactory sentinel(Client client) {
		return Sentinel.FACTORIES.get(client);
	}

	private static void atEnd(Runnable action) {
		Runtime.getRuntime().addShutdownHook(new Thread(action, "shared-servers-end"));
	}

	private static final class Cluster {

		private static final RedisCluster SERVERS = RedisCluster.start();

		private static final Map<Client, RedisConnectionFactory> FACTORIES = new EnumMap<>(Client.class);

		static {
			for (Client client : Client.values()) {
				FACTORIES.put(client, client.connect(SERVERS));
			}
			atEnd(() -> {
				FACTORIES.values().forEach(Client::close);
				SERVERS.close();
			});
		}

	}

	private static final class Sentinel {

		private static final Map<Client, RedisConnectionFactory> FACTORIES = new EnumMap<>(Client.class);

		static {
			RedisSentinel servers = RedisSentinel.start();
			for (Client client : Client.values()) {
				FACTORIES.put(client, client.connect(servers));
			}
			atEnd(() -> {
				FACTORIES.values().forEach(Client::close);
				servers.close();
			});
		}

	}

}
