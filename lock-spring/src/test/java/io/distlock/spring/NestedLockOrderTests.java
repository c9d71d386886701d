package io.distlock.spring;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockRequest;
import io.distlock.output.DocPage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class NestedLockOrderTests {

	private static final String DANGER = ". Two callers that hold one each wait for each other until their wait time is "
			+ "over. Take them in ";

	private LockedApplication application;

	private Shop shop;

	@BeforeEach
	void start() {
		this.application = new LockedApplication(true, Map.of(), Map.of(), Shop.class);
		this.shop = this.application.get(Shop.class);
	}

	@AfterEach
	void stop() {
		this.application.close();
	}

	@Test
	void bothOrdersOfTwoNamesAreWarnedOfOnceWithBothPlaces(CapturedOutput output) {
		this.shop.order("a", () -> this.shop.stock("b", () -> {
		}));
		assertThat(warnings(output)).isEmpty();
		for (int i = 0; i < 3; i++) {
			this.shop.stock("c", () -> this.shop.order("d", () -> {
			}));
			this.shop.order("e", () -> this.shop.stock("f", () -> {
			}));
		}
		assertThat(warnings(output)).singleElement()
			.asString()
			.endsWith("Locks 'stock' and 'order' are taken in both orders: 'stock' first in "
					+ "NestedLockOrderTests.Shop.order(String, Runnable) called in "
					+ "NestedLockOrderTests.Shop.stock(String, Runnable), 'order' first in "
					+ "NestedLockOrderTests.Shop.stock(String, Runnable) called in "
					+ "NestedLockOrderTests.Shop.order(String, Runnable)" + DANGER + "the same order everywhere");
	}

	@Test
	void orderIsSeenThroughALockBetween(CapturedOutput output) {
		this.shop.order("a", () -> this.shop.report(() -> this.shop.stock("b", () -> {
		})));
		this.shop.stock("a", () -> this.shop.order("b", () -> {
		}));
		assertThat(warnings(output)).singleElement().asString().contains("'stock'", "'order'");
	}

	@Test
	void warningComesEvenIfTheInnerLockIsNeverGot(CapturedOutput output) {
		this.shop.order("a", () -> this.shop.stock("b", () -> {
		}));
		assertThat(this.application.other().tryAcquire(LockRequest.of("order:x"))).isPresent();
		this.shop.stock("a", () -> assertThatExceptionOfType(LockBusyException.class)
			.isThrownBy(() -> this.shop.orderSoon("x", () -> {
			})));
		assertThat(warnings(output)).hasSize(1);
	}

	@Test
	void oneNameIsWarnedOfWhenKeysComeInBothOrders(CapturedOutput output) {
		this.shop.stock("a", () -> this.shop.stock("b", () -> {
		}));
		this.shop.stock("c", () -> this.shop.stock("d", () -> {
		}));
		assertThat(warnings(output)).isEmpty();
		this.shop.stock("y", () -> this.shop.stock("x", () -> {
		}));
		assertThat(warnings(output)).singleElement()
			.asString()
			.endsWith("Two locks of name 'stock' are taken inside each other in both orders of their keys, in "
					+ "NestedLockOrderTests.Shop.stock(String, Runnable) called in "
					+ "NestedLockOrderTests.Shop.stock(String, Runnable) and in "
					+ "NestedLockOrderTests.Shop.stock(String, Runnable) called in "
					+ "NestedLockOrderTests.Shop.stock(String, Runnable)" + DANGER
					+ "the order of their keys, or both at once with 'keys'")
			.doesNotContain("'x'", ":x");
	}

	@Test
	void whatWaitsForNothingIsNotWarnedOf(CapturedOutput output) {
		// Held already.
		this.shop.order("a", () -> this.shop.stock("b", () -> this.shop.order("a", () -> {
		})));
		// Tries once.
		this.shop.stock("b", () -> this.shop.tryOrder("c", () -> {
		}));
		// One after the other.
		this.shop.stock("b", () -> {
		});
		this.shop.order("b", () -> {
		});
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void oneOfSeveralKeysThatIsHeldAlreadyIsNotWaitedFor(CapturedOutput output) {
		this.shop.transfer("a", "b", () -> this.shop.stock("a", () -> {
		}));
		this.shop.stock("b", () -> this.shop.stock("c", () -> {
		}));
		this.shop.transfer("a", "c", () -> this.shop.transfer("c", "a", () -> {
		}));
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void eachOfSeveralKeysCounts(CapturedOutput output) {
		this.shop.stock("d", () -> this.shop.transfer("e", "f", () -> {
		}));
		assertThat(warnings(output)).isEmpty();
		this.shop.transfer("a", "c", () -> this.shop.stock("b", () -> {
		}));
		assertThat(warnings(output)).singleElement().asString().contains("Two locks of name 'stock'");
	}

	@Test
	void warningsAreOnThePage(CapturedOutput output) {
		this.shop.stock("a", () -> this.shop.stock("b", () -> {
		}));
		this.shop.stock("y", () -> this.shop.stock("x", () -> {
		}));
		this.shop.order("a", () -> this.shop.stock("b", () -> {
		}));
		this.shop.stock("c", () -> this.shop.order("d", () -> {
		}));
		assertThat(warnings(output)).hasSize(2);
		warnings(output).forEach((line) -> DocPage.of("startup-messages.md")
			.says(line.replaceFirst("^.*?(?=Locks '|Two locks)", "")
				.replace("NestedLockOrderTests.Shop.order(String, Runnable)", "OrderService.place(Order)")
				.replace("NestedLockOrderTests.Shop.stock(String, Runnable)", "StockService.deduct(String)")));
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("LockOrders")).toList();
	}

	static class Shop {

		@DistributedLock(name = "order", key = "#id", waitTime = "30s")
		public void order(String id, Runnable inside) {
			inside.run();
		}

		@DistributedLock(name = "order", key = "#id", waitTime = "100ms")
		public void orderSoon(String id, Runnable inside) {
			inside.run();
		}

		@DistributedLock(name = "order", key = "#id", waitTime = "0")
		public void tryOrder(String id, Runnable inside) {
			inside.run();
		}

		@DistributedLock(name = "stock", key = "#sku", waitTime = "30s")
		public void stock(String sku, Runnable inside) {
			inside.run();
		}

		@DistributedLock(name = "stock", keys = { "#from", "#to" }, waitTime = "30s")
		public void transfer(String from, String to, Runnable inside) {
			inside.run();
		}

		@DistributedLock(name = "report")
		public void report(Runnable inside) {
			inside.run();
		}

	}

}
