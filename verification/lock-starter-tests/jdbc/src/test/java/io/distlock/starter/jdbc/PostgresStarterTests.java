package io.distlock.starter.jdbc;

import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.databases.PostgresServer;
import io.distlock.spi.LockStore;
import io.distlock.starter.jdbc.DatabaseStarterTests.Application;
import io.distlock.starter.jdbc.DatabaseStarterTests.JobService;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The same application on PostgreSQL, where it says that the table is to be created.
 */
class PostgresStarterTests {

	@Test
	void firstLockIsInTheDatabase() {
		try (PostgresServer server = PostgresServer.start();
				ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class).run(
						"--spring.datasource.url=" + server.url(),
						"--distributed-lock.jdbc.initialize-schema=always")) {
			JobService jobs = context.getBean(JobService.class);
			assertThat(jobs.run("a")).isEqualTo("job:a");
			assertThat(jobs.busyRows()).hasValue(1);
			assertThat(context.getBean(LockStore.class).describe()).contains("table distributed_lock");
		}
	}

}
