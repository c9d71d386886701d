package io.distlock.redis.client;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tags of the masters of a Cluster. */
class ClusterTagsTests {

	private final AtomicInteger asked = new AtomicInteger();

	@Test
	void tagsOfMastersAreReadAgainAfterAnError() {
		Executor reader = (task) -> {
			this.asked.incrementAndGet();
			throw new OutOfMemoryError("at random");
		};
		ClusterTags tags = new ClusterTags((RedisConnectionFactory) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { RedisConnectionFactory.class }, (proxy, method, arguments) -> null), reader);
		for (int attempt = 1; attempt <= 2; attempt++) {
			CompletableFuture<?> all = tags.all().toCompletableFuture();
			assertThatThrownBy(all::join).hasRootCauseInstanceOf(OutOfMemoryError.class);
			assertThat(this.asked).hasValue(attempt);
		}
	}

}
