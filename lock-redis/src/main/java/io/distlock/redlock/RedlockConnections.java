package io.distlock.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Connections to the nodes of a {@link RedlockStore}, for an application without
 * connection factories for them. Close them after the store.
 */
public final class RedlockConnections implements AutoCloseable {

	private final List<RedlockNode> nodes = new ArrayList<>();

	private final List<Runnable> closers = new ArrayList<>();

	private RedlockConnections() {
	}

	/**
	 * Prepares connections with Lettuce; does not connect. The nodes share its threads.
	 * @param addresses the addresses of the nodes
	 * @param timeout how long connecting, and each command, may take
	 * @return the connections
	 */
	public static RedlockConnections withLettuce(List<RedlockAddress> addresses, Duration timeout) {
		return withLettuce(addresses, timeout, Duration.ZERO);
	}

	/**
	 * Prepares connections with Lettuce; does not connect. The nodes share its threads.
	 * @param addresses the addresses of the nodes
	 * @param timeout how long each command may take
	 * @param connectTimeout how much longer connecting may take, also later, as in the
	 * {@linkplain RedlockSettings#connectTimeout settings}
	 * @return the connections
	 */
	public static RedlockConnections withLettuce(List<RedlockAddress> addresses, Duration timeout,
			Duration connectTimeout) {
		RedlockConnections connections = new RedlockConnections();
		Lettuce lettuce = new Lettuce(timeout, timeout.plus(connectTimeout));
		addresses.forEach((address) -> {
			LettuceConnectionFactory factory = lettuce.factory(address);
			connections.add(address, factory, factory::destroy);
		});
		connections.closers.add(lettuce::close);
		return connections;
	}

	/**
	 * Prepares connections with Jedis, in a pool for each node; does not connect.
	 * @param addresses the addresses of the nodes
	 * @param timeout how long connecting, and each command, may take
	 * @return the connections
	 */
	public static RedlockConnections withJedis(List<RedlockAddress> addresses, Duration timeout) {
		return withJedis(addresses, timeout, Duration.ZERO);
	}

	/**
	 * Prepares connections with Jedis, in a pool for each node; does not connect.
	 * @param addresses the addresses of the nodes
	 * @param timeout how long each command may take, also those that begin a connection
	 * @param connectTimeout how much longer a node may take to accept a connection, also
	 * later, as in the {@linkplain RedlockSettings#connectTimeout settings}: a node that
	 * accepts none occupies a thread of its pool as long
	 * @return the connections
	 */
	public static RedlockConnections withJedis(List<RedlockAddress> addresses, Duration timeout,
			Duration connectTimeout) {
		RedlockConnections connections = new RedlockConnections();
		addresses.forEach((address) -> {
			JedisConnectionFactory factory = jedis(address, timeout, timeout.plus(connectTimeout));
			connections.add(address, factory, factory::destroy);
		});
		return connections;
	}

	private static JedisConnectionFactory jedis(RedlockAddress address, Duration timeout, Duration connecting) {
		JedisClientConfiguration.JedisClientConfigurationBuilder client = JedisClientConfiguration.builder()
			.connectTimeout(connecting)
			.readTimeout(timeout);
		if (address.tls()) {
			client.useSsl();
		}
		JedisConnectionFactory factory = new JedisConnectionFactory(server(address), client.usePooling().build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	private static RedisStandaloneConfiguration server(RedlockAddress address) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(address.host(), address.port());
		server.setDatabase(address.database());
		if (address.user() != null) {
			server.setUsername(address.user());
		}
		if (address.password() != null) {
			server.setPassword(address.password());
		}
		return server;
	}

	private void add(RedlockAddress address, RedisConnectionFactory factory, Runnable closer) {
		this.nodes.add(new RedlockNode(address.server(), factory));
		this.closers.add(closer);
	}

	/**
	 * Returns the nodes, named by host and port.
	 * @return the nodes in the order of the addresses
	 */
	public List<RedlockNode> nodes() {
		return List.copyOf(this.nodes);
	}

	/** Closes all connections. */
	@Override
	public void close() {
		this.closers.forEach(Runnable::run);
	}

	/** Loaded only if Lettuce is used. */
	private static final class Lettuce {

		private final ClientResources resources = ClientResources.create();

		private final Duration timeout;

		private final Duration connecting;

		private Lettuce(Duration timeout, Duration connecting) {
			this.timeout = timeout;
			this.connecting = connecting;
		}

		private LettuceConnectionFactory factory(RedlockAddress address) {
			LettuceClientConfiguration.LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder()
				.clientResources(this.resources)
				// Limits what is sent to begin a connection.
				.commandTimeout(this.connecting)
				.shutdownTimeout(Duration.ZERO)
				.clientOptions(ClientOptions.builder()
					.socketOptions(SocketOptions.builder().connectTimeout(this.connecting).build())
					.timeoutOptions(TimeoutOptions.enabled(this.timeout))
					.build());
			if (address.tls()) {
				client.useSsl();
			}
			LettuceConnectionFactory factory = new LettuceConnectionFactory(server(address), client.build());
			factory.afterPropertiesSet();
			factory.start();
			return factory;
		}

		private void close() {
			this.resources.shutdown();
		}

	}

}
