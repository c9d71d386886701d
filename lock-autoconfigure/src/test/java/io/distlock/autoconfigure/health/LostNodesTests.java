package io.distlock.autoconfigure.health;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import io.distlock.autoconfigure.LockApplications;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A minority of the nodes that is away is in the meters and in health, which is up. No
 * call fails, so nothing else tells of it.
 */
@Tag("ci")
class LostNodesTests {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void aNodeThatIsAwayAndComesBack(String client) {
		List<RedisServer> nodes = Stream.generate(RedisServer::start).limit(3).toList();
		try {
			nodes.forEach(LostNodesTests::endQuarantine);
			try (ConfigurableApplicationContext shop = LockApplications.start(
					AutoConfigurations.of(LockHealthAutoConfiguration.class), Shop.class,
					"spring.data.redis.client-type=" + client, "distributed-lock.store=redlock",
					"distributed-lock.redis.startup-check=warn", "distributed-lock.command-timeout=4s",
					"distributed-lock.redlock.nodes="
							+ nodes.stream().map(LostNodesTests::at).collect(Collectors.joining(",")))) {
				MeterRegistry registry = new SimpleMeterRegistry();
				shop.getBeanProvider(MeterBinder.class).forEach((binder) -> binder.bindTo(registry));
				LockHealth health = shop.getBean(LockHealth.class);
				Awaitility.await().atMost(PATIENCE).until(() -> health.check().up());
				assertThat(health.check().details()).doesNotContainKey("lostNodes");
				assertThat(lost(registry)).isZero();
				RedisServer away = nodes.get(1);
				away.kill();
				Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
					LockHealth.Report report = health.check();
					assertThat(report.details()).hasEntrySatisfying("lostNodes",
							(lost) -> assertThat(lost.toString()).contains(at(away)).doesNotContain(at(nodes.get(0))));
					assertThat(report.up()).isTrue();
				});
				assertThat(lost(registry)).isOne();
				away.restart();
				endQuarantine(away);
				Awaitility.await()
					.atMost(PATIENCE)
					.untilAsserted(() -> assertThat(health.check().details()).doesNotContainKey("lostNodes"));
				assertThat(lost(registry)).isZero();
			}
		}
		finally {
			nodes.forEach(RedisServer::close);
		}
	}

	private static double lost(MeterRegistry registry) {
		return registry.get("lock.store.nodes.lost").tag("lock.store", "default").gauge().value();
	}

	private static String at(RedisServer node) {
		return node.host() + ":" + node.port();
	}

	/** A node without data would grant nothing for as long as a lease. */
	private static void endQuarantine(RedisServer node) {
		node.command("SET", "lk:%boot", "0");
	}

	@Configuration(proxyBeanMethods = false)
	static class Shop {

	}

}
