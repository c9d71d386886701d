package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.GrantKind;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockActivityListener;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;
import io.distlock.observe.RefusalReason;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which locks a listener of activity is notified of, and that it delays none. */
class LockActivityListenerTests extends AbstractLockObserverTests {

	@Test
	void aListenerOfActivityIsNotifiedInOrder() {
		Activity listener = new Activity();
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
			.listener(listener)
			.build()) {
			template.run(LOCK, (lock) -> template.acquire(LOCK).close());
			LockHandle other = this.elsewhere.acquire(LockRequest.of("stock:42"));
			assertThat(template.tryAcquire(ONCE)).isEmpty();
			other.close();
			Awaitility.await().until(() -> listener.told.size() == 3);
		}
		assertThat(listener.told).containsExactly("acquired", "released", "busy");
	}

	@Test
	void aSlowListenerOfActivityDelaysNoLockAndNoMemoryPilesUp() {
		Activity listener = new Activity();
		CountDownLatch blocked = new CountDownLatch(1);
		listener.first = blocked;
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
			.listener(listener)
			.build()) {
			for (int i = 0; i < 6_000; i++) {
				template.acquire(LOCK).close();
			}
			blocked.countDown();
			Awaitility.await().until(() -> listener.told.size() >= 10_000);
			Awaitility.await().during(Duration.ofMillis(100)).until(() -> listener.told.size() == 10_000);
		}
	}

	/** Writes down what it is notified of. */
	private static final class Activity implements LockActivityListener {

		private final List<String> told = new CopyOnWriteArrayList<>();

		private final AtomicInteger count = new AtomicInteger();

		private volatile @Nullable CountDownLatch first;

		private void add(String step) {
			CountDownLatch wait = this.first;
			if (wait != null && this.count.getAndIncrement() == 0) {
				try {
					wait.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
			this.told.add(step);
		}

		@Override
		public void acquired(LockAcquired acquired) {
			assertThat(acquired.how()).isNotEqualTo(GrantKind.NESTED);
			add("acquired");
		}

		@Override
		public void busy(LockRefused refused) {
			assertThat(refused.reason()).isEqualTo(RefusalReason.BUSY);
			add("busy");
		}

		@Override
		public void released(LockReleased released) {
			add("released");
		}

	}

}
