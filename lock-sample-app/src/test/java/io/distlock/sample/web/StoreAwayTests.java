package io.distlock.sample.web;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.sample.Shop;
import io.distlock.sample.stock.Shelf;
import io.distlock.test.Standstill;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@DirtiesContext
@Tag("ci")
class StoreAwayTests {

	private static final RedisServer redis = RedisServer.start();

	/** The command timeout, and time for a request on a busy machine. */
	private static final Duration SOON = Duration.ofSeconds(1).plusSeconds(9);

	@LocalServerPort
	private int port;

	@Autowired
	private Shelf shelf;

	private Shop shop;

	@DynamicPropertySource
	static void address(DynamicPropertyRegistry registry) {
		registry.add("spring.data.redis.host", redis::host);
		registry.add("spring.data.redis.port", redis::port);
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@BeforeEach
	void stockUp() {
		this.shop = new Shop(this.port);
		await().ignoreExceptions().untilAsserted(() -> this.shelf.put("clock", 5));
		await().untilAsserted(() -> assertThat(this.shop.post("/stock/clock/deduct").statusCode()).isEqualTo(200));
		this.shelf.put("clock", 5);
	}

	@Test
	void deductWhenRedisHangsThenUnavailableWithinCommandTimeout() throws Exception {
		redis.pause();
		try {
			assertThatDeductIsUnavailableSoon();
		}
		finally {
			redis.resume();
		}
		assertThatShopSellsAgain();
	}

	@Test
	void deductWhenRedisIsKilledThenUnavailableWithinCommandTimeout() throws Exception {
		redis.kill();
		try {
			assertThatDeductIsUnavailableSoon();
		}
		finally {
			redis.restart();
		}
		await().ignoreExceptions().untilAsserted(() -> this.shelf.put("clock", 5));
		assertThatShopSellsAgain();
	}

	private void assertThatDeductIsUnavailableSoon() throws Exception {
		AtomicReference<HttpResponse<String>> answered = new AtomicReference<>();
		assertThat(Standstill.timed(() -> answered.set(this.shop.post("/stock/clock/deduct")))).isLessThan(SOON);
		HttpResponse<String> answer = answered.get();
		assertThat(answer.statusCode()).isEqualTo(503);
		assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
		assertThat(answer.body()).contains("is not available").doesNotContain("stock:clock");
	}

	private void assertThatShopSellsAgain() {
		await().ignoreExceptions()
			.untilAsserted(() -> assertThat(this.shelf.left("clock")).as("not sold").isEqualTo(5));
		await().atMost(Duration.ofSeconds(30)).ignoreExceptions().untilAsserted(() -> {
			// An attempt may sell although its answer is late.
			this.shelf.put("clock", 5);
			assertThat(this.shop.post("/stock/clock/deduct").body()).isEqualTo("{\"sku\":\"clock\",\"left\":4}");
		});
	}

}
