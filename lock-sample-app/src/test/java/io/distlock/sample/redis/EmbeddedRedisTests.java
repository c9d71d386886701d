package io.distlock.sample.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.distlock.sample.ShopApplication;
import io.distlock.test.ChildJvm;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("ci")
class EmbeddedRedisTests {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private static final Pattern STARTED = Pattern.compile("Started ShopApplication");

	private static final Pattern STARTED_REDIS = Pattern
		.compile("No Redis is configured: started (?<file>\\S+) \\(pid (?<pid>\\d+)\\)");

	/** What the shop of a test has on its PATH. */
	@TempDir
	private Path path;

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
	void serverThatIsInstalledIsNamedAsFoundAndGoesWithAKilledShop() throws IOException {
		Path installed = installServer();
		try (ChildJvm shop = startShop()) {
			assertThat(serverOf(shop).group("file")).isEqualTo(installed.toString());
			assertThatRedisEndsAfter(ChildJvm::kill, shop);
		}
	}

	@Test
	void packedServerIsStartedWhenNoneIsInstalledAndGoesWhenTheShopEnds() throws IOException {
		try (ChildJvm shop = startShop()) {
			assertThat(serverOf(shop).group("file")).endsWith("redis-server").doesNotStartWith(this.path.toString());
			assertThatRedisEndsAfter(ChildJvm::terminate, shop);
		}
	}

	private static void assertThatRedisEndsAfter(Consumer<ChildJvm> ending, ChildJvm shop) {
		List<ProcessHandle> children = shop.handle().descendants().toList();
		assertThat(children).extracting(ProcessHandle::pid).contains(Long.valueOf(serverOf(shop).group("pid")));
		ending.accept(shop);
		shop.awaitExit(LIMIT);
		await().atMost(LIMIT).untilAsserted(() -> assertThat(children).noneMatch(ProcessHandle::isAlive));
	}

	/** As on Debian, where the server is a file of another name. */
	private Path installServer() throws IOException {
		try (RedisServer any = RedisServer.start()) {
			Files.copy(any.executable().toRealPath(), this.path.resolve("redis-check-rdb"));
		}
		return Files.createSymbolicLink(this.path.resolve("redis-server"), Path.of("redis-check-rdb"));
	}

	/** The shop, whose PATH has a shell and what the test puts there, nothing else. */
	private ChildJvm startShop() throws IOException {
		Path shell = Files.writeString(this.path.resolve("sh"), "#!/bin/sh\nexec /bin/sh \"$@\"\n");
		assertThat(shell.toFile().setExecutable(true)).isTrue();
		ChildJvm shop = ChildJvm.of(ShopApplication.class)
			.environment("PATH", this.path.toString())
			.args("--server.port=0", "--logging.level.io.distlock=info", "--spring.main.lazy-initialization=true")
			.start();
		await().atMost(LIMIT).untilAsserted(() -> assertThat(shop.lines()).anyMatch(STARTED.asPredicate()));
		return shop;
	}

	private static Matcher serverOf(ChildJvm shop) {
		assertThat(shop.lines()).filteredOn(STARTED_REDIS.asPredicate()).hasSize(1);
		Matcher line = STARTED_REDIS.matcher(String.join("\n", shop.lines()));
		assertThat(line.find()).isTrue();
		return line;
	}

	private static ConfigurableApplicationContext start(String... args) {
		return new SpringApplicationBuilder(Nothing.class).web(WebApplicationType.NONE).run(args);
	}

	static class Nothing {

	}

}
