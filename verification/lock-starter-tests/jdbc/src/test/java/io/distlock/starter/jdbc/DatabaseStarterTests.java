package io.distlock.starter.jdbc;

import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

import org.springframework.util.ClassUtils;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.spi.LockStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with the starter for databases, the driver of H2, and no setting at all.
 */
@SpringBootTest
class DatabaseStarterTests {

	private final JobService jobs;

	private final LockStore store;

	DatabaseStarterTests(@Autowired JobService jobs, @Autowired LockStore store) {
		this.jobs = jobs;
		this.store = store;
	}

	@Test
	void firstLockIsInTheDatabase() {
		assertThat(this.jobs.run("a")).isEqualTo("job:a");
		assertThat(this.jobs.busyRows()).hasValue(1);
		assertThat(this.store.describe()).contains("table distributed_lock");
	}

	@ParameterizedTest
	@ValueSource(strings = { "io.distlock.redis.RedisLockStore", "io.distlock.zookeeper.ZooKeeperLockStore",
			"org.springframework.data.redis.connection.RedisConnectionFactory", "io.lettuce.core.RedisClient",
			"redis.clients.jedis.Jedis", "org.apache.zookeeper.ZooKeeper" })
	void classPathHasNoOtherStore(String type) {
		assertThat(ClassUtils.isPresent(type, getClass().getClassLoader())).isFalse();
	}

	@SpringBootApplication
	@Import(JobService.class)
	static class Application {

	}

	static class JobService {

		private final AtomicInteger busyRows = new AtomicInteger();

		private final JdbcTemplate database;

		JobService(DataSource dataSource) {
			this.database = new JdbcTemplate(dataSource);
		}

		@DistributedLock(name = "job", key = "#id")
		public String run(String id) {
			Integer rows = this.database.queryForObject("SELECT count(*) FROM distributed_lock WHERE busy = 1",
					Integer.class);
			this.busyRows.set((rows != null) ? rows : -1);
			return LockContext.current().orElseThrow().key();
		}

		AtomicInteger busyRows() {
			return this.busyRows;
		}

	}

}
