package io.distlock.boot.test;

import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.LockBusyException;
import io.distlock.LockLostException;
import io.distlock.LockStoreException;
import io.distlock.boot.test.AutoConfigureDistributedLocks.Store;
import io.distlock.spi.LockStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** All that the tester does, on locks in a database. */
@SpringBootTest(classes = ConfiguredStoreTests.Application.class, webEnvironment = WebEnvironment.NONE,
		properties = { "distributed-lock.store=jdbc", "distributed-lock.jdbc.initialize-schema=always",
				"distributed-lock.jdbc.commit-check=true", "distributed-lock.command-timeout=10s",
				"spring.datasource.url=jdbc:h2:mem:configured-store" })
@AutoConfigureDistributedLocks(store = Store.CONFIGURED)
class ConfiguredStoreTests {

	@Autowired
	private Jobs jobs;

	/** Twice, since the second run finds what the first one left. */
	@RepeatedTest(2)
	void locksInDatabaseThenTesterWorks(LockTester locks, @Autowired LockStore store) {
		assertThat(store.describe()).contains("jdbc:h2:");
		locks.busy("job:a");
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.jobs.run("a"));
		assertThat(this.jobs.nightly("a")).isTrue();
		assertThat(this.jobs.nightly("a")).isFalse();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.jobs.runWithin("b", () -> locks.lose("job:b")));
		try (LockTester.Fault fails = locks.storeFails()) {
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.jobs.run("b"));
		}
		this.jobs.run("b");
		assertThat(locks).refused("job:a").lost("job:b").acquired("nightly:a").once().before("job:b").times(2);
		assertThat(locks).nothingHeld();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Jobs.class)
	static class Application {

	}

}
