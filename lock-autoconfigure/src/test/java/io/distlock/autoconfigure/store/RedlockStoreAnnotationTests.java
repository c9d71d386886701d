package io.distlock.autoconfigure.store;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.autoconfigure.LockApplications;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A majority of nodes keeps all but permits. */
@Tag("ci")
class RedlockStoreAnnotationTests extends AbstractStoreAnnotationTests {

	private final List<RedisServer> nodes = Stream.generate(RedisServer::start).limit(3).toList();

	@Override
	void stopServer() {
		this.nodes.forEach(RedisServer::close);
	}

	@Override
	ConfigurableApplicationContext start() {
		endQuarantine();
		return start(WithoutPermits.class);
	}

	private ConfigurableApplicationContext start(Class<?> application) {
		return LockApplications.start(application, "distributed-lock.store=redlock",
				"distributed-lock.redlock.nodes=" + this.nodes.stream()
					.map((node) -> "redis://" + node.host() + ":" + node.port())
					.collect(Collectors.joining(",")),
				"distributed-lock.lease-time=15s", "distributed-lock.command-timeout=5s",
				"distributed-lock.redis.startup-check=warn");
	}

	@Override
	void loseLocks() {
		this.nodes.forEach((node) -> node.command("FLUSHALL"));
		endQuarantine();
	}

	/** Nodes without data would grant nothing for as long as a lease. */
	private void endQuarantine() {
		this.nodes.forEach((node) -> node.command("SET", "lk:%boot", "0"));
	}

	@Test
	@Override
	@DisplayName("Permits are refused at startup, with the name of the method")
	void permits() {
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> start(Application.class).close())
			.withStackTraceContaining("Gate.limited")
			.withStackTraceContaining("cannot keep permits");
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Shop.class)
	static class WithoutPermits {

	}

}
