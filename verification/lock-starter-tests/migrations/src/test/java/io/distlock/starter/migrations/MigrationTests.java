package io.distlock.starter.migrations;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.jdbc.JdbcLockStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Applications whose migrations create the table, from the file of lock-jdbc; a lock is
 * taken before they have started.
 */
class MigrationTests {

	@TempDir
	private Path directory;

	@Test
	void flywayCreatesTheTable() throws IOException {
		Files.writeString(this.directory.resolve("V1__distributed_lock.sql"), schema());
		try (ConfigurableApplicationContext context = start("spring.liquibase.enabled=false",
				"spring.flyway.locations=filesystem:" + this.directory)) {
			assertLocks(context, "flyway_schema_history");
		}
	}

	@Test
	void liquibaseCreatesTheTable() throws IOException {
		Path changes = this.directory.resolve("changes.sql");
		Files.writeString(changes, "-- liquibase formatted sql\n-- changeset shop:1\n" + schema());
		try (ConfigurableApplicationContext context = start("spring.flyway.enabled=false",
				"spring.liquibase.change-log=" + changes.toUri())) {
			assertLocks(context, "DATABASECHANGELOG");
		}
	}

	@Test
	void tableThatNoMigrationCreatesIsMissedAtStartup() {
		assertThatThrownBy(() -> start("spring.flyway.enabled=false", "spring.liquibase.enabled=false"))
			.hasStackTraceContaining("The table distributed_lock of locks is missing")
			.hasStackTraceContaining("schema-h2.sql");
	}

	private static void assertLocks(ConfigurableApplicationContext context, String history) {
		JdbcTemplate database = context.getBean(JdbcTemplate.class);
		try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(count(database, "distributed_lock WHERE busy = 1")).isOne();
		}
		assertThat(count(database, "\"" + history + "\"")).isPositive();
	}

	private static Integer count(JdbcTemplate database, String rows) {
		return database.queryForObject("SELECT count(*) FROM " + rows, Integer.class);
	}

	private static ConfigurableApplicationContext start(String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--distributed-lock.jdbc.initialize-schema=never",
				"--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID()));
		List.of(properties).forEach((property) -> arguments.add("--" + property));
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

	/** As a migration has it: copied from the jar. */
	private static String schema() throws IOException {
		try (InputStream file = JdbcLockStore.class.getResourceAsStream("schema-h2.sql")) {
			return new String(file.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	@SpringBootApplication
	@Import(Early.class)
	static class Application {

	}

	static class Early {

		Early(LockTemplate template) {
			template.acquire("early").close();
		}

	}

}
