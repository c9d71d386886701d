package io.distlock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which commands a caller sends that wants several keys, and when. */
class SeveralReleasesTests {

	private final QueueingStore store = new QueueingStore(new InMemoryLockStore());

	private final CloseableLockTemplate template = LockTemplateBuilder.forStore(this.store)
		.settings(LockSettings.builder().commandTimeout(Duration.ofSeconds(10)).build())
		.build();

	@AfterEach
	void close() {
		this.template.shutdown(Duration.ZERO);
	}

	private void awaitSent(String... commands) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.store.pending()).extracting(Object::toString)
				.containsExactlyInAnyOrder(commands));
	}

	@Test
	void closeThenAllIsSentBeforeTheFirstAnswer() throws Exception {
		FutureTask<String> caller = new FutureTask<>(() -> {
			LockHandle all = this.template.acquire(LockRequest.ofAll(List.of("a", "b", "c")));
			String keys = all.key();
			all.close();
			return keys;
		});
		new Thread(caller, "several keys").start();
		for (String key : List.of("a", "b", "c")) {
			awaitSent("ACQUIRE " + key);
			this.store.executeAll();
		}
		awaitSent("FINISH a", "FINISH b", "FINISH c");
		assertThat(caller).isNotDone();
		this.store.executeAll();
		assertThat(caller.get(10, TimeUnit.SECONDS)).isEqualTo("a, b, c");
		assertThat(this.template.isIdle()).isTrue();
	}

}
