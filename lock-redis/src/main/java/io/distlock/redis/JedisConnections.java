package io.distlock.redis;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

import io.distlock.redis.client.ServerDescription;
import io.distlock.redis.pooled.DedicatedSentinels;
import io.distlock.redis.pooled.DedicatedServer;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPoolConfig;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Provides a pool of Jedis connections that only locks use, to the servers of the
 * application and with its user and password. The timeouts of the connections together
 * are as long as the command timeout, so that callers can send their commands themselves.
 * Except in a Cluster, a caller waits no longer for a new connection either, including
 * the lookup of the name and the login. A connection that opens later is used later.
 * Needs Jedis on the class path.
 */
public final class JedisConnections implements AutoCloseable {

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			JedisConnections.class.getClassLoader());

	/**
	 * How long a connection may take to open, and each command that begins it; as long as
	 * Lettuce waits for a connection by default.
	 */
	private static final Duration OPENING = Duration.ofSeconds(10);

	private final JedisConnectionFactory factory;

	private JedisConnections(JedisConnectionFactory factory) {
		this.factory = factory;
	}

	/**
	 * Holds how connections are secured.
	 *
	 * @param sockets makes sockets
	 * @param parameters protocols and ciphers
	 */
	public record Tls(SSLSocketFactory sockets, SSLParameters parameters) {
	}

	/**
	 * Prepares connections to the servers of an application.
	 * @param application the application's connection factory, on Lettuce or Jedis
	 * @param timeout the command timeout
	 * @param tls how to secure connections if the application uses Lettuce with TLS;
	 * {@code null} to trust what the JVM trusts
	 * @return the connections; with Sentinel and Cluster the servers are looked up now
	 * @throws IllegalArgumentException if Jedis cannot use the settings of the
	 * application; the message names the setting, and begins with a verb
	 * @throws IllegalStateException if the Sentinels, or the nodes of a Cluster, do not
	 * name the servers at present
	 */
	public static JedisConnections like(RedisConnectionFactory application, Duration timeout, @Nullable Tls tls) {
		JedisConnectionFactory factory = notStarted(application, timeout, tls);
		try {
			factory.afterPropertiesSet();
			factory.start();
		}
		catch (RuntimeException ex) {
			factory.destroy();
			throw new IllegalStateException("Jedis finds no servers: " + ForeignText.messageOf(ex), ex);
		}
		return new JedisConnections(factory);
	}

	static JedisConnectionFactory notStarted(RedisConnectionFactory application, Duration timeout, @Nullable Tls tls) {
		if (timeout.toMillis() < 2) {
			throw new IllegalArgumentException("has a command timeout of " + DurationText.of(timeout)
					+ ", but connecting and answering take at least 1ms each");
		}
		JedisClientConfiguration.JedisClientConfigurationBuilder client = JedisClientConfiguration.builder()
			.connectTimeout(timeout.dividedBy(2))
			.readTimeout(timeout.dividedBy(2));
		if (LETTUCE && Lettuce.owns(application)) {
			return Lettuce.copy(application, client, tls, pool(timeout));
		}
		if (application instanceof JedisConnectionFactory jedis) {
			return copy(jedis, client, pool(timeout));
		}
		throw new IllegalArgumentException(
				"is a " + application.getClass().getSimpleName() + ", whose servers are not known");
	}

	/**
	 * Configures a pool that closes idle connections after a minute, instead of testing
	 * them.
	 */
	static ConnectionPoolConfig pool(Duration timeout) {
		ConnectionPoolConfig pool = new ConnectionPoolConfig();
		pool.setMaxTotal(DedicatedServer.CONNECTIONS);
		pool.setMaxIdle(DedicatedServer.CONNECTIONS);
		pool.setMaxWait(timeout.dividedBy(2));
		pool.setTestWhileIdle(false);
		pool.setJmxEnabled(false);
		return pool;
	}

	private static JedisConnectionFactory copy(JedisConnectionFactory application,
			JedisClientConfiguration.JedisClientConfigurationBuilder client, ConnectionPoolConfig pool) {
		JedisClientConfiguration known = application.getClientConfiguration();
		// No method references: they would be looked up here already.
		if (isPresent(() -> known.getCustomizer()) || isPresent(() -> known.getClientCustomizer())) {
			throw new IllegalArgumentException("has a customizer, whose settings cannot be copied");
		}
		known.getClientName().ifPresent(client::clientName);
		if (known.isUseSsl()) {
			JedisClientConfiguration.JedisSslClientConfigurationBuilder secured = client.useSsl();
			known.getSslSocketFactory().ifPresent(secured::sslSocketFactory);
			known.getSslParameters().ifPresent(secured::sslParameters);
			known.getHostnameVerifier().ifPresent(secured::hostnameVerifier);
		}
		return create(servers(application), client, pool);
	}

	/**
	 * Returns whether there is a setting that older versions of Spring Data do not have.
	 */
	private static boolean isPresent(Supplier<Optional<?>> setting) {
		try {
			return setting.get().isPresent();
		}
		catch (NoSuchMethodError ex) {
			return false;
		}
	}

	private static RedisConfiguration servers(JedisConnectionFactory application) {
		if (application.getClusterConfiguration() != null) {
			return application.getClusterConfiguration();
		}
		if (application.getSentinelConfiguration() != null) {
			return application.getSentinelConfiguration();
		}
		if (application.getStandaloneConfiguration() != null) {
			return application.getStandaloneConfiguration();
		}
		throw new IllegalArgumentException("does not say to which servers it connects");
	}

	private static JedisConnectionFactory create(RedisConfiguration servers,
			JedisClientConfiguration.JedisClientConfigurationBuilder client, ConnectionPoolConfig pool) {
		JedisClientConfiguration configuration = client.usePooling().poolConfig(pool).build();
		if (servers instanceof RedisClusterConfiguration cluster) {
			return new JedisConnectionFactory(cluster, configuration);
		}
		if (servers instanceof RedisSentinelConfiguration sentinel) {
			return new DedicatedSentinels(sentinel, configuration, opening(client, configuration));
		}
		if (servers instanceof RedisStandaloneConfiguration server) {
			return new DedicatedServer(server, configuration, opening(client, configuration));
		}
		throw new IllegalArgumentException(
				"connects by a " + servers.getClass().getSimpleName() + ", which Jedis does not know");
	}

	/** Keeps no connection that nobody uses: it may lead to a former master. */
	static JedisClientConfiguration opening(JedisClientConfiguration.JedisClientConfigurationBuilder client,
			JedisClientConfiguration usual) {
		ConnectionPoolConfig pool = new ConnectionPoolConfig();
		pool.setMaxIdle(0);
		pool.setMinIdle(0);
		pool.setTestWhileIdle(false);
		pool.setJmxEnabled(false);
		return client.connectTimeout(longer(usual.getConnectTimeout()))
			.readTimeout(longer(usual.getReadTimeout()))
			.usePooling()
			.poolConfig(pool)
			.build();
	}

	private static Duration longer(Duration time) {
		return (time.compareTo(OPENING) > 0) ? time : OPENING;
	}

	/**
	 * Returns the connections.
	 * @return a started connection factory, which {@link #close} closes
	 */
	public RedisConnectionFactory factory() {
		return this.factory;
	}

	/** Closes all connections. */
	@Override
	public void close() {
		this.factory.destroy();
	}

	/** Loaded only if Lettuce is on the class path. */
	private static final class Lettuce {

		private Lettuce() {
		}

		static boolean owns(RedisConnectionFactory factory) {
			return factory instanceof LettuceConnectionFactory;
		}

		static JedisConnectionFactory copy(RedisConnectionFactory factory,
				JedisClientConfiguration.JedisClientConfigurationBuilder client, @Nullable Tls tls,
				ConnectionPoolConfig pool) {
			LettuceConnectionFactory application = (LettuceConnectionFactory) factory;
			requireKnownToJedis(application, tls);
			String name = application.getClientName();
			if (name != null) {
				client.clientName(name);
			}
			if (application.isUseSsl()) {
				secure(client.useSsl(), tls);
			}
			return create(servers(application), client, pool);
		}

		/** Makes Jedis verify the name of the server, as Lettuce does by default. */
		private static void secure(JedisClientConfiguration.JedisSslClientConfigurationBuilder client,
				@Nullable Tls tls) {
			SSLParameters parameters = (tls != null) ? tls.parameters() : new SSLParameters();
			parameters.setEndpointIdentificationAlgorithm("HTTPS");
			client.sslParameters(parameters);
			if (tls != null) {
				client.sslSocketFactory(tls.sockets());
			}
		}

		private static void requireKnownToJedis(LettuceConnectionFactory application, @Nullable Tls tls) {
			refuseIf(application.getClientConfiguration().getRedisCredentialsProviderFactory().isPresent(),
					"gets user and password from a RedisCredentialsProviderFactory");
			refuseIf(application.isStartTls(), "uses StartTLS");
			refuseIf(application.isUseSsl() && !application.isVerifyPeer(), "does not verify certificates");
			refuseIf(application.isUseSsl() && tls == null && hasSslOptions(application),
					"has SslOptions of Lettuce, which Jedis knows only from spring.data.redis.ssl.bundle");
		}

		private static boolean hasSslOptions(LettuceConnectionFactory application) {
			SslOptions options = application.getClientConfiguration()
				.getClientOptions()
				.map(ClientOptions::getSslOptions)
				.orElse(ClientOptions.DEFAULT_SSL_OPTIONS);
			return options != ClientOptions.DEFAULT_SSL_OPTIONS;
		}

		private static void refuseIf(boolean unknown, String why) {
			if (unknown) {
				throw new IllegalArgumentException(why);
			}
		}

		private static RedisConfiguration servers(LettuceConnectionFactory application) {
			if (application.getClusterConfiguration() != null) {
				return application.getClusterConfiguration();
			}
			if (application.getSentinelConfiguration() != null) {
				return application.getSentinelConfiguration();
			}
			if (application.getSocketConfiguration() != null) {
				return application.getSocketConfiguration();
			}
			RedisStandaloneConfiguration server = application.getStandaloneConfiguration();
			refuseIf(server.equals(new RedisStandaloneConfiguration()) && !connectsTo(application, server),
					"names no server: pass a RedisStandaloneConfiguration to its constructor, and start it");
			return server;
		}

		/**
		 * Returns whether the factory's client was made for the default server that the
		 * factory reports. A factory with static replicas reports the default server too.
		 */
		private static boolean connectsTo(LettuceConnectionFactory application, RedisStandaloneConfiguration server) {
			return application.getHostName().equals(server.getHostName()) && application.getPort() == server.getPort()
					&& application.isRunning() && ServerDescription.isKnown(application);
		}

	}

}
