package io.distlock.starter.zookeeper;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.util.ClassUtils;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.databases.ZooKeeperServer;
import io.distlock.spi.LockStore;

import static org.assertj.core.api.Assertions.assertThat;

/** An application with the starter for ZooKeeper and the address of a server. */
@SpringBootTest
class ZooKeeperStarterTests {

	private static final ZooKeeperServer SERVER = ZooKeeperServer.start();

	private final JobService jobs;

	private final LockStore store;

	ZooKeeperStarterTests(@Autowired JobService jobs, @Autowired LockStore store) {
		this.jobs = jobs;
		this.store = store;
	}

	@DynamicPropertySource
	static void address(DynamicPropertyRegistry properties) {
		properties.add("distributed-lock.zookeeper.connect-string", SERVER::address);
	}

	@AfterAll
	static void stop() {
		SERVER.close();
	}

	@Test
	void firstLockIsInZooKeeper() {
		assertThat(this.jobs.run("a")).isEqualTo("job:a");
		assertThat(this.store.describe()).contains(SERVER.address());
	}

	@ParameterizedTest
	@ValueSource(strings = { "io.distlock.redis.RedisLockStore", "io.distlock.jdbc.JdbcLockStore",
			"org.springframework.data.redis.connection.RedisConnectionFactory", "io.lettuce.core.RedisClient",
			"redis.clients.jedis.Jedis", "org.springframework.jdbc.core.JdbcTemplate" })
	void classPathHasNoOtherStore(String type) {
		assertThat(ClassUtils.isPresent(type, getClass().getClassLoader())).isFalse();
	}

	@SpringBootApplication
	@Import(JobService.class)
	static class Application {

	}

	static class JobService {

		@DistributedLock(name = "job", key = "#id")
		public String run(String id) {
			return LockContext.current().orElseThrow().key();
		}

	}

}
