package io.distlock.sample;

import io.distlock.browser.Browser;
import io.distlock.browser.NeedsBrowser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

@NeedsBrowser
@Timeout(300)
@DirtiesContext
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.datasource.url=jdbc:h2:mem:page;DB_CLOSE_DELAY=-1", SecondNode.PATIENT_STOCK,
				SecondNode.PATIENT_LOCK, "distributed-lock.wait-time=1m" })
class ShopPageTests {

	@Test
	void buysAndOrders(@LocalServerPort int port) {
		try (Browser browser = Browser.open(port)) {
			browser.visit("index.html?lang=en");
			browser.await("#buy-book");
			browser.click("#buy-book");
			browser.awaitText("#answer", "Bought 1 of book: 99 left. Served by shop.");
			browser.type("#quantity-book", "500");
			browser.click("#buy-book");
			browser.awaitText("#answer", "HTTP 409");
			browser.click("#rush-item-book");
			browser.awaitText("#answer", "20 customers at once: 20 served, 0 refused. Served by shop.");

			browser.type("#user", "eve");
			browser.click("#order-summer");
			browser.awaitText("#answer", "for eve. Served by ");
			browser.click("#order-summer");
			browser.awaitText("#answer", "HTTP 409");
			browser.click("#order-over");
			browser.awaitText("#answer", "over");

			browser.keep("shop");
			browser.select("#language", "zh");
			assertThat(browser.text("h1")).isEqualTo("商店");
			assertThat(browser.text("#buy-chair")).isEqualTo("购买");
			assertThat(browser.controlsWithoutName()).isEmpty();
			assertThat(browser.barriers(false)).isEmpty();
			assertThat(browser.barriers(true)).isEmpty();
			assertThat(browser.errors()).allMatch((error) -> error.contains("409"));
		}
	}

}
