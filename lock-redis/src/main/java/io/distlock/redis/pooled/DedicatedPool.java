package io.distlock.redis.pooled;

import java.util.function.Supplier;

import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * A pool of Jedis whose callers wait only briefly for a new connection. It leads to one
 * server at a time, and drops connections to a former one.
 */
final class DedicatedPool extends ConnectionPool {

	private final Opener opener;

	private final Runnable closer;

	/**
	 * Creates a pool; connects with its first use.
	 * @param server returns the present server; does not block
	 * @param login how to connect, with the time that an attempt may take
	 * @param limits the size of the pool, and how long a caller waits for a connection
	 * that another caller uses
	 * @param client how long a caller waits for a new connection, and how long an answer
	 * may take
	 * @param closer runs when the pool is closed
	 */
	DedicatedPool(Supplier<HostAndPort> server, JedisClientConfig login, GenericObjectPoolConfig<Connection> limits,
			JedisClientConfiguration client, Runnable closer) {
		this(new Opener(server, login, client), limits, closer);
	}

	private DedicatedPool(Opener opener, GenericObjectPoolConfig<Connection> limits, Runnable closer) {
		super(opener, limits);
		this.opener = opener;
		this.closer = closer;
		opener.connections.keepBy(this::addObject);
	}

	/** Returns the limits of a factory's pool. */
	static GenericObjectPoolConfig<Connection> limits(JedisConnectionFactory factory) {
		GenericObjectPoolConfig<Connection> limits = factory.getPoolConfig();
		return (limits != null) ? limits : new GenericObjectPoolConfig<>();
	}

	@Override
	public void close() {
		super.close();
		this.opener.connections.shutdown();
		this.closer.run();
	}

	/** A connection that knows where it leads. */
	private static final class Link extends Connection {

		private final HostAndPort server;

		private Link(HostAndPort server, JedisClientConfig login) {
			super(server, login);
			this.server = server;
		}

	}

	/** Opens connections, and drops those that were closed before they were returned. */
	private static final class Opener extends ConnectionFactory {

		private final LateOpener connections;

		private final Supplier<HostAndPort> server;

		private final JedisClientConfig login;

		private final int answerMillis;

		private Opener(Supplier<HostAndPort> server, JedisClientConfig login, JedisClientConfiguration client) {
			super(server.get(), login);
			this.server = server;
			this.login = login;
			this.answerMillis = (int) client.getReadTimeout().toMillis();
			this.connections = new LateOpener(() -> server.get().toString(), client.getConnectTimeout(), this::open);
		}

		@Override
		public void activateObject(PooledObject<Connection> pooled) throws Exception {
			Link link = (Link) pooled.getObject();
			if (!link.isConnected() || !link.server.equals(this.server.get())) {
				throw new JedisConnectionException("The connection is closed, or leads to a former server");
			}
			super.activateObject(pooled);
		}

		@Override
		public PooledObject<Connection> makeObject() throws Exception {
			return new DefaultPooledObject<>(this.connections.take());
		}

		private Connection open() {
			Connection connection = new Link(this.server.get(), this.login);
			connection.setSoTimeout(this.answerMillis);
			return connection;
		}

	}

}
