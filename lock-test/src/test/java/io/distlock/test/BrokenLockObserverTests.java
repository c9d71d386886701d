package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import io.distlock.CloseableLockTemplate;
import io.distlock.Holder;
import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;
import io.distlock.output.LogLines;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An observer that blocks or throws does no harm to locks and to other observers. */
class BrokenLockObserverTests extends AbstractLockObserverTests {

	@Test
	void anObserverThatBlocksKeepsNoOtherCallerFromItsPermit() throws Exception {
		LockRequest permit = LOCK.permits(2);
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		AcquisitionObserver slow = new AcquisitionObserver() {

			@Override
			public void waits(@Nullable Holder holder) {
				boolean first = begun.getCount() > 0;
				begun.countDown();
				try {
					goOn.await(first ? 60 : 0, TimeUnit.SECONDS);
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}

		};
		CloseableLockTemplate observed = template(new InMemoryLockStore(this.server), new LockObserver() {

			@Override
			public AcquisitionObserver acquiring(String store, LockRequest request) {
				return slow;
			}

		});
		LockHandle first = this.elsewhere.acquire(permit);
		LockHandle second = this.elsewhere.acquire(permit);
		CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> observed.acquire(permit).close());
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Boolean> other = CompletableFuture
			.supplyAsync(() -> observed.tryAcquire(permit.waitAtMost(Duration.ZERO)).isPresent());
		try {
			assertThat(other.get(30, TimeUnit.SECONDS)).isFalse();
			first.close();
			assertThat(waiting).isNotDone();
		}
		finally {
			goOn.countDown();
		}
		waiting.get(30, TimeUnit.SECONDS);
		second.close();
		observed.close();
	}

	/**
	 * Another thread takes part in the same key during each callback, which it could not
	 * while the monitor of the key was held.
	 */
	@Test
	void noCallbackRunsUnderTheMonitorOfTheKey() throws InterruptedException {
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		this.steps.during = () -> {
			try {
				CompletableFuture.supplyAsync(() -> this.here.holdCount("stock:42")).get(30, TimeUnit.SECONDS);
			}
			catch (Exception ex) {
				failures.add(ex);
			}
		};
		this.steps.commands = new CopyOnWriteArrayList<>();
		LockHandle first = this.here.acquire(LOCK);
		Thread second = inWaitingThread(() -> this.here.acquire(LOCK).close());
		first.close();
		second.join();
		this.store.inject(FaultyLockStore.Verb.RENEW, FaultyLockStore.Fault.LOSE_COMMAND);
		this.here.acquire(LOCK.leaseFor(Duration.ofSeconds(2)));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.steps.names().contains("lost EXPIRED"));
		assertThat(this.steps.names()).contains("waits", "acquired HERE", "released");
		assertThat(failures).isEmpty();
	}

	@Test
	void anObserverThatThrowsHarmsNoLock() throws InterruptedException {
		this.steps.during = () -> {
			throw new IllegalStateException("observer");
		};
		survivesItsObserver();
	}

	@Test
	void anObserverThatThrowsAnErrorHarmsNoLock() throws Exception {
		this.steps.during = () -> {
			throw new AssertionError("observer");
		};
		survivesItsObserver();
		LockHandle async = this.here.acquireAsync(LOCK).toCompletableFuture().get(30, TimeUnit.SECONDS);
		async.closeAsync().toCompletableFuture().get(30, TimeUnit.SECONDS);
		LockHandle busy = this.elsewhere.acquire(LOCK);
		assertThat(this.here.tryAcquire(ONCE)).isEmpty();
		busy.close();
		this.store.inject(FaultyLockStore.Verb.RENEW, FaultyLockStore.Fault.LOSE_COMMAND);
		LockHandle lost = this.here.acquire(LOCK.leaseFor(Duration.ofMillis(500)));
		Awaitility.await().until(() -> this.steps.names().contains("lost EXPIRED"));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lost::close);
		this.store.heal();
		Awaitility.await().until(this.here::isIdle);
	}

	private void survivesItsObserver() throws InterruptedException {
		this.steps.commands = new CopyOnWriteArrayList<>();
		LockHandle first = this.here.acquire(LOCK);
		Thread second = inWaitingThread(() -> this.here.acquire(LOCK).close());
		first.close();
		second.join();
		assertThat(this.here.isLocked("stock:42")).isFalse();
		Awaitility.await().until(this.here::isIdle);
	}

	@Test
	void severalObserversThatThrowErrorsHarmNoLock() throws Exception {
		LockObserver broken = new LockObserver() {

			@Override
			public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
				throw new AssertionError("observer");
			}

			@Override
			public boolean observesCommands() {
				throw new AssertionError("observer");
			}

		};
		ObservedSteps second = new ObservedSteps();
		second.during = () -> {
			throw new AssertionError("observer");
		};
		second.commands = new CopyOnWriteArrayList<>();
		ObservedSteps third = new ObservedSteps();
		third.trace = "trace";
		third.commands = new CopyOnWriteArrayList<>();
		try (CloseableLockTemplate template = template(new InMemoryLockStore(this.server),
				LockObserver.all(List.of(broken, second, third)))) {
			template.acquire(LOCK).close();
			template.acquireAsync(LOCK).toCompletableFuture().get(30, TimeUnit.SECONDS).close();
		}
		try (CloseableLockTemplate template = template(new InMemoryLockStore(this.server), broken)) {
			template.acquire(LOCK).close();
		}
		assertThat(third.names()).containsExactly("acquired FREE", "released", "acquired FREE", "released");
		assertThat(third.commands).containsExactly("ACQUIRE", "RELEASE", "ACQUIRE", "RELEASE");
	}

	@Test
	void anObserverThatThrowsIsNamedInTheLog() {
		this.steps.during = () -> {
			throw new IllegalStateException("observer");
		};
		LogLines log = LogLines.of("io.distlock");
		try (log) {
			this.here.acquire(LOCK).close();
		}
		assertThat(log.messages(Level.WARN)).contains("Lock observer " + ObservedSteps.class.getName() + "$1 failed");
	}

	@Test
	void aLossIsReportedToAnObserverOfNoAcquisition() {
		Queue<LockLoss> losses = new ConcurrentLinkedQueue<>();
		LockObserver broken = new LockObserver() {

			@Override
			public void lost(LockLoss loss) {
				throw new AssertionError("observer");
			}

		};
		LockObserver observer = new LockObserver() {

			@Override
			public void lost(LockLoss loss) {
				losses.add(loss);
			}

		};
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
			.storeId("audit")
			.observer(broken)
			.observer(observer)
			.build()) {
			template.acquire(LOCK.named("stock").leaseFor(Duration.ofSeconds(2)));
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !losses.isEmpty());
		}
		assertThat(losses).singleElement()
			.returns("audit", LockLoss::store)
			.returns("stock", LockLoss::name)
			.returns("stock:42", LockLoss::key);
	}

	@Test
	void oneOfSeveralObserversThatThrowsHidesNothingFromTheOthers() {
		LockObserver broken = new LockObserver() {

			@Override
			public AcquisitionObserver acquiring(String store, LockRequest request) {
				throw new IllegalStateException("observer");
			}

		};
		ObservedSteps second = new ObservedSteps();
		second.during = () -> {
			throw new IllegalStateException("observer");
		};
		ObservedSteps third = new ObservedSteps();
		try (CloseableLockTemplate template = template(new InMemoryLockStore(this.server),
				LockObserver.all(List.of(broken, second, third)))) {
			template.acquire(LOCK).close();
		}
		assertThat(third.names()).containsExactly("acquired FREE", "released");
	}

}
