package io.distlock.docs;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.RedisLockStore;
import io.distlock.spring.EnableDistributedLocks;
import io.distlock.spring.event.LockEventPublisher;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What docs/annotation.md shows for plain Spring, on a real Redis. */
class PlainSpringExampleTests {

	private static final RedisServer REDIS = RedisServer.start();

	@AfterAll
	static void close() {
		REDIS.close();
	}

	@Test
	void annotatedMethodHasItsLock() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Application.class)) {
			// The command timeout is the default, which a machine under load may exceed.
			await().ignoreExceptionsInstanceOf(LockStoreException.class)
				.untilAsserted(() -> assertThat(context.getBean(Stock.class).sell("book")).isEqualTo("stock:book"));
		}
	}

	// tag::configuration[]
	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks
	static class LockConfiguration {

		@Bean
		CloseableLockTemplate lockTemplate(RedisConnectionFactory redis, ApplicationEventPublisher events) {
			return LockTemplateBuilder.forStore(new RedisLockStore(redis))
				.observer(new LockEventPublisher(events))
				.build();
		}

	}
	// end::configuration[]

	@Configuration(proxyBeanMethods = false)
	@Import({ LockConfiguration.class, Stock.class })
	static class Application {

		@Bean
		LettuceConnectionFactory redis() {
			return new LettuceConnectionFactory(REDIS.host(), REDIS.port());
		}

	}

	static class Stock {

		@DistributedLock(name = "stock", key = "#sku")
		public String sell(String sku) {
			return LockContext.current().orElseThrow().key();
		}

	}

}
