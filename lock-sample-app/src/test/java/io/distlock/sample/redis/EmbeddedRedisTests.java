package io.distlock.sample.redis;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.distlock.sample.ShopApplication;
import io.distlock.sample.process.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class EmbeddedRedisTests {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	@Test
	void shopWhenNothingIsConfiguredThenUsesTheOneServerOfThisProcess() {
		try (ConfigurableApplicationContext context = start()) {
			ConfigurableEnvironment environment = context.getEnvironment();
			assertThat(environment.getProperty("spring.data.redis.host")).isEqualTo("127.0.0.1");
			assertThat(environment.getProperty("spring.data.redis.port", Integer.class))
				.isEqualTo(EmbeddedRedis.get().port());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "host=redis.example", "url=redis://redis.example", "port=6380", "sentinel.master=main",
			"cluster.nodes=a:1,b:2", "cluster.nodes[0]=a:1" })
	void shopWhenAddressIsConfiguredThenUsesThat(String address) {
		try (ConfigurableApplicationContext context = start("--spring.data.redis." + address)) {
			assertThat(context.getEnvironment().getPropertySources().contains("embeddedRedis")).isFalse();
		}
	}

	@Test
	void redisWhenShopIsKilledThenGoesWithIt() throws Exception {
		assertThatRedisEndsAfter(ChildJvm::kill);
	}

	@Test
	void redisWhenShopEndsThenGoesWithIt() throws Exception {
		assertThatRedisEndsAfter(ChildJvm::terminate);
	}

	private static void assertThatRedisEndsAfter(Consumer<ChildJvm> ending) throws InterruptedException {
		try (ChildJvm shop = ChildJvm.start(ShopApplication.class, "--server.port=0",
				"--logging.level.io.distlock=info")) {
			await().atMost(LIMIT)
				.untilAsserted(
						() -> assertThat(shop.lines()).anyMatch((line) -> line.contains("Started ShopApplication")));
			List<ProcessHandle> children = shop.handle().descendants().toList();
			assertThat(children).extracting((child) -> child.info().command().orElse(""))
				.anyMatch((command) -> command.endsWith("redis-server"));
			assertThat(shop.lines()).filteredOn((line) -> line.contains("No Redis is configured"))
				.singleElement()
				.asString()
				.contains("redis-server (pid ");
			ending.accept(shop);
			shop.awaitExit(LIMIT);
			await().atMost(LIMIT).untilAsserted(() -> assertThat(children).noneMatch(ProcessHandle::isAlive));
		}
	}

	private static ConfigurableApplicationContext start(String... args) {
		return new SpringApplicationBuilder(Nothing.class).web(WebApplicationType.NONE).run(args);
	}

	static class Nothing {

	}

}
