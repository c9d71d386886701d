package io.distlock.redis.pooled;

import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.StringUtils;

/**
 * Connects only locks to one server. Commands run on a pool that {@link #openPool} opens.
 * The subscription and checks of the server use connections of this factory, which may
 * take as long to open as those of the pool. With Sentinel another server may become the
 * master, and the pool of a usual factory follows it.
 */
public final class DedicatedServer extends JedisConnectionFactory {

	/** How many callers can send at the same time. */
	public static final int CONNECTIONS = 64;

	private final RedisStandaloneConfiguration server;

	private final JedisClientConfiguration client;

	/** The same, with the time that a connection may take to open. */
	private final JedisClientConfiguration opening;

	private final JedisConnectionFactory patient;

	/**
	 * Creates a connection factory; does not connect.
	 * @param server the server, with user, password and database
	 * @param client TLS and limits of pools, with the times that a caller waits for a new
	 * connection and for an answer
	 * @param opening the same, with the times that a connection may take to open, and
	 * each command that begins it
	 */
	public DedicatedServer(RedisStandaloneConfiguration server, JedisClientConfiguration client,
			JedisClientConfiguration opening) {
		super(server, client);
		this.server = server;
		this.client = client;
		this.opening = opening;
		this.patient = new JedisConnectionFactory(server, opening);
	}

	@Override
	public void afterPropertiesSet() {
		// The other one may start both.
		this.patient.afterPropertiesSet();
		super.afterPropertiesSet();
	}

	@Override
	public void start() {
		super.start();
		this.patient.start();
	}

	@Override
	public void destroy() {
		this.patient.destroy();
		super.destroy();
	}

	@Override
	public RedisConnection getConnection() {
		return this.patient.getConnection();
	}

	/** Returns a connection whose answers may take no longer than those to commands. */
	RedisConnection prompt() {
		return super.getConnection();
	}

	/**
	 * Opens a pool of Jedis, with the limits and the login of this factory. The pool
	 * drops connections that were closed before they were returned, and uses connections
	 * that open late.
	 * @return the pool, which connects at its first use
	 */
	public ConnectionPool openPool() {
		HostAndPort address = new HostAndPort(this.server.getHostName(), this.server.getPort());
		GenericObjectPoolConfig<Connection> limits = getPoolConfig();
		return new DedicatedPool(address, login(), (limits != null) ? limits : new GenericObjectPoolConfig<>(),
				this.client.getConnectTimeout(), this.client.getReadTimeout());
	}

	private JedisClientConfig login() {
		DefaultJedisClientConfig.Builder login = DefaultJedisClientConfig.builder()
			.connectionTimeoutMillis((int) this.opening.getConnectTimeout().toMillis())
			.socketTimeoutMillis((int) this.opening.getReadTimeout().toMillis())
			.database(this.server.getDatabase());
		this.client.getClientName().ifPresent(login::clientName);
		if (StringUtils.hasLength(this.server.getUsername())) {
			login.user(this.server.getUsername());
		}
		this.server.getPassword().map(String::new).ifPresent(login::password);
		if (this.client.isUseSsl()) {
			login.ssl(true);
			this.client.getSslSocketFactory().ifPresent(login::sslSocketFactory);
			this.client.getSslParameters().ifPresent(login::sslParameters);
			this.client.getHostnameVerifier().ifPresent(login::hostnameVerifier);
		}
		return login.build();
	}

}
