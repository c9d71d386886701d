package io.distlock.sample.fleet;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import io.distlock.sample.Shop;
import io.distlock.sample.ShopApplication;
import io.distlock.sample.page.Browser;
import io.distlock.sample.page.NeedsBrowser;
import io.distlock.test.ChildJvm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * The shop as the command of the README starts it: a process before two nodes that are
 * processes of their own. It starts once, is looked at, loses a node and is killed.
 */
@Timeout(300)
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class FleetTests {

	private static final Duration LIMIT = Duration.ofMinutes(3);

	private static final String OPEN = "The shop is open: http://localhost:";

	private static ChildJvm process;

	private static int port;

	private static Shop shop;

	@BeforeAll
	static void open() {
		process = ChildJvm.of(ShopApplication.class)
			.args("--server.port=0", "--logging.level.io.distlock=info")
			.start();
		await().atMost(LIMIT).until(() -> process.printed(OPEN) || !process.isAlive());
		port = port(process);
		shop = new Shop(port);
	}

	@AfterAll
	static void close() {
		process.close();
	}

	@Nested
	@Order(1)
	@NeedsBrowser
	class Page {

		@Test
		void buysAndOrdersFromTheNodes() {
			try (Browser browser = Browser.open(port)) {
				browser.visit("index.html?lang=en");
				browser.await("#nodes li:nth-child(2)[data-state=up]");
				browser.await("#buy-book");

				browser.click("#buy-book");
				browser.awaitText("#answer", "Bought 1 of book: 99 left. Served by ");
				browser.type("#quantity-book", "500");
				browser.click("#buy-book");
				browser.awaitText("#answer", "HTTP 409");
				browser.click("#rush-item-book");
				browser.awaitText("#answer", "20 customers at once: 20 served, 0 refused. Served by node-1, node-2.");

				browser.type("#user", "eve");
				browser.click("#order-summer");
				browser.awaitText("#answer", "for eve. Served by ");
				browser.click("#order-summer");
				browser.awaitText("#answer", "HTTP 409");
				browser.click("#order-over");
				browser.awaitText("#answer", "over");

				browser.await("#log li:nth-child(2)");
				browser.keep("shop");
				browser.select("#language", "zh");
				assertThat(browser.text("h1")).isEqualTo("商店");
				assertThat(browser.text("#buy-chair")).isEqualTo("购买");
				assertThat(browser.controlsWithoutName()).isEmpty();
				assertThat(browser.barriers(false)).isEmpty();
				assertThat(browser.barriers(true)).isEmpty();
				assertThat(browser.errors()).allMatch((error) -> error.contains("409"));
				browser.visit("openapi.html");
				browser.await("#operations h3");
				assertThat(browser.barriers(false)).isEmpty();
			}
		}

	}

	@Nested
	@Order(2)
	@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
	class Processes {

		@Test
		@Order(1)
		void sellOneVoucherOnce() {
			List<HttpResponse<String>> answers = shop.post("/vouchers/summer/orders?user=ann", 10);
			assertThat(answers).filteredOn((answer) -> answer.statusCode() == 201).hasSize(1);
			assertThat(answers).filteredOn((answer) -> answer.statusCode() == 409).hasSize(9);
			assertThat(answers).extracting(FleetTests::node)
				.contains("node-1", "node-2")
				.containsOnly("node-1", "node-2");
			assertThat(shop.post("/stock/book/deduct?quantity=-1").statusCode()).isEqualTo(400);
			assertThat(shop.post("/stock/chair/deduct", 8)).filteredOn((answer) -> answer.statusCode() == 200)
				.hasSize(3);
			assertThat(shop.get("/api/shop").body()).contains("\"node\":\"node-1\"", "\"state\":\"up\"",
					"{\"sku\":\"chair\",\"left\":0}");
		}

		@Test
		@Order(2)
		void killedOneIsReplaced() {
			long killed = pid(0);
			ProcessHandle.of(killed).orElseThrow().destroyForcibly();
			// A slow machine may show the state only when the next process starts
			// already.
			await().atMost(LIMIT)
				.until(() -> shop.get("/api/shop").body().contains("\"state\":\"ended\"")
						|| process.printed("node-1 (process " + killed + ") ended"));
			assertThat(node(shop.post("/vouchers/spring/orders?user=bob"))).as("the other one serves all customers")
				.isEqualTo("node-2");
			await().atMost(LIMIT).until(() -> restarts() == 1);
			assertThat(pid(0)).isNotEqualTo(killed);
			assertThat(shop.post("/vouchers/spring/orders?user=bob", 4)).as("orders survive their node")
				.allMatch((answer) -> answer.statusCode() == 409)
				.extracting(FleetTests::node)
				.contains("node-1", "node-2");
			await().atMost(LIMIT).until(() -> process.printed("node-1 serves again on port "));
			assertThat(process.lines()).filteredOn((line) -> line.contains("WARN") && line.contains("node-1"))
				.hasSize(1);
		}

		@Test
		@Order(3)
		void goWithAKilledShop() {
			List<ProcessHandle> children = process.handle().descendants().toList();
			assertThat(children).as("two nodes and a Redis, each with a shell").hasSizeGreaterThanOrEqualTo(6);
			process.kill();
			await().atMost(LIMIT).untilAsserted(() -> assertThat(children).noneMatch(ProcessHandle::isAlive));
		}

	}

	@Nested
	@Order(3)
	class Settings {

		@Test
		void thatDoNotFitAreRefusedWithTheirName() {
			assertThatIllegalArgumentException().isThrownBy(() -> new FleetProperties(99, List.of(), null, "shop"))
				.withMessage("shop.nodes must be between 0 and 8, was 99");
			assertThatIllegalArgumentException().isThrownBy(() -> new FleetProperties(2, List.of(1), null, "shop"))
				.withMessageContaining("one number for each of the 2 nodes");
			assertThatIllegalArgumentException().isThrownBy(() -> new FleetProperties(2, List.of(1, 0), null, "shop"))
				.withMessageContaining("between 1 and 100");
		}

	}

	private static String node(HttpResponse<String> answer) {
		return answer.headers().firstValue("X-Shop-Node").orElse("none");
	}

	private static long pid(int node) {
		return JsonPath.<Number>read(shop.get("/api/shop").body(), "$.nodes[" + node + "].pid").longValue();
	}

	private static int restarts() {
		return JsonPath.read(shop.get("/api/shop").body(), "$.nodes[0].restarts");
	}

	private static int port(ChildJvm process) {
		String line = process.lines()
			.stream()
			.filter((each) -> each.contains(OPEN))
			.findFirst()
			.orElseThrow(() -> new AssertionError(process.output()));
		return Integer.parseInt(line.substring(line.indexOf(OPEN) + OPEN.length()).replaceFirst("/.*", ""));
	}

}
