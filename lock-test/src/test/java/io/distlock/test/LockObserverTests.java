package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.CloseableLockTemplate;
import io.distlock.Holder;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.GrantKind;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockActivityListener;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;
import io.distlock.observe.RefusalReason;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What an observer of locks is notified of, and that it can do no harm. */
class LockObserverTests {

	private static final LockRequest LOCK = LockRequest.of("stock:42").named("stock").calledFrom("Stock.sell");

	private static final LockRequest ONCE = LOCK.waitAtMost(Duration.ZERO);

	private final AtomicBoolean silent = new AtomicBoolean();

	private final Executor messenger = (message) -> {
		if (!this.silent.get()) {
			message.run();
		}
	};

	private final InMemoryLockServer server = new InMemoryLockServer(LockClock.system(), this.messenger);

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore(this.server));

	private final Steps steps = new Steps();

	private final CloseableLockTemplate here = template(this.store, this.steps);

	private final CloseableLockTemplate elsewhere = template(new InMemoryLockStore(this.server), LockObserver.NONE);

	private static CloseableLockTemplate template(LockStore store, LockObserver observer) {
		LockSettings settings = LockSettings.builder()
			.leaseTime(Duration.ofSeconds(3))
			.application("shop")
			.host("pod")
			.build();
		return LockTemplateBuilder.forStore(store).settings(settings).observer(observer).build();
	}

	/** Starts a thread and returns once it waits. */
	private static Thread inWaitingThread(Runnable body) {
		Thread thread = new Thread(body);
		thread.start();
		Awaitility.await()
			.pollInterval(Duration.ofMillis(1))
			.until(() -> Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING).contains(thread.getState()));
		return thread;
	}

	@AfterEach
	void close() {
		this.store.heal();
		this.here.shutdown(Duration.ZERO);
		this.elsewhere.shutdown(Duration.ZERO);
	}

	@Test
	void aFreeLockIsAcquiredAndReleased() {
		this.here.acquire(LOCK).close();
		assertThat(this.steps.names()).containsExactly("acquired FREE", "released");
		assertThat(this.steps.acquired()).satisfies((acquired) -> {
			assertThat(acquired.name()).isEqualTo("stock");
			assertThat(acquired.key()).isEqualTo("stock:42");
			assertThat(acquired.caller()).isEqualTo("Stock.sell");
			assertThat(acquired.fencingToken()).isPositive();
			assertThat(acquired.before()).isNull();
		});
	}

	@Test
	void aNestedAcquisitionHasNoHoldOfItsOwn() {
		this.here.run(LOCK, (lock) -> this.here.acquire(LOCK).close());
		assertThat(this.steps.names()).containsExactly("acquired FREE", "acquired NESTED", "released");
	}

	@Test
	void aLockThatIsHandedOnHereSaysWhoHadIt() throws InterruptedException {
		LockHandle first = this.here.acquire(LOCK);
		Thread second = inWaitingThread(() -> this.here.acquire(LOCK).close());
		first.close();
		second.join();
		assertThat(this.steps.names()).containsExactlyInAnyOrder("acquired FREE", "waits", "released", "acquired HERE",
				"released");
		assertThat(this.steps.acquired().before()).extracting(Holder::caller).isEqualTo("Stock.sell");
		assertThat(this.steps.acquired().waited()).isPositive();
	}

	@Test
	void aLockFromElsewhereIsPushed() throws InterruptedException {
		LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42").calledFrom("Other.job"));
		Thread second = inWaitingThread(() -> this.here.acquire(LOCK).close());
		first.close();
		second.join();
		assertThat(this.steps.names()).containsExactly("waits", "acquired PUSH", "released");
		assertThat(this.steps.acquired().before()).extracting(Holder::caller).isEqualTo("Other.job");
	}

	@Test
	void aLockWhoseMessageIsLostIsFoundByAsking() throws InterruptedException {
		LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42"));
		Thread second = inWaitingThread(() -> this.here.acquire(LOCK).close());
		this.silent.set(true);
		first.close();
		second.join();
		assertThat(this.steps.names()).containsExactly("waits", "acquired POLL", "released");
	}

	@Test
	void anObserverThatBlocksKeepsNoOtherCallerFromItsPermit() throws Exception {
		LockRequest permit = LOCK.permits(2);
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		LockObserver slow = (request) -> new AcquisitionObserver() {

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
		CloseableLockTemplate observed = template(new InMemoryLockStore(this.server), slow);
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

	@Test
	void aBusyLockIsRefused() {
		LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42").calledFrom("Other.job"));
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.here.acquire(ONCE));
		assertThat(this.here.tryAcquire(ONCE)).isEmpty();
		first.close();
		assertThat(this.steps.names()).containsExactly("waits", "refused BUSY", "waits", "refused BUSY");
		assertThat(this.steps.refused().holder()).extracting(Holder::caller).isEqualTo("Other.job");
	}

	@Test
	void tooManyWaitersAreRefused() throws InterruptedException {
		LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42"));
		Thread second = inWaitingThread(() -> this.here.acquire(LOCK).close());
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.here.acquire(LOCK.maxWaiters(1)));
		first.close();
		second.join();
		assertThat(this.steps.names()).containsOnlyOnce("refused TOO_MANY_WAITERS");
	}

	@Test
	void anInterruptedThreadIsRefused() throws InterruptedException {
		LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42"));
		Thread second = inWaitingThread(() -> assertThatExceptionOfType(LockInterruptedException.class)
			.isThrownBy(() -> this.here.acquire(LOCK)));
		second.interrupt();
		second.join();
		first.close();
		assertThat(this.steps.names()).containsExactly("waits", "refused INTERRUPTED");
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.here.acquire(LOCK));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.steps.names()).containsExactly("waits", "refused INTERRUPTED", "refused INTERRUPTED");
	}

	@Test
	void aStoreWithoutAnAnswerIsAFailure() {
		this.store.inject(FaultyLockStore.Verb.ACQUIRE, FaultyLockStore.Fault.LOSE_COMMAND);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.here.acquire(LOCK));
		assertThat(this.steps.names()).containsExactly("refused STORE_FAILURE");
		assertThat(this.steps.refused().failure()).isInstanceOf(LockStoreException.class);
	}

	@Test
	void aFutureThatItsCallerCompletesIsCancelled() {
		LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42"));
		CompletableFuture<LockHandle> waiting = this.here.acquireAsync(LOCK).toCompletableFuture();
		waiting.cancel(false);
		first.close();
		Awaitility.await().until(() -> this.steps.names().contains("refused CANCELLED"));
	}

	@Test
	void anAsynchronousHoldIsObservedToo() throws Exception {
		LockHandle lock = this.here.acquireAsync(LOCK).toCompletableFuture().get(5, TimeUnit.SECONDS);
		lock.closeAsync().toCompletableFuture().get(5, TimeUnit.SECONDS);
		assertThat(this.steps.names()).containsExactly("acquired FREE", "released");
	}

	@Test
	void readersAndPermitsAreObserved() {
		LockRequest read = LOCK.mode(LockMode.SHARED);
		LockHandle one = this.here.acquire(read);
		LockHandle two = this.here.acquireAsync(read).toCompletableFuture().join();
		one.close();
		two.close();
		this.here.acquire(LockRequest.permit("seats", 2)).close();
		assertThat(this.steps.names()).containsExactly("acquired FREE", "acquired HERE", "released", "released",
				"acquired FREE", "released");
	}

	@Test
	void aPermitThatWaitsInThisProcessIsObserved() throws InterruptedException {
		LockRequest permit = LockRequest.permit("seats", 1).calledFrom("Hall.enter");
		LockHandle first = this.here.acquire(permit);
		Thread second = inWaitingThread(() -> this.here.acquire(permit).close());
		assertThat(this.steps.names()).containsExactly("acquired FREE", "waits");
		first.close();
		second.join();
		assertThat(this.steps.names()).containsOnlyOnce("waits").hasSize(5);
		assertThat(this.steps.acquired().before()).extracting(Holder::caller).isEqualTo("Hall.enter");
	}

	/** The answer comes before the thread that released has reported the release. */
	@Test
	void aLockThatIsFoundLostAtItsReleaseIsReportedAsReleasedFirst() {
		LockHandle lock = this.here.acquire(LOCK);
		this.server.flush();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		assertThat(this.steps.names()).containsExactly("acquired FREE", "released", "found VANISHED");
	}

	@Test
	void aLostLockIsReportedOnceAndNotAsReleased() {
		this.store.inject(FaultyLockStore.Verb.RENEW, FaultyLockStore.Fault.LOSE_COMMAND);
		LockHandle lock = this.here.acquire(LOCK.leaseFor(Duration.ofMillis(200)));
		Awaitility.await().until(() -> this.steps.names().contains("lost EXPIRED"));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		assertThat(this.steps.names()).containsExactly("acquired FREE", "lost EXPIRED");
	}

	@Test
	void aMinimumHoldThatIsLostAfterTheReleaseEndsOnce() {
		LockHandle lock = this.here.acquire(LOCK.holdAtLeast(Duration.ofSeconds(2)));
		this.store.inject(FaultyLockStore.Verb.RENEW, FaultyLockStore.Fault.BREAK_BEFORE);
		lock.close();
		this.server.flush();
		this.store.heal();
		Awaitility.await().until(this.here::isIdle);
		assertThat(this.steps.names()).containsExactly("acquired FREE", "released");
	}

	@Test
	void theTraceIsShownToOthers() {
		this.steps.trace = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";
		LockHandle lock = this.here.acquire(LOCK);
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.elsewhere.acquire(ONCE))
			.withMessageContaining("trace 4bf92f3577b34da6a3ce929d0e0e4736")
			.withMessageNotContaining("00f067aa0ba902b7");
		lock.close();
	}

	@Test
	void commandsAreObservedIfWanted() {
		this.steps.commands = new CopyOnWriteArrayList<>();
		this.here.acquire(LOCK).close();
		assertThat(this.steps.commands).containsExactly("ACQUIRE", "RELEASE");
		this.store.inject(FaultyLockStore.Verb.ACQUIRE, FaultyLockStore.Fault.REFUSE);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.here.acquire(LOCK));
		assertThat(this.steps.commands).anyMatch((command) -> command.startsWith("ACQUIRE failed"));
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
				CompletableFuture.supplyAsync(() -> this.here.holdCount("stock:42")).get(5, TimeUnit.SECONDS);
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
		this.here.acquire(LOCK.leaseFor(Duration.ofMillis(200)));
		Awaitility.await().until(() -> this.steps.names().contains("lost EXPIRED"));
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
		LockHandle async = this.here.acquireAsync(LOCK).toCompletableFuture().get(5, TimeUnit.SECONDS);
		async.closeAsync().toCompletableFuture().get(5, TimeUnit.SECONDS);
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

	@Test
	void severalObserversThatThrowErrorsHarmNoLock() throws Exception {
		LockObserver broken = new LockObserver() {

			@Override
			public @Nullable AcquisitionObserver acquiring(LockRequest request) {
				throw new AssertionError("observer");
			}

			@Override
			public boolean observesCommands() {
				throw new AssertionError("observer");
			}

		};
		Steps second = new Steps();
		second.during = () -> {
			throw new AssertionError("observer");
		};
		second.commands = new CopyOnWriteArrayList<>();
		Steps third = new Steps();
		third.trace = "trace";
		third.commands = new CopyOnWriteArrayList<>();
		try (CloseableLockTemplate template = template(new InMemoryLockStore(this.server),
				LockObserver.all(List.of(broken, second, third)))) {
			template.acquire(LOCK).close();
			template.acquireAsync(LOCK).toCompletableFuture().get(5, TimeUnit.SECONDS).close();
		}
		try (CloseableLockTemplate template = template(new InMemoryLockStore(this.server), broken)) {
			template.acquire(LOCK).close();
		}
		assertThat(third.names()).containsExactly("acquired FREE", "released", "acquired FREE", "released");
		assertThat(third.commands).containsExactly("ACQUIRE", "RELEASE", "ACQUIRE", "RELEASE");
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
	void oneOfSeveralObserversThatThrowsHidesNothingFromTheOthers() {
		LockObserver broken = (request) -> {
			throw new IllegalStateException("observer");
		};
		Steps second = new Steps();
		second.during = () -> {
			throw new IllegalStateException("observer");
		};
		Steps third = new Steps();
		try (CloseableLockTemplate template = template(new InMemoryLockStore(this.server),
				LockObserver.all(List.of(broken, second, third)))) {
			template.acquire(LOCK).close();
		}
		assertThat(third.names()).containsExactly("acquired FREE", "released");
	}

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

	/** Writes down all steps of all acquisitions. */
	private static final class Steps implements LockObserver {

		private final List<Object> steps = new CopyOnWriteArrayList<>();

		private volatile String trace = "";

		private volatile Runnable during = () -> {
		};

		private volatile @Nullable List<String> commands;

		List<String> names() {
			return this.steps.stream().map(Steps::name).toList();
		}

		private static String name(Object step) {
			if (step instanceof LockAcquired acquired) {
				return "acquired " + acquired.how();
			}
			if (step instanceof LockRefused refused) {
				return "refused " + refused.reason();
			}
			if (step instanceof LockLoss loss) {
				return "lost " + loss.reason();
			}
			return (step instanceof LockReleased) ? "released" : step.toString();
		}

		LockAcquired acquired() {
			return last(LockAcquired.class);
		}

		LockRefused refused() {
			return last(LockRefused.class);
		}

		private <T> T last(Class<T> type) {
			return this.steps.stream()
				.filter(type::isInstance)
				.map(type::cast)
				.reduce((first, second) -> second)
				.orElseThrow();
		}

		private void add(Object step) {
			this.steps.add(step);
			this.during.run();
		}

		@Override
		public AcquisitionObserver acquiring(LockRequest request) {
			return new AcquisitionObserver() {

				@Override
				public String trace() {
					Steps.this.during.run();
					return Steps.this.trace;
				}

				@Override
				public void waits(@Nullable Holder holder) {
					add("waits");
				}

				@Override
				public void acquired(LockAcquired acquired) {
					add(acquired);
				}

				@Override
				public void refused(LockRefused refused) {
					add(refused);
				}

				@Override
				public void released(LockReleased released) {
					add(released);
				}

				@Override
				public void lost(LockLoss loss) {
					add(loss);
				}

				@Override
				public void lostBeforeRelease(LockLoss loss) {
					add("found " + loss.reason());
				}

			};
		}

		@Override
		public boolean observesCommands() {
			return this.commands != null;
		}

		@Override
		public void commandEnded(StoreCommand command, long nanos, @Nullable Throwable failure) {
			List<String> known = this.commands;
			if (known != null) {
				assertThat(nanos).isNotNegative();
				known.add((failure != null) ? command + " failed: " + failure : command.toString());
			}
			this.during.run();
		}

	}

}
