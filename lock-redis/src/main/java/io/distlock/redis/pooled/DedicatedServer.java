package io.distlock.redis.pooled;

import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Connects only locks to one server. Commands run on a pool that {@link #openPool} opens.
 * The subscription and checks of the server use connections of this factory, which may
 * take as long to open as those of the pool.
 */
public final class DedicatedServer extends JedisConnectionFactory implements Dedicated {

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

	@Override
	public ConnectionPool openPool() {
		HostAndPort address = new HostAndPort(this.server.getHostName(), this.server.getPort());
		return new DedicatedPool(() -> address, Logins.of(this.opening, this.server.getUsername(),
				this.server.getPassword(), this.server.getDatabase()), DedicatedPool.limits(this), this.client, () -> {
				});
	}

}
