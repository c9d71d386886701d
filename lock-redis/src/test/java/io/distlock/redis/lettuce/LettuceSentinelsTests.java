package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import io.distlock.redis.lettuce.LettuceSentinels;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import static org.awaitility.Awaitility.await;

/** A watch lasts as long as its store. */
class LettuceSentinelsTests {

	private static final RedisSentinelConfiguration SENTINEL = new RedisSentinelConfiguration().master("locks")
		.sentinel("127.0.0.1", 1);

	private final AtomicInteger asked = new AtomicInteger();

	@Test
	void theWatchOfSentinelsSurvivesAConfigurationThatCannotBeRead() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(SENTINEL) {

			@Override
			public @Nullable RedisSentinelConfiguration getSentinelConfiguration() {
				return switch (LettuceSentinelsTests.this.asked.incrementAndGet()) {
					case 1 -> throw new NoClassDefFoundError("at random");
					case 2 -> null;
					default -> SENTINEL;
				};
			}

		};
		factory.afterPropertiesSet();
		factory.start();
		LettuceSentinels sentinels = new LettuceSentinels(factory, "locks", Duration.ZERO, () -> {
		});
		sentinels.start();
		await().until(() -> this.asked.get() >= 3);
		sentinels.close();
		factory.destroy();
	}

}
