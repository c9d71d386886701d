package io.distlock.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** More work at once than the store's connections can do while a change is valid. */
class ManyNewKeysTests {

	private static final int KEYS = 200;

	/** Two connections then need a second for all keys, ten times the grace. */
	private static final Duration TRIP = Duration.ofMillis(5);

	private static final Duration PATIENT = Duration.ofSeconds(30);

	@Test
	void acquireWhenManyKeysAreNewThenAllAreGranted() {
		JdbcLockStore store = new JdbcLockStore(SlowDataSource.of(TestDatabase.h2(), TRIP),
				JdbcLockStoreSettings.builder().commandTimeout(PATIENT).build());
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(store)
			.settings(LockSettings.builder().leaseTime(PATIENT.multipliedBy(3)).commandTimeout(PATIENT).build())
			.build()) {
			template.acquire("first:" + UUID.randomUUID()).close();
			List<CompletableFuture<LockHandle>> all = IntStream.range(0, KEYS)
				.mapToObj((i) -> template
					.acquireAsync(LockRequest.of("new:" + UUID.randomUUID()).waitAtMost(Duration.ofSeconds(60)))
					.toCompletableFuture())
				.toList();
			assertThat(all).allSatisfy((lock) -> assertThat(lock.join().isHeld()).isTrue());
			all.forEach((lock) -> lock.join().closeAsync());
		}
	}

}
