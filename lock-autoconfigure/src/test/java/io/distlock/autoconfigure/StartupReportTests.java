package io.distlock.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockMode;
import io.distlock.OnBusy;
import io.distlock.OnStoreFailure;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class StartupReportTests {

	private static final String MEMORY = "distributed-lock.store=memory";

	@Test
	void reportSaysWhatAnnotationsConfigurationAndDefaultsComeTo(CapturedOutput output) {
		String instance = start(Shop.class, MEMORY, "distributed-lock.wait-time=7s",
				"distributed-lock.locks.stock.wait-time=250ms", "distributed-lock.locks.stock.max-waiters=4",
				"distributed-lock.locks.report.lease-time=10m", "distributed-lock.locks.report.on-lost=interrupt",
				"gates=3");
		assertThat(report(output)).isEqualTo(
				"""
						6 methods have a distributed lock. Locks are kept in the memory of this process, instance %s
						  name         key                             mode       wait    lease        if busy       method
						  -            'customer:' + #customer.trim()  exclusive  7s      renewed 30s  throw         StartupReportTests.Orders.order(String)
						  gate         -                               3 permits  7s      renewed 30s  throw         StartupReportTests.Orders.gate()
						  (signature)  -                               exclusive  7s      renewed 30s  throw         StartupReportTests.Orders.nightly()
						  prices       #catalogue                      shared     1500ms  renewed 30s  fallback old  StartupReportTests.Prices.read(String)
						  report       -                               exclusive  none    fixed 10m*   skip          StartupReportTests.Orders.report()
						  stock        #sku                            exclusive  250ms*  fixed 5s     throw         StartupReportTests.Orders.deduct(String, int)
						  + StartupReportTests.Orders.nightly(): max-hold 1h, min-hold 30s
						  * distributed-lock.locks.report: lease-time 10m, on-lost interrupt
						  * distributed-lock.locks.stock: wait-time 250ms, max-waiters 4"""
					.formatted(instance));
	}

	/**
	 * Names are what one looks for in the configuration, methods what one looks for in
	 * the code.
	 */
	@Test
	void longNamesKeepTheirEndAndMethodsAreNotCut(CapturedOutput output) {
		start(Reservations.class, MEMORY, "tenant=acme");
		assertThat(report(output).lines().skip(1)).containsExactly(
				"  name                                      key                               mode             wait    "
						+ "lease        if busy                           method",
				"  acme-account                              #from, #to                        exclusive        5s      "
						+ "renewed 30s  throw                             StartupReportTests.Reservations."
						+ "transferBetweenAccountsOfOneTenant(String, String)",
				"  …tory-reservations-of-the-central-stores  #order.customer + ':' + #order.…  1000000 permits  1500ms  "
						+ "renewed 30s  fallback reserveLaterInTheBackg…  StartupReportTests.Reservations."
						+ "reserveForOrder(StartupReportTests.Order)",
				"  + StartupReportTests.Reservations.transferBetweenAccountsOfOneTenant(String, String): "
						+ "on-store-failure run-without-lock");
	}

	@Test
	void reportWithoutLocksIsOneLineThatNamesTheServer(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start()) {
			try (ConfigurableApplicationContext context = LockApplications.start(Empty.class,
					"spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port())) {
				assertThat(report(output))
					.isEqualTo("No method has a distributed lock. Locks are kept in Redis at " + redis.host() + ":"
							+ redis.port() + ", instance " + context.getBean(LifecycleLockTemplate.class).instance());
			}
		}
	}

	@Test
	void reportCanBeSwitchedOff(CapturedOutput output) {
		start(Shop.class, MEMORY, "logging.level.io.distlock.spring.startup.StartupReport=warn", "gates=3");
		assertThat(output).doesNotContain("Locks are kept in");
	}

	@Test
	void whatIsSwitchedOffAndWhatTheConfigurationChoosesIsMarked(CapturedOutput output) {
		start(Switched.class, MEMORY, "distributed-lock.locks.mails.enabled=false",
				"distributed-lock.locks.orders.on-busy=skip");
		assertThat(report(output).lines().skip(1)).containsExactly(
				"  name    key  mode       wait  lease        if busy  method",
				"  mails   -    off*       5s    renewed 30s  throw    StartupReportTests.Switched.send()",
				"  orders  -    exclusive  5s    renewed 30s  skip*    StartupReportTests.Switched.place(int)",
				"  + StartupReportTests.Switched.place(int): only if #amount > 100",
				"  * distributed-lock.locks.mails: enabled false", "  * distributed-lock.locks.orders: on-busy skip");
	}

	private static String start(Class<?> application, String... properties) {
		try (ConfigurableApplicationContext context = LockApplications.start(false, application, properties)) {
			return context.getBean(LifecycleLockTemplate.class).instance();
		}
	}

	/** The lines of the one log event, without what the log puts before it. */
	private static String report(CapturedOutput output) {
		List<String> lines = output.toString()
			.lines()
			.dropWhile((line) -> !line.contains("Locks are kept in"))
			.toList();
		String first = lines.get(0).substring(lines.get(0).indexOf(" : ") + 3);
		Stream<String> others = lines.stream().skip(1).takeWhile((line) -> line.startsWith("  "));
		assertThat(output.toString().split("Locks are kept in", -1)).hasSize(2);
		return String.join("\n", Stream.concat(Stream.of(first), others).toList());
	}

	static class Switched {

		@DistributedLock(name = "mails")
		public void send() {
		}

		@DistributedLock(name = "orders", condition = "#amount > 100")
		public void place(int amount) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Empty {

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Orders.class, Prices.class })
	static class Shop {

	}

	static class Orders {

		@DistributedLock(name = "stock", key = "#sku", waitTime = "3s", leaseTime = "5s")
		public void deduct(String sku, int quantity) {
		}

		@DistributedLock(name = "report", waitTime = "0", onBusy = OnBusy.SKIP)
		public void report() {
		}

		@DistributedLock(maxHold = "1h", minHold = "30s")
		public void nightly() {
		}

		@DistributedLock(key = "'customer:' + #customer.trim()")
		public void order(String customer) {
		}

		@DistributedSemaphore(name = "gate", permits = "${gates}")
		public void gate() {
		}

	}

	record Order(String customer, String warehouse) {

	}

	static class Reservations {

		@DistributedSemaphore(name = "inventory-reservations-of-the-central-stores", permits = "1000000",
				key = "#order.customer + ':' + #order.warehouse", waitTime = "1500ms", onBusy = OnBusy.FALLBACK,
				fallback = "reserveLaterInTheBackground")
		public void reserveForOrder(Order order) {
		}

		void reserveLaterInTheBackground(Order order) {
		}

		@DistributedLock(name = "${tenant}-account", keys = { "#from", "#to" },
				onStoreFailure = OnStoreFailure.RUN_WITHOUT_LOCK)
		public void transferBetweenAccountsOfOneTenant(String from, String to) {
		}

	}

	static class Prices {

		@DistributedLock(name = "prices", key = "#catalogue", mode = LockMode.SHARED, waitTime = "1500ms",
				onBusy = OnBusy.FALLBACK, fallback = "old")
		public String read(String catalogue) {
			return catalogue;
		}

		public String old(String catalogue) {
			return catalogue;
		}

	}

}
