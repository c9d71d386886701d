package io.distlock.redis.pooled;

import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.providers.SentineledConnectionProvider;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Connects only locks to the master that Sentinels name. Commands run on a pool that
 * {@link #openPool} opens. The subscription and checks use connections of this factory,
 * which must open as fast as answers come.
 */
public final class DedicatedSentinels extends JedisConnectionFactory implements Dedicated {

	private final RedisSentinelConfiguration sentinels;

	private final JedisClientConfiguration client;

	private final JedisClientConfiguration opening;

	/**
	 * Creates a connection factory; does not connect.
	 * @param sentinels the Sentinels, with user, password and database
	 * @param client TLS and limits of pools, with the times that a caller waits for a new
	 * connection and for an answer
	 * @param opening the same, with the times that a connection to the master may take to
	 * open, and each command that begins it
	 */
	public DedicatedSentinels(RedisSentinelConfiguration sentinels, JedisClientConfiguration client,
			JedisClientConfiguration opening) {
		super(sentinels, client);
		this.sentinels = sentinels;
		this.client = client;
		this.opening = opening;
	}

	@Override
	public ConnectionPool openPool() {
		JedisClientConfig login = Logins.of(this.opening, this.sentinels.getUsername(), this.sentinels.getPassword(),
				this.sentinels.getDatabase());
		JedisClientConfig toSentinels = Logins.of(this.client, this.sentinels.getSentinelUsername(),
				this.sentinels.getSentinelPassword(), 0);
		Set<HostAndPort> addresses = this.sentinels.getSentinels()
			.stream()
			.map((node) -> new HostAndPort(Objects.requireNonNull(node.getHost()),
					Objects.requireNonNull(node.getPort())))
			.collect(Collectors.toSet());
		GenericObjectPoolConfig<Connection> limits = DedicatedPool.limits(this);
		// Its own pool stays unused: only the master is asked of it.
		SentineledConnectionProvider master = new SentineledConnectionProvider(
				Objects.requireNonNull(Objects.requireNonNull(this.sentinels.getMaster()).getName()), login, limits,
				addresses, toSentinels);
		return new DedicatedPool(master::getCurrentMaster, login, limits, this.client, master::close);
	}

}
