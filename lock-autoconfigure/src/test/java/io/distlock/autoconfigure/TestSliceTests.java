package io.distlock.autoconfigure;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.context.annotation.Import;

import io.distlock.DistributedLock;
import io.distlock.LockContext;

import static org.assertj.core.api.Assertions.assertThat;

/** A slice with the imports that the documentation recommends, and no others. */
@JsonTest(properties = "distributed-lock.store=memory")
@ImportAutoConfiguration({ LockAutoConfiguration.class, LockAnnotationAutoConfiguration.class })
@Import(TestSliceTests.Stock.class)
class TestSliceTests {

	@Autowired
	private Stock stock;

	@Test
	void annotatedMethodTakesItsLock() {
		assertThat(this.stock.lockedKey()).isEqualTo("stock");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	static class Stock {

		@DistributedLock(name = "stock")
		public String lockedKey() {
			return LockContext.current().orElseThrow().key();
		}

	}

}
