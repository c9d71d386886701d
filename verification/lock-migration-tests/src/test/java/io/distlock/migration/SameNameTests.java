package io.distlock.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.RequestId;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Two locks of this library that have one name in the other one. */
class SameNameTests {

	private static final Duration PATIENT = Duration.ofSeconds(10);

	/**
	 * The other library takes a further request of a process for that of its owner, and
	 * the release of one key ends the hold of the other.
	 */
	@Test
	void whileALockIsHeldAnotherOneOfItsNameIsRefused() {
		OneOwner locks = new OneOwner();
		ForeignLockStore store = new ForeignLockStore("the locks of old", locks, (key) -> "coarse", () -> {
		}, false);
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(store)
			.settings(LockSettings.builder().commandTimeout(PATIENT).build())
			.build()) {
			try (LockHandle first = template.acquire(LockRequest.of("stock:1"))) {
				for (int i = 0; i < 3; i++) {
					assertThatExceptionOfType(LockStoreException.class)
						.isThrownBy(() -> template.acquire(LockRequest.of("stock:2").waitAtMost(PATIENT)))
						.withMessageContaining("stock:2")
						.withMessageContaining(
								"the locks of old have one name for it and for lock 'stock:1', 'coarse'");
				}
				assertThat(first.isHeld()).isTrue();
				assertThat(locks.finished).isEmpty();
				try (LockHandle nested = template.acquire(LockRequest.of("stock:1"))) {
					assertThat(nested.isHeld()).isTrue();
				}
			}
		}
		assertThat(locks.finished).isNotEmpty();
	}

	@Test
	void whenALockIsReleasedAnotherOneOfItsNameIsGranted() {
		ForeignLockStore store = new ForeignLockStore("the locks of old", new OneOwner(), (key) -> "coarse", () -> {
		}, false);
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(store)
			.settings(LockSettings.builder().commandTimeout(PATIENT).build())
			.build()) {
			for (int i = 0; i < 3; i++) {
				try (LockHandle held = template.acquire(LockRequest.of("stock:" + i))) {
					assertThat(held.isHeld()).isTrue();
				}
			}
		}
	}

	/** A lost hold is not finished, and its name is free again at the same time. */
	@Test
	void afterALockWasLostAnotherOneOfItsNameIsGranted() {
		OneOwner locks = new OneOwner();
		ForeignLockStore store = new ForeignLockStore("the locks of old", locks, (key) -> "coarse", () -> {
		}, false);
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(store)
			.settings(LockSettings.builder()
				.leaseTime(Duration.ofSeconds(9))
				.commandTimeout(Duration.ofSeconds(3))
				.build())
			.build()) {
			LockHandle lost = template.acquire(LockRequest.of("stock:1"));
			locks.forgotten = true;
			Awaitility.await().atMost(PATIENT.multipliedBy(6)).until(() -> !lost.isHeld());
			try (LockHandle next = template.acquire(LockRequest.of("stock:2").leaseFor(PATIENT))) {
				assertThat(next.isHeld()).isTrue();
			}
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lost::close);
		}
	}

	/** Grants all requests of the one process that asks. */
	private static final class OneOwner implements ForeignLocks {

		private volatile boolean forgotten;

		private final List<RequestId> finished = Collections.synchronizedList(new ArrayList<>());

		private static Answer yes(String text) {
			return new Answer(1, System.currentTimeMillis() * 1000, text);
		}

		@Override
		public Answer acquire(String name, RequestId request, long lease, boolean free, long turn) {
			return yes("");
		}

		@Override
		public Answer renew(String name, RequestId request, long lease) {
			return this.forgotten ? new Answer(0, System.currentTimeMillis() * 1000, "") : yes(String.valueOf(lease));
		}

		@Override
		public Answer finish(String name, RequestId request, long keep, long leave) {
			this.finished.add(request);
			return yes("");
		}

		@Override
		public Answer inspect(String name) {
			return yes("");
		}

		@Override
		public LockStoreException translate(String key, String where, RuntimeException failure) {
			return new LockStoreException(key, where, failure);
		}

	}

}
