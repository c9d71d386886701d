package io.distlock.aot;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.sample.ShopApplication;
import io.distlock.test.ChildJvm;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The shop on what {@code spring-boot:process-aot} generated in this build: bean
 * definitions and proxies are code, nothing is scanned or decided any more.
 */
class AheadOfTimeTests {

	private static final Duration LIMIT = Duration.ofMinutes(3);

	private static final Duration PATIENT = Duration.ofSeconds(10);

	private static final String PORT = "Tomcat started on port ";

	@Test
	void shopWhenGeneratedAheadThenTakesRefusesAndReleasesLocks() throws Exception {
		try (RedisServer redis = RedisServer.start();
				CloseableLockTemplate locks = template(redis);
				ChildJvm shop = ChildJvm.of(ShopApplication.class)
					.options(List.of("-Dspring.aot.enabled=true"))
					.args("--server.port=0", "--logging.level.root=info", "--distributed-lock.locks.stock.wait-time=0",
							"--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
							"--spring.data.redis.timeout=10s", "--distributed-lock.command-timeout=10s")
					.start()) {
			await().atMost(LIMIT).until(() -> shop.printed(PORT) || !shop.isAlive());
			assertThat(shop.printed("Starting AOT-processed ShopApplication")).as("%s", shop.lines()).isTrue();
			assertThat(shop.lines())
				.anySatisfy((line) -> assertThat(line).matches("  stock +#sku +exclusive +none\\* .*"));
			URI sale = URI.create("http://localhost:" + port(shop) + "/stock/book/deduct");
			assertThat(post(sale).statusCode()).isEqualTo(200);
			try (LockHandle lock = locks.acquire(LockRequest.of("stock:book"))) {
				HttpResponse<String> refused = post(sale);
				assertThat(refused.statusCode()).isEqualTo(409);
				assertThat(refused.body()).contains("Another request is using the same resource");
			}
			assertThat(post(sale).statusCode()).isEqualTo(200);
			shop.terminate();
			assertThat(shop.awaitExit(LIMIT)).as("ended by the signal").isEqualTo(143);
			assertThat(shop.lines()).noneMatch((line) -> line.contains("ERROR"));
		}
	}

	private static HttpResponse<String> post(URI uri) throws Exception {
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.noBody()).build(),
					HttpResponse.BodyHandlers.ofString());
	}

	private static int port(ChildJvm shop) {
		String line = shop.lines().stream().filter((each) -> each.contains(PORT)).findFirst().orElseThrow();
		String rest = line.substring(line.indexOf(PORT) + PORT.length());
		return Integer.parseInt(rest.substring(0, rest.indexOf(' ')));
	}

	/** As another process has it. */
	private static CloseableLockTemplate template(RedisServer redis) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(redis.host(), redis.port());
		connections.start();
		return LockTemplateBuilder
			.forStore(new RedisLockStore(connections, RedisLockStoreSettings.builder().commandTimeout(PATIENT).build()))
			.settings(LockSettings.builder().commandTimeout(PATIENT).build())
			.build();
	}

}
