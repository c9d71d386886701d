package io.distlock.sample.page;

import io.distlock.databases.NeedsServer;
import io.distlock.sample.ShopApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of the shop in a real browser, before two nodes that are processes of their
 * own.
 */
@Timeout(300)
@NeedsServer(command = "chromedriver", debianPackage = "chromium chromium-driver")
@SpringBootTest(classes = ShopApplication.class, properties = "shop.nodes=2",
		webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class ShopPageTests {

	private Browser browser;

	@BeforeEach
	void open(@LocalServerPort int port) {
		this.browser = Browser.open(port);
	}

	@AfterEach
	void close() {
		this.browser.close();
	}

	@Test
	void buysAndOrdersFromTheNodes() {
		this.browser.visit("index.html?lang=en");
		this.browser.await("#nodes li:nth-child(2)[data-state=up]");
		this.browser.await("#buy-chair");

		this.browser.click("#buy-chair");
		this.browser.awaitText("#answer", "Bought 1 of chair: 2 left. Served by ");
		this.browser.type("#quantity-chair", "5");
		this.browser.click("#buy-chair");
		this.browser.awaitText("#answer", "HTTP 409");

		this.browser.type("#user", "ann");
		this.browser.click("#order-summer");
		this.browser.awaitText("#answer", "for ann. Served by ");
		this.browser.click("#order-summer");
		this.browser.awaitText("#answer", "HTTP 409");
		this.browser.click("#order-over");
		this.browser.awaitText("#answer", "over");

		this.browser.await("#log li:nth-child(2)");
		this.browser.keep("shop");
		this.browser.select("#language", "zh");
		assertThat(this.browser.text("h1")).isEqualTo("商店");
		assertThat(this.browser.text("#buy-chair")).isEqualTo("购买");
		assertThat(this.browser.controlsWithoutName()).isEmpty();
		assertThat(this.browser.errors()).allMatch((error) -> error.contains("409"));
	}

}
