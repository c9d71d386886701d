package io.distlock.docs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.OnStoreFailure;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.output.DocPage;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class StartupChecksExampleTests {

	@Test
	void reportNamesBothMethodsAndOnlyThePlainCallIsWarnedOf(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start();
				ConfigurableApplicationContext context = LockApplications.start(Application.class,
						"spring.data.redis.port=" + redis.port(), "distributed-lock.locks.report.wait-time=0",
						"distributed-lock.command-timeout=10s")) {
			assertThat(output)
				.contains("2 methods have a distributed lock. Locks are kept in Redis at localhost:" + redis.port(),
						"StockService.deduct(String)")
				.containsOnlyOnce("bypasses the proxy");
			assertThat(output.toString().lines().filter((line) -> line.contains("bypasses the proxy"))).singleElement()
				.asString()
				.contains("StockService: sell() calls ");
			context.getBean(StockService.class).sellLocked("book");
			DocPage page = DocPage.of("annotation.md");
			output.toString()
				.lines()
				.dropWhile((line) -> !line.contains("2 methods have"))
				.skip(1)
				.takeWhile((line) -> line.startsWith("  "))
				.forEach((line) -> page.says(line.replace("StartupChecksExampleTests.", "")));
		}
	}

	@Test
	void whatElseAnnotationsSetIsShownAsOnThePage(CapturedOutput output) {
		LockApplications.start(Reports.class, "distributed-lock.store=memory").close();
		String line = "+ StockService.report(): min-hold 30s, on-store-failure run-without-lock";
		assertThat(output.toString().replace("StartupChecksExampleTests.Reports.", "StockService.")).contains(line);
		DocPage.of("annotation.md").says(line);
	}

	static class Reports {

		@DistributedLock(minHold = "30s", onStoreFailure = OnStoreFailure.RUN_WITHOUT_LOCK)
		public void report() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(StockService.class)
	static class Application {

	}

	static class StockService {

		private final ObjectProvider<StockService> self;

		StockService(ObjectProvider<StockService> self) {
			this.self = self;
		}

		@DistributedLock(name = "stock", key = "#sku", waitTime = "3s")
		public void deduct(String sku) {
			LockContext.current().orElseThrow().ensureHeld();
		}

		@DistributedLock(name = "report", leaseTime = "10m")
		public void report() {
		}

		/** Without the lock: warned of at startup. */
		public void sell(String sku) {
			deduct(sku);
		}

		/** With the lock. */
		public void sellLocked(String sku) {
			this.self.getObject().deduct(sku);
		}

	}

}
