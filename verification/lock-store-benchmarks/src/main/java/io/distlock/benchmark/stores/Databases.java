package io.distlock.benchmark.stores;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;

import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.ReleaseMode;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.jdbc.LockSchema;

/** Locks in PostgreSQL. */
final class Databases {

	private static final Duration LONG = Duration.ofMinutes(10);

	private Databases() {
	}

	/** Creates the tables of all. */
	static void prepare(String url) throws SQLException {
		try (HikariDataSource database = open(url, 2)) {
			LockSchema.create(database, "distributed_lock");
			try (Connection connection = database.getConnection()) {
				ScriptUtils.executeSqlScript(connection,
						new ClassPathResource("org/springframework/integration/jdbc/schema-postgresql.sql"));
				connection.createStatement()
					.execute("CREATE TABLE shedlock(name VARCHAR(64) NOT NULL PRIMARY KEY, "
							+ "lock_until TIMESTAMP NOT NULL, locked_at TIMESTAMP NOT NULL, "
							+ "locked_by VARCHAR(255) NOT NULL)");
			}
		}
	}

	private static HikariDataSource open(String url, int connections) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setUsername("postgres");
		config.setMaximumPoolSize(connections);
		return new HikariDataSource(config);
	}

	static Peer ours(String url, int threads, ReleaseMode release) {
		HikariDataSource database = open(url, threads + 2);
		CloseableLockTemplate template = LockTemplateBuilder
			.forStore(new JdbcLockStore(database, JdbcLockStoreSettings.DEFAULTS))
			.settings(LockSettings.builder().release(release).commandTimeout(Duration.ofSeconds(9)).build())
			.build();
		return peer((key) -> template.acquire(LockRequest.of(key).waitAtMost(LONG))::close, () -> {
			template.close();
			database.close();
		});
	}

	static Peer springIntegration(String url, int threads) {
		HikariDataSource database = open(url, threads + 2);
		DefaultLockRepository repository = new DefaultLockRepository(database);
		repository.setTransactionManager(new JdbcTransactionManager(database));
		repository.afterPropertiesSet();
		repository.afterSingletonsInstantiated();
		repository.start();
		JdbcLockRegistry registry = new JdbcLockRegistry(repository);
		return peer((key) -> {
			Lock lock = registry.obtain(key);
			lock.lock();
			return lock::unlock;
		}, database::close);
	}

	/** Does not wait, so it only takes part where nobody has to. */
	static Peer shedLock(String url, int threads) {
		HikariDataSource database = open(url, threads + 2);
		JdbcTemplateLockProvider provider = new JdbcTemplateLockProvider(
				JdbcTemplateLockProvider.Configuration.builder()
					.withJdbcTemplate(new JdbcTemplate(database))
					.usingDbTime()
					.build());
		return peer((key) -> {
			Optional<SimpleLock> lock = Optional.empty();
			while (lock.isEmpty()) {
				lock = provider.lock(new LockConfiguration(Instant.now(), key, Duration.ofSeconds(30), Duration.ZERO));
			}
			return lock.get()::unlock;
		}, database::close);
	}

	private static Peer peer(Acquisition acquisition, Runnable end) {
		return new Peer() {

			@Override
			public Runnable acquire(String key) throws Exception {
				return acquisition.acquire(key);
			}

			@Override
			public void close() {
				end.run();
			}

		};
	}

	private interface Acquisition {

		Runnable acquire(String key) throws Exception;

	}

}
