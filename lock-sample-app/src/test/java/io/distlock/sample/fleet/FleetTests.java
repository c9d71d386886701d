package io.distlock.sample.fleet;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import io.distlock.sample.Shop;
import io.distlock.sample.ShopApplication;
import io.distlock.test.ChildJvm;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

class FleetTests {

	private static final Duration LIMIT = Duration.ofMinutes(3);

	private static final String OPEN = "The shop is open: http://localhost:";

	@Test
	void twoProcessesSellOneVoucherOnceAndGoWithAKilledShop() {
		try (ChildJvm process = ChildJvm.of(ShopApplication.class)
			.args("--server.port=0", "--logging.level.io.distlock=info")
			.start()) {
			await().atMost(LIMIT).until(() -> process.printed(OPEN) || !process.isAlive());
			Shop shop = new Shop(port(process));
			List<HttpResponse<String>> answers = shop.post("/vouchers/summer/orders?user=ann", 10);
			assertThat(answers).filteredOn((answer) -> answer.statusCode() == 201).hasSize(1);
			assertThat(answers).filteredOn((answer) -> answer.statusCode() == 409).hasSize(9);
			assertThat(answers).extracting((answer) -> answer.headers().firstValue("X-Shop-Node").orElse("none"))
				.contains("node-1", "node-2")
				.containsOnly("node-1", "node-2");
			assertThat(shop.post("/stock/book/deduct?quantity=-1").statusCode()).isEqualTo(400);
			assertThat(shop.post("/stock/chair/deduct", 8)).filteredOn((answer) -> answer.statusCode() == 200)
				.hasSize(3);
			assertThat(shop.get("/api/shop").body()).contains("\"node\":\"node-1\"", "\"state\":\"up\"",
					"{\"sku\":\"chair\",\"left\":0}");
			killedNodeIsReplaced(process, shop);
			List<ProcessHandle> children = process.handle().descendants().toList();
			assertThat(children).as("two nodes and a Redis, each with a shell").hasSizeGreaterThanOrEqualTo(6);
			process.kill();
			await().atMost(LIMIT).untilAsserted(() -> assertThat(children).noneMatch(ProcessHandle::isAlive));
		}
	}

	private static void killedNodeIsReplaced(ChildJvm process, Shop shop) {
		long killed = pid(shop, 0);
		ProcessHandle.of(killed).orElseThrow().destroyForcibly();
		await().atMost(LIMIT).until(() -> shop.get("/api/shop").body().contains("\"state\":\"ended\""));
		assertThat(shop.post("/vouchers/spring/orders?user=bob").headers().firstValue("X-Shop-Node"))
			.as("the other node serves all customers")
			.contains("node-2");
		await().atMost(LIMIT).until(() -> restarts(shop) == 1);
		assertThat(pid(shop, 0)).isNotEqualTo(killed);
		assertThat(shop.post("/vouchers/spring/orders?user=bob", 4)).as("orders survive their node")
			.allMatch((answer) -> answer.statusCode() == 409)
			.extracting((answer) -> answer.headers().firstValue("X-Shop-Node").orElse("none"))
			.contains("node-1", "node-2");
		await().atMost(LIMIT).until(() -> process.printed("node-1 serves again on port "));
		assertThat(process.lines()).filteredOn((line) -> line.contains("WARN") && line.contains("node-1")).hasSize(1);
	}

	private static long pid(Shop shop, int node) {
		return JsonPath.<Number>read(shop.get("/api/shop").body(), "$.nodes[" + node + "].pid").longValue();
	}

	private static int restarts(Shop shop) {
		return JsonPath.read(shop.get("/api/shop").body(), "$.nodes[0].restarts");
	}

	@Test
	void settingsThatDoNotFitAreRefusedWithTheirName() {
		assertThatIllegalArgumentException().isThrownBy(() -> new FleetProperties(99, List.of(), null, "shop"))
			.withMessage("shop.nodes must be between 0 and 8, was 99");
		assertThatIllegalArgumentException().isThrownBy(() -> new FleetProperties(2, List.of(1), null, "shop"))
			.withMessageContaining("one number for each of the 2 nodes");
		assertThatIllegalArgumentException().isThrownBy(() -> new FleetProperties(2, List.of(1, 0), null, "shop"))
			.withMessageContaining("between 1 and 100");
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
