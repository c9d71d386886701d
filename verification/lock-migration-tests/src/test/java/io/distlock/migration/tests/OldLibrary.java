package io.distlock.migration.tests;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import com.zaxxer.hikari.HikariDataSource;
import io.distlock.test.Pause;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.jdbc.core.JdbcTemplate;

/** The libraries to move from, each as its users have it, and what to set to move. */
enum OldLibrary {

	REDISSON("redisson", Map.of("key", "app:{key}")) {

		@Override
		Old connect(Place place) {
			Config config = new Config();
			config.setLockWatchdogTimeout(LEASE.toMillis());
			if (place.cluster()) {
				config.useClusterServers().addNodeAddress("redis://" + place.address());
			}
			else {
				config.useSingleServer().setAddress("redis://" + place.address());
			}
			RedissonClient client = Redisson.create(config);
			return (id, patience) -> {
				RLock lock = client.getLock("app:stock:" + id);
				return lock.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS) ? Optional.of(lock::unlock)
						: Optional.empty();
			};
		}
	},

	SPRING_INTEGRATION("spring-integration", Map.of("registry-key", "app")) {

		@Override
		Old connect(Place place) {
			RedisLockRegistry registry = new RedisLockRegistry(place.redis(), "app", LEASE.toMillis());
			registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
			return (id, patience) -> {
				var lock = registry.obtain("stock:" + id);
				return lock.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS) ? Optional.of(lock::unlock)
						: Optional.empty();
			};
		}
	},

	SHEDLOCK("shedlock", Map.of("environment", "prod")) {

		@Override
		Old connect(Place place) {
			return shedLock(new RedisLockProvider(place.redis(), "prod"));
		}
	},

	SHEDLOCK_JDBC("shedlock-jdbc", Map.of("database-time", "true")) {

		@Override
		Old connect(Place place) {
			HikariDataSource pool = new HikariDataSource();
			pool.setJdbcUrl(place.database());
			pool.setMaximumPoolSize(2);
			return shedLock(new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
				.withJdbcTemplate(new JdbcTemplate(pool))
				.usingDbTime()
				.build()));
		}
	},

	LOCK4J("lock4j", Map.of("names.stock", "com.shop.Stockdeduct#{id}")) {

		@Override
		Old connect(Place place) {
			com.baomidou.lock.LockTemplate template = lock4j(place.redis());
			return (id, patience) -> {
				LockInfo lock = template.lock("lock4j:com.shop.Stockdeduct#" + id, LEASE.toMillis(),
						patience.toMillis());
				return Optional.ofNullable(lock).map((held) -> () -> template.releaseLock(held));
			};
		}
	};

	static final Duration LEASE = Duration.ofSeconds(15);

	/** The table of ShedLock's documentation. */
	static final String TABLE = "CREATE TABLE shedlock(name VARCHAR(64) NOT NULL, lock_until TIMESTAMP(3) NOT NULL, "
			+ "locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))";

	private final String type;

	private final Map<String, String> settings;

	OldLibrary(String type, Map<String, String> settings) {
		this.type = type;
		this.settings = settings;
	}

	/** Connects as an application does that has not begun to move. */
	abstract Old connect(Place place);

	/** Returns the settings of the second of the three deployments. */
	String[] settings(String... more) {
		return Stream
			.of(Stream.of("distributed-lock.stores.old.type=" + this.type,
					"distributed-lock.locks.stock.store=default,old"),
					this.settings.entrySet()
						.stream()
						.map((setting) -> "distributed-lock.stores.old.foreign." + setting.getKey() + "="
								+ setting.getValue()),
					Stream.of(more))
			.flatMap((each) -> each)
			.toArray(String[]::new);
	}

	static com.baomidou.lock.LockTemplate lock4j(RedisConnectionFactory redis) {
		Lock4jProperties properties = new Lock4jProperties();
		com.baomidou.lock.LockTemplate template = new com.baomidou.lock.LockTemplate();
		template.setProperties(properties);
		template.setExecutors(List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(redis), properties)));
		try {
			template.afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		return template;
	}

	static Old shedLock(LockProvider provider) {
		return (id, patience) -> {
			long end = System.nanoTime() + patience.toNanos();
			Optional<SimpleLock> lock = provider.lock(configuration(id));
			while (lock.isEmpty() && System.nanoTime() - end < 0) {
				// ShedLock does not wait; its callers come again.
				Pause.of(Duration.ofMillis(5));
				lock = provider.lock(configuration(id));
			}
			return lock.map((held) -> held::unlock);
		};
	}

	private static LockConfiguration configuration(String id) {
		return new LockConfiguration(Instant.now(), "stock:" + id, LEASE, Duration.ZERO);
	}

	/** Takes locks with the other library. */
	@FunctionalInterface
	interface Old {

		/**
		 * Takes the lock that this library knows as {@code stock:<id>}.
		 * @return releases the lock; empty if it was busy all the time
		 */
		Optional<Runnable> take(String id, Duration patience) throws InterruptedException;

	}

	/**
	 * Where the locks are.
	 *
	 * @param address the address of Redis
	 * @param cluster whether that is a node of a Cluster
	 * @param redis connections to it
	 * @param database the URL of the database
	 */
	record Place(String address, boolean cluster, RedisConnectionFactory redis, String database) {
	}

}
