package io.distlock.redis;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A server, a Cluster and a Sentinel for all tests of this JVM that leave them as they
 * were; each is started when it is first asked for.
 */
final class SharedServers {

	/** With time for a machine that runs many tests at once. */
	static final RedisLockStoreSettings PATIENT = RedisLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(10))
		.connectTimeout(Duration.ofSeconds(30))
		.pollInterval(Duration.ofSeconds(2))
		.build();

	/** For several tests at a time. */
	static final int CONNECTIONS = 64;

	private SharedServers() {
	}

	static RedisServer standalone() {
		return Standalone.SERVERS.servers;
	}

	static RedisConnectionFactory standalone(Client client) {
		return Standalone.SERVERS.factories.get(client);
	}

	static RedisCluster cluster() {
		return Cluster.SERVERS.servers;
	}

	static RedisConnectionFactory cluster(Client client) {
		return Cluster.SERVERS.factories.get(client);
	}

	static RedisConnectionFactory sentinel(Client client) {
		return Sentinel.SERVERS.factories.get(client);
	}

	/** Until this JVM ends. */
	static void atEnd(Runnable action) {
		Runtime.getRuntime().addShutdownHook(new Thread(action, "shared-servers-end"));
	}

	private static final class Standalone {

		private static final Shared<RedisServer> SERVERS = new Shared<>(RedisServer.start(), Client::of,
				RedisServer::close);

	}

	private static final class Cluster {

		private static final Shared<RedisCluster> SERVERS = new Shared<>(RedisCluster.start(), Client::nodes,
				RedisCluster::close);

	}

	private static final class Sentinel {

		/** No test lets these fail over, and a machine that stalls must not either. */
		private static final Shared<RedisSentinel> SERVERS = new Shared<>(
				RedisSentinel.builder().downAfter(Duration.ofMinutes(1)).start(), Client::of, RedisSentinel::close);

	}

	private static final class Shared<S> {

		private final S servers;

		private final Map<Client, RedisConnectionFactory> factories = new EnumMap<>(Client.class);

		private Shared(S servers, Function<S, RedisConfiguration> address, Consumer<S> closing) {
			this.servers = servers;
			for (Client client : Client.values()) {
				this.factories.put(client, client.connect(address.apply(servers), CONNECTIONS));
			}
			atEnd(() -> {
				this.factories.values().forEach(Client::close);
				closing.accept(servers);
			});
		}

	}

}
