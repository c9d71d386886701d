package io.distlock.sample.overview;

import java.util.List;

import io.distlock.sample.Shop;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(ShopLogTests.Broken.class)
class ShopLogTests {

	@LocalServerPort
	private int port;

	@Autowired
	private ShopLog log;

	@Test
	void requestWhenAnsweredThenInTheLog() {
		new Shop(this.port).post("/stock/unknown/deduct");
		awaitLine("/stock/unknown/deduct → 404 Not Found");
	}

	@Test
	void requestWhenItEndsWithAnExceptionThenInTheLogToo() {
		assertThat(new Shop(this.port).post("/stock/book/break").statusCode()).isEqualTo(500);
		awaitLine("/stock/book/break → 500 Internal Server Error");
	}

	private void awaitLine(String text) {
		await().untilAsserted(() -> assertThat(lines()).contains(text));
	}

	private List<String> lines() {
		return this.log.after(0).stream().map(ShopLog.Line::text).toList();
	}

	@RestController
	static class Broken {

		@PostMapping("/stock/book/break")
		void fail() {
			throw new IllegalStateException("broken");
		}

	}

}
