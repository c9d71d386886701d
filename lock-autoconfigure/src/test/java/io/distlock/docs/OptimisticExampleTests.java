package io.distlock.docs;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.distlock.redis.optimistic.OptimisticChange;
import io.distlock.redis.optimistic.OptimisticOutcome;
import io.distlock.redis.optimistic.OptimisticSettings;
import io.distlock.redis.optimistic.RedisOptimisticTemplate;
import io.distlock.spring.Fleet;

import static org.assertj.core.api.Assertions.assertThat;

/** The code of {@code docs/optimistic.md}, on a real Redis. */
class OptimisticExampleTests {

	private static final Fleet FLEET = new Fleet(Application.class);

	@AfterAll
	static void close() {
		FLEET.close();
	}

	@Test
	void takesFromTheStock() {
		new StringRedisTemplate(FLEET.get(RedisConnectionFactory.class)).opsForValue().set("stock:book", "5");
		assertThat(take(3)).isEqualTo("sold, 2 left");
		assertThat(take(3)).isEqualTo("sold out");
	}

	private String take(int quantity) {
		RedisOptimisticTemplate optimistic = FLEET.get(RedisOptimisticTemplate.class);
		// tag::take[]
		OptimisticOutcome<Integer> outcome = optimistic.execute("stock:book", (redis) -> {
			int left = Integer.parseInt(redis.get("stock:book"));
			return (left < quantity) ? OptimisticChange.none(left) : OptimisticChange.write(left - quantity,
					(writes) -> writes.set("stock:book", String.valueOf(left - quantity)));
		});
		if (outcome instanceof OptimisticOutcome.Written<Integer> sold) {
			return "sold, " + sold.result() + " left";
		}
		return (outcome instanceof OptimisticOutcome.Contended) ? "try again later" : "sold out";
		// end::take[]
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		// tag::bean[]
		@Bean
		RedisOptimisticTemplate optimistic(RedisConnectionFactory connectionFactory) {
			return new RedisOptimisticTemplate(connectionFactory, OptimisticSettings.builder().maxAttempts(32).build());
		}
		// end::bean[]

	}

}
