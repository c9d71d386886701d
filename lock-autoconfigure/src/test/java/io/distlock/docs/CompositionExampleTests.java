package io.distlock.docs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AliasFor;
import org.springframework.retry.annotation.EnableRetry;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.autoconfigure.Fleet;

import static org.assertj.core.api.Assertions.assertThat;

/** The code of {@code docs/annotation.md}. */
class CompositionExampleTests {

	@Test
	void ownAnnotationLocks() {
		try (Fleet fleet = new Fleet(Application.class)) {
			StockService stock = fleet.get(StockService.class);
			assertThat(stock.deduct("book")).isEqualTo("stock:book");
			assertThat(stock.recount()).isEqualTo("recount");
		}
	}

	// tag::annotation[]
	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Inherited
	@DistributedLock(name = "stock")
	@interface StockLock {

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String sku();

		@AliasFor(annotation = DistributedLock.class, attribute = "waitTime")
		String patience() default "3s";

	}
	// end::annotation[]

	@StockLock(sku = "#sku")
	static class StockService {

		public String deduct(String sku) {
			return LockContext.current().orElseThrow().key(); // stock:book
		}

		@DistributedLock(name = "recount")
		public String recount() {
			return LockContext.current().orElseThrow().key(); // recount
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableRetry(order = Ordered.HIGHEST_PRECEDENCE) // outside of the lock: each attempt
														// takes it anew
	static class RetryConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ StockService.class, RetryConfiguration.class })
	static class Application {

	}

}
