package io.distlock.reliability.rig;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.redis.RedisAddress;
import io.distlock.redis.RedisConnections;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.redlock.RedlockNode;
import io.distlock.redlock.RedlockSettings;
import io.distlock.redlock.RedlockStore;
import io.distlock.spi.LockStore;
import io.distlock.zookeeper.ZooKeeperLockStore;
import io.distlock.zookeeper.ZooKeeperLockStoreSettings;
import org.apache.curator.framework.CuratorFrameworkFactory;

/** Connects stores of each kind, with clients as an application has them. */
public final class Stores {

	private Stores() {
	}

	/**
	 * Connects a store.
	 * @param kind such as {@code redis}
	 * @param address its servers
	 * @param lease four times the command timeout
	 */
	public static LockStore connect(String kind, String address, Duration lease) {
		Duration timeout = lease.dividedBy(4);
		return switch (kind) {
			case "redis" -> redis(WorkerOptions.defaults(), address, timeout);
			case "jedis" -> redis(WorkerOptions.defaults().with("client", "jedis"), address, timeout);
			case "redlock" -> {
				List<RedisAddress> servers = Stream.of(address.split(",")).map(RedisAddress::parse).toList();
				yield new RedlockStore(RedlockNode.of(RedisConnections.withLettuce(servers, timeout)),
						RedlockSettings.builder()
							.commandTimeout(timeout)
							.nodeTimeout(timeout.dividedBy(4))
							.quarantine(lease)
							.retryInterval(Duration.ofMillis(50))
							.build());
			}
			case "postgresql", "h2" -> {
				HikariDataSource pool = new HikariDataSource();
				pool.setJdbcUrl(address);
				pool.setMaximumPoolSize(2);
				pool.setMinimumIdle(0);
				yield new JdbcLockStore(pool, JdbcLockStoreSettings.builder().commandTimeout(timeout).build());
			}
			default -> new ZooKeeperLockStore(CuratorFrameworkFactory.builder().connectString(address),
					ZooKeeperLockStoreSettings.builder().sessionTimeout(lease).commandTimeout(timeout).build());
		};
	}

	private static LockStore redis(WorkerOptions options, String address, Duration timeout) {
		String[] server = address.split(":");
		return new RedisLockStore(WorkerLocks.factory(options, server[0], Integer.parseInt(server[1])),
				RedisLockStoreSettings.builder().commandTimeout(timeout).pollInterval(Duration.ofMillis(100)).build());
	}

}
