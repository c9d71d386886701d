package io.distlock.autoconfigure.health;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import ch.qos.logback.classic.Level;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.output.LogLines;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A Redis that answers each call with an error is seen in the log and in the health. */
@Isolated // counts lines
class RefusingStoreTests {

	private static final int CALLS = 20;

	private final RedisServer server = RedisServer.start();

	@AfterEach
	void stop() {
		this.server.close();
	}

	private static List<String> lines(LogLines log) {
		return log.events()
			.stream()
			.filter((line) -> line.getLevel().isGreaterOrEqual(Level.INFO))
			.map((line) -> line.getLevel() + " " + line.getFormattedMessage())
			.toList();
	}

	private void check(String[] refuse, String code, String[] accept) {
		try (ConfigurableApplicationContext shop = LockApplications.start(Shop.class,
				"spring.data.redis.host=" + this.server.host(), "spring.data.redis.port=" + this.server.port(),
				"distributed-lock.command-timeout=10s")) {
			LockTemplate template = shop.getBean(LockTemplate.class);
			LockHealth health = new LockHealth(() -> template, () -> null, (id) -> List.of(), Duration.ofSeconds(10),
					Instant::now);
			Awaitility.await().until(() -> health.check().up());
			// An application that starts takes what listens away.
			try (LogLines log = LogLines.of("io.distlock")) {
				this.server.command(refuse);
				for (int i = 0; i < CALLS; i++) {
					String key = "stock:" + i;
					assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> template.acquire(key))
						.withMessageContaining(code);
				}
				LockHealth.Report report = health.check();
				assertThat(report.up()).isFalse();
				assertThat(report.details().get("error").toString()).contains(code);
				Awaitility.await().until(() -> !lines(log).isEmpty());
				assertThat(lines(log)).singleElement()
					.asString()
					.startsWith("WARN The store refused to grant a lock: ")
					.contains(code, "'stock:0'")
					.endsWith(". Further refusals are counted");
				this.server.command(accept);
				Awaitility.await().until(() -> health.check().up());
				template.acquire("stock:1").close();
				Awaitility.await().until(() -> lines(log).size() >= 2);
				assertThat(lines(log)).hasSize(2)
					.last()
					.asString()
					.matches("INFO The store grants locks again after .*; it refused " + (CALLS + 1) + " time\\(s\\)");
			}
		}
	}

	@Test
	void aServerThatIsFull() {
		check(new String[] { "config", "set", "maxmemory", "1" }, "OOM",
				new String[] { "config", "set", "maxmemory", "0" });
	}

	@Test
	void aUserWhoLostARight() {
		check(new String[] { "acl", "setuser", "default", "-evalsha" }, "NOPERM",
				new String[] { "acl", "setuser", "default", "+evalsha" });
	}

	@Test
	void aServerWithTooFewReplicas() {
		check(new String[] { "config", "set", "min-replicas-to-write", "1" }, "NOREPLICAS",
				new String[] { "config", "set", "min-replicas-to-write", "0" });
	}

	@Configuration(proxyBeanMethods = false)
	static class Shop {

	}

}
