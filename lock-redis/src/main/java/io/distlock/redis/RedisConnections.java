package io.distlock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.distlock.redis.pooled.DedicatedServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Provides connections to servers that only locks use, for an application without
 * connection factories for these servers. Close them after the store.
 */
public final class RedisConnections implements AutoCloseable {

	private final List<Server> servers = new ArrayList<>();

	private final List<Runnable> closers = new ArrayList<>();

	private final Runnable lastCloser;

	/**
	 * Represents a server.
	 *
	 * @param name host and port
	 * @param factory opens connections to it
	 */
	public record Server(String name, RedisConnectionFactory factory) {
	}

	/**
	 * Holds the connections to one server.
	 *
	 * @param factory opens the connections
	 * @param closer closes the connections
	 */
	record Opened(RedisConnectionFactory factory, Runnable closer) {
	}

	private RedisConnections(Runnable lastCloser) {
		this.lastCloser = lastCloser;
	}

	/**
	 * Prepares connections to all servers, or to none if one fails.
	 * @param addresses the addresses of the servers
	 * @param opener prepares the connections to one of them
	 * @param lastCloser closes the resources that the servers share
	 * @return the connections
	 */
	static RedisConnections open(List<RedisAddress> addresses, Function<RedisAddress, Opened> opener,
			Runnable lastCloser) {
		RedisConnections connections = new RedisConnections(lastCloser);
		try {
			addresses.forEach((address) -> connections.add(address, opener.apply(address)));
			return connections;
		}
		catch (Throwable ex) {
			connections.closeAfter(ex);
			throw ex;
		}
	}

	/**
	 * Prepares connections with Lettuce; does not connect. The servers share the threads
	 * of Lettuce.
	 * @param addresses the addresses of the servers
	 * @param timeout how long connecting, and each command, may take
	 * @return the connections
	 */
	public static RedisConnections withLettuce(List<RedisAddress> addresses, Duration timeout) {
		return withLettuce(addresses, timeout, Duration.ZERO);
	}

	/**
	 * Prepares connections with Lettuce; does not connect. The servers share the threads
	 * of Lettuce.
	 * @param addresses the addresses of the servers
	 * @param timeout how long each command may take
	 * @param connectTimeout how much longer connecting may take, even later
	 * @return the connections
	 */
	public static RedisConnections withLettuce(List<RedisAddress> addresses, Duration timeout,
			Duration connectTimeout) {
		Lettuce lettuce = new Lettuce(timeout, timeout.plus(connectTimeout));
		return open(addresses, lettuce::open, lettuce::close);
	}

	/**
	 * Prepares connections with Jedis, in a pool for each server; does not connect.
	 * @param addresses the addresses of the servers
	 * @param timeout how long connecting, and each command, may take
	 * @return the connections
	 */
	public static RedisConnections withJedis(List<RedisAddress> addresses, Duration timeout) {
		return withJedis(addresses, timeout, Duration.ZERO);
	}

	/**
	 * Prepares connections with Jedis, in a pool for each server; does not connect.
	 * @param addresses the addresses of the servers
	 * @param timeout how long each command may take, including the commands that begin a
	 * connection
	 * @param connectTimeout how much longer a server may take to accept a connection,
	 * even later. A server that accepts none occupies a thread of its pool for that time
	 * @return the connections
	 */
	public static RedisConnections withJedis(List<RedisAddress> addresses, Duration timeout, Duration connectTimeout) {
		return open(addresses, (address) -> Jedis.open(address, timeout, timeout.plus(connectTimeout)), () -> {
		});
	}

	private static RedisStandaloneConfiguration server(RedisAddress address) {
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

	private void add(RedisAddress address, Opened opened) {
		this.closers.add(opened.closer());
		this.servers.add(new Server(address.server(), opened.factory()));
	}

	private void closeAfter(Throwable failure) {
		try {
			close();
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

	/**
	 * Returns the servers.
	 * @return the servers in the order of the addresses
	 */
	public List<Server> servers() {
		return List.copyOf(this.servers);
	}

	/** Closes all connections, even if one of them cannot be closed. */
	@Override
	public void close() {
		RuntimeException first = null;
		for (Runnable closer : this.closers) {
			first = run(closer, first);
		}
		first = run(this.lastCloser, first);
		if (first != null) {
			throw first;
		}
	}

	/** Runs a closer; returns the first failure, to which later failures are added. */
	private static @Nullable RuntimeException run(Runnable closer, @Nullable RuntimeException first) {
		try {
			closer.run();
			return first;
		}
		catch (RuntimeException ex) {
			if (first == null) {
				return ex;
			}
			first.addSuppressed(ex);
			return first;
		}
	}

	/**
	 * Starts a factory.
	 * @param factory prepares connections
	 * @param starter starts the factory
	 * @param closer closes the factory, even if it does not start
	 */
	static Opened started(RedisConnectionFactory factory, Runnable starter, Runnable closer) {
		boolean started = false;
		try {
			starter.run();
			started = true;
			return new Opened(factory, closer);
		}
		finally {
			if (!started) {
				closer.run();
			}
		}
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

		private Opened open(RedisAddress address) {
			LettuceClientConfiguration.LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder()
				.clientResources(this.resources)
				// Limits the commands that begin a connection.
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
			return started(factory, factory::start, factory::destroy);
		}

		private void close() {
			this.resources.shutdown();
		}

	}

	/** Loaded only if Jedis is on the class path, with the pool that it needs. */
	private static final class Jedis {

		private Jedis() {
		}

		static Opened open(RedisAddress address, Duration timeout, Duration connecting) {
			JedisClientConfiguration.JedisClientConfigurationBuilder client = JedisClientConfiguration.builder()
				.connectTimeout(connecting)
				.readTimeout(timeout);
			if (address.tls()) {
				client.useSsl();
			}
			JedisClientConfiguration usual = client.usePooling().poolConfig(JedisConnections.pool(timeout)).build();
			JedisConnectionFactory factory = new DedicatedServer(server(address), usual,
					JedisConnections.opening(client, usual));
			factory.afterPropertiesSet();
			return started(factory, factory::start, factory::destroy);
		}

	}

}
