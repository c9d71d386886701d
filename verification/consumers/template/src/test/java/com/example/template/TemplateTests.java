package com.example.template;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** Each Redis and the database have what they are for, and nothing else. */
@SpringBootTest
class TemplateTests {

	private static final RedisServer CACHE = RedisServer.start();

	private static final RedisServer SESSIONS = RedisServer.start();

	private static final RedisServer LOCKS = RedisServer.start();

	private final InvoiceService invoices;

	private final LockTemplate locks;

	private final JdbcTemplate database;

	TemplateTests(@Autowired InvoiceService invoices, @Autowired LockTemplate locks, @Autowired JdbcTemplate database) {
		this.invoices = invoices;
		this.locks = locks;
		this.database = database;
	}

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry properties) {
		properties.add("app.cache.port", CACHE::port);
		properties.add("app.sessions.port", SESSIONS::port);
		properties.add("distributed-lock.redis.url", () -> "redis://localhost:" + LOCKS.port());
	}

	@AfterAll
	static void stop() {
		CACHE.close();
		SESSIONS.close();
		LOCKS.close();
	}

	@Test
	void locksAreOnTheRedisOfTheProperty() {
		try (LockHandle lock = this.locks.acquire("published:ann")) {
			assertThat(LOCKS.command("EXISTS", "lk:published:ann")).isEqualTo("1");
			assertThat(CACHE.command("DBSIZE")).isEqualTo(SESSIONS.command("DBSIZE")).isEqualTo("0");
		}
	}

	@Test
	void serializersOfTheApplicationAreOfNoConcern(@Autowired RedisTemplate<String, Object> cache) {
		assertThat(this.invoices.publish("bob", 7)).isTrue();
		assertThat(CACHE.command("GET", "bob")).isEqualTo("\"invoice 7\"");
		assertThat(cache.opsForValue().get("bob")).isEqualTo("invoice 7");
		assertThat(cache.delete("bob")).isTrue();
	}

	@Test
	void lockInTheDatabaseUsesTheTableThatLiquibaseMade() {
		assertThat(this.invoices.write("eve")).isOne();
		assertThat(this.database.queryForList("select lock_key from distributed_lock", String.class))
			.containsExactly("invoice:eve");
		assertThat(LOCKS.command("EXISTS", "lk:invoice:eve")).isEqualTo("0");
	}

}
