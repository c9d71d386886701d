package io.distlock.redis.pooled;

import org.apache.commons.pool2.PooledObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.StringUtils;

/**
 * Connects only locks to one server. Commands run on a pool that {@link #openPool} opens;
 * the subscription uses connections of this factory. With Sentinel another server may
 * become the master, and the factory's pool follows it.
 */
public final class DedicatedServer extends JedisConnectionFactory {

	/** How many callers can send at the same time. */
	public static final int CONNECTIONS = 64;

	private final RedisStandaloneConfiguration server;

	private final JedisClientConfiguration client;

	/**
	 * Creates a connection factory; does not connect.
	 * @param server the server, with user, password and database
	 * @param client timeouts, TLS and limits of pools
	 */
	public DedicatedServer(RedisStandaloneConfiguration server, JedisClientConfiguration client) {
		super(server, client);
		this.server = server;
		this.client = client;
	}

	/**
	 * Opens a pool of Jedis, with the limits and the login of this factory. The pool
	 * drops connections that were closed before they were returned.
	 * @return the pool, which connects at its first use
	 */
	public ConnectionPool openPool() {
		HostAndPort address = new HostAndPort(this.server.getHostName(), this.server.getPort());
		return new ConnectionPool(new ConnectionFactory(address, login()) {

			@Override
			public void activateObject(PooledObject<Connection> pooled) throws Exception {
				if (!pooled.getObject().isConnected()) {
					throw new JedisConnectionException("The connection is closed");
				}
				super.activateObject(pooled);
			}

		}, this.<Connection>getPoolConfig());
	}

	private JedisClientConfig login() {
		DefaultJedisClientConfig.Builder login = DefaultJedisClientConfig.builder()
			.connectionTimeoutMillis((int) this.client.getConnectTimeout().toMillis())
			.socketTimeoutMillis((int) this.client.getReadTimeout().toMillis())
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
