package io.distlock.redis.pooled;

import java.time.Duration;

import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.StringUtils;

/**
 * Connections of Jedis to one server, for locks alone. With Sentinel another server may
 * become the master, and the pool of Jedis follows it.
 */
public final class DedicatedServer extends JedisConnectionFactory implements LockConnections {

	/** As many callers as may send at a time. */
	public static final int CONNECTIONS = 64;

	private final HostAndPort server;

	private final RedisStandaloneConfiguration user;

	private final JedisClientConfiguration client;

	private final Duration longestWait;

	private final BoundedOpening<Connection> opening;

	/**
	 * Creates a connection factory; does not connect.
	 * @param server the server, with user, password and database
	 * @param client timeouts, TLS and the pool for the subscription
	 * @param longestWait how long a command may wait for a connection
	 */
	public DedicatedServer(RedisStandaloneConfiguration server, JedisClientConfiguration client, Duration longestWait) {
		super(server, client);
		this.server = new HostAndPort(server.getHostName(), server.getPort());
		this.user = server;
		this.client = client;
		this.longestWait = longestWait;
		this.opening = new BoundedOpening<>(this::connect, Connection::disconnect, client.getReadTimeout(),
				CONNECTIONS);
	}

	private Connection connect(Duration within) {
		return new Connection(this.server, login(this.user, this.client, within));
	}

	/** The same as that of the connections of the pool. */
	private static JedisClientConfig login(RedisStandaloneConfiguration server, JedisClientConfiguration client,
			Duration connectWithin) {
		DefaultJedisClientConfig.Builder login = DefaultJedisClientConfig.builder()
			.connectionTimeoutMillis((int) connectWithin.toMillis())
			.socketTimeoutMillis((int) client.getReadTimeout().toMillis())
			.database(server.getDatabase());
		client.getClientName().ifPresent(login::clientName);
		if (StringUtils.hasLength(server.getUsername())) {
			login.user(server.getUsername());
		}
		server.getPassword().map(String::new).ifPresent(login::password);
		if (client.isUseSsl()) {
			login.ssl(true);
			client.getSslSocketFactory().ifPresent(login::sslSocketFactory);
			client.getSslParameters().ifPresent(login::sslParameters);
			client.getHostnameVerifier().ifPresent(login::hostnameVerifier);
		}
		return login.build();
	}

	@Override
	public Connection open(Duration connectWithin) {
		return this.opening.open(connectWithin);
	}

	@Override
	public void destroy() {
		super.destroy();
		this.opening.close();
	}

	@Override
	public int most() {
		return CONNECTIONS;
	}

	@Override
	public Duration longestWait() {
		return this.longestWait;
	}

}
