package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.distlock.CloseableLockTemplate;
import io.distlock.Holder;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockRefused;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Which commands a caller sends that wants several keys, and when. */
class JointAttemptTests {

	private static final LockRequest ALL = LockRequest.ofAll(List.of("a", "b", "c")).waitAtMost(Duration.ofSeconds(30));

	private final InMemoryLockServer server = new InMemoryLockServer();

	private final QueueingStore store = new QueueingStore(new InMemoryLockStore(this.server));

	private final List<String> observed = Collections.synchronizedList(new ArrayList<>());

	private final List<String> waits = Collections.synchronizedList(new ArrayList<>());

	private final Map<String, Duration> waited = new ConcurrentHashMap<>();

	private final CloseableLockTemplate template = LockTemplateBuilder.forStore(this.store)
		.settings(LockSettings.builder().commandTimeout(Duration.ofSeconds(10)).build())
		.observer(observer())
		.build();

	private final CloseableLockTemplate elsewhere = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
		.build();

	private LockObserver observer() {
		return (request) -> new AcquisitionObserver() {

			@Override
			public void waits(@Nullable Holder holder) {
				JointAttemptTests.this.waits.add(request.key());
			}

			@Override
			public void acquired(LockAcquired acquired) {
				JointAttemptTests.this.observed.add("acquired " + acquired.key());
				JointAttemptTests.this.waited.put(acquired.key(), acquired.waited());
			}

			@Override
			public void refused(LockRefused refused) {
				JointAttemptTests.this.observed.add("refused " + refused.key());
			}

		};
	}

	@AfterEach
	void close() {
		this.template.shutdown(Duration.ZERO);
		this.elsewhere.shutdown(Duration.ZERO);
	}

	private <T> FutureTask<T> begin(Callable<T> body) {
		FutureTask<T> task = new FutureTask<>(body);
		new Thread(task, "several keys").start();
		return task;
	}

	private void awaitSent(String... commands) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.store.pending()).extracting(Object::toString)
				.containsExactlyInAnyOrder(commands));
	}

	/** Executes all others meanwhile, such as polls and renewals. */
	private void awaitTogether(String... commands) {
		Awaitility.await().until(() -> {
			this.store.pending()
				.stream()
				.filter((command) -> !List.of(commands).contains(command.toString()))
				.forEach(this.store::execute);
			return this.store.pending().stream().map(Object::toString).toList().containsAll(List.of(commands));
		});
	}

	private void executeUntil(FutureTask<?> done) {
		Awaitility.await().until(() -> {
			this.store.executeAll();
			return done.isDone() && this.store.pending().isEmpty();
		});
	}

	@Test
	void acquireThenAllIsSentBeforeTheFirstAnswerAndSoIsTheRelease() throws Exception {
		List<String> keys = IntStream.range(0, 20).mapToObj((i) -> String.format("%02d", i)).toList();
		FutureTask<String> caller = begin(() -> {
			LockHandle all = this.template.acquire(LockRequest.ofAll(keys));
			String tokens = all.key();
			all.close();
			return tokens;
		});
		awaitSent(keys.stream().map((key) -> "ACQUIRE " + key).toArray(String[]::new));
		this.store.executeAll();
		awaitSent(keys.stream().map((key) -> "FINISH " + key).toArray(String[]::new));
		this.store.executeAll();
		assertThat(caller.get(10, TimeUnit.SECONDS)).isEqualTo(String.join(", ", keys));
		assertThat(this.template.isIdle()).isTrue();
	}

	@Test
	void acquireAsyncThenAllIsSentBeforeTheFirstAnswer() {
		CompletableFuture<LockHandle> all = this.template.acquireAsync(ALL).toCompletableFuture();
		awaitSent("ACQUIRE a", "ACQUIRE b", "ACQUIRE c");
		this.store.executeAll();
		assertThat(all).succeedsWithin(Duration.ofSeconds(10))
			.satisfies((handle) -> assertThat(handle.parts()).hasSize(3));
	}

	@Test
	void acquireWhenThereAreVeryManyThenABoundedNumberAtOnce() throws Exception {
		List<String> keys = IntStream.range(0, 100).mapToObj((i) -> String.format("%02d", i)).toList();
		FutureTask<LockHandle> caller = begin(() -> this.template.acquire(LockRequest.ofAll(keys)));
		Awaitility.await().until(() -> this.store.pending().size() == KeysInOrder.MOST_AT_ONCE);
		this.store.executeAll();
		Awaitility.await().until(() -> this.store.pending().size() == 100 - KeysInOrder.MOST_AT_ONCE);
		this.store.executeAll();
		assertThat(caller.get(10, TimeUnit.SECONDS).parts()).hasSize(100);
	}

	@Test
	void acquireWhenItDoesNotWaitThenOneAfterTheOther() {
		FutureTask<LockHandle> caller = begin(() -> this.template.acquire(ALL.waitAtMost(Duration.ZERO)));
		awaitSent("ACQUIRE a");
		this.store.executeAll();
		awaitSent("ACQUIRE b");
		executeUntil(caller);
	}

	@Test
	void acquireWhenOneIsBusyThenLaterOnesAreFreeWhileItWaitsAndTakenTogetherAfterwards() throws Exception {
		LockHandle other = this.elsewhere.acquire("b");
		LockRequest four = LockRequest.ofAll(List.of("a", "b", "c", "d")).waitAtMost(Duration.ofSeconds(30));
		FutureTask<LockHandle> caller = begin(() -> this.template.acquire(four));
		awaitSent("ACQUIRE a", "ACQUIRE b", "ACQUIRE c", "ACQUIRE d");
		this.store.executeAll();
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.store.pending()).extracting(Object::toString)
				.contains("ACQUIRE b", "FINISH c", "FINISH d"));
		this.store.executeAll();
		for (String free : List.of("c", "d")) {
			this.elsewhere.acquire(LockRequest.of(free).waitAtMost(Duration.ZERO)).close();
		}
		Awaitility.await().until(() -> {
			this.store.executeAll();
			return this.store.pending().isEmpty();
		});
		other.close();
		awaitTogether("ACQUIRE c", "ACQUIRE d");
		executeUntil(caller);
		assertThat(caller.get().parts()).hasSize(4);
		assertThat(this.observed).as("b was refused once, and waited for")
			.containsExactlyInAnyOrder("acquired a", "acquired b", "acquired c", "acquired d", "acquired c",
					"acquired d");
	}

	@Test
	void acquireWhenTwoAreBusyThenWaitsAreReportedInOrderAndSinceTheFirstAttempt() throws Exception {
		LockHandle b = this.elsewhere.acquire("b");
		LockHandle c = this.elsewhere.acquire("c");
		FutureTask<LockHandle> caller = begin(() -> this.template.acquire(ALL));
		awaitSent("ACQUIRE a", "ACQUIRE b", "ACQUIRE c");
		this.store.execute(this.store.pending().get(1));
		this.store.execute(this.store.pending().get(1));
		long before = System.nanoTime();
		assertThat(this.waits).as("b and c are only tried").isEmpty();
		this.store.executeAll();
		Awaitility.await().until(() -> {
			this.store.executeAll();
			return this.waits.equals(List.of("b"));
		});
		b.close();
		Awaitility.await().until(() -> {
			this.store.executeAll();
			return this.waits.equals(List.of("b", "c"));
		});
		long until = System.nanoTime();
		c.close();
		executeUntil(caller);
		assertThat(caller.get().parts()).hasSize(3);
		assertThat(this.waited.get("c")).isGreaterThanOrEqualTo(Duration.ofNanos(until - before));
	}

	@Test
	void acquireWhenOthersOnlyTryTheKeyThenTheyAreNotWaitersAndTheirNumberIsLimited() throws Exception {
		FutureTask<LockHandle> first = begin(() -> this.template.acquire(ALL.maxWaiters(1)));
		awaitSent("ACQUIRE a", "ACQUIRE b", "ACQUIRE c");
		LockRequest b = LockRequest.of("b").maxWaiters(1);
		assertThat(catchThrowable(() -> this.template.acquire(b.waitAtMost(Duration.ZERO))))
			.isInstanceOf(LockBusyException.class)
			.hasMessageContaining("max waiters");
		CompletableFuture<LockHandle> waits = this.template.acquireAsync(b.waitAtMost(Duration.ofSeconds(30)))
			.toCompletableFuture();
		assertThat(waits).isNotDone();
		executeUntil(first);
		first.get().closeAsync();
		Awaitility.await().until(() -> {
			this.store.executeAll();
			return waits.isDone();
		});
		assertThat(waits.join().isHeld()).isTrue();
	}

	@Test
	void acquireWhenOneStaysBusyThenRefusalsAreReportedOnce() throws Exception {
		LockHandle b = this.elsewhere.acquire("b");
		LockHandle c = this.elsewhere.acquire("c");
		FutureTask<Throwable> caller = begin(
				() -> catchThrowable(() -> this.template.acquire(ALL.waitAtMost(Duration.ofMillis(50)))));
		executeUntil(caller);
		assertThat(caller.get()).isInstanceOf(LockBusyException.class).hasMessageStartingWith("Lock 'b' is busy");
		assertThat(this.observed).containsExactlyInAnyOrder("acquired a", "refused b", "refused c");
		b.close();
		c.close();
		this.elsewhere.acquire(ALL).close();
	}

	@Test
	void acquireWhenTheStoreRefusesOneThenHoldsNone() throws Exception {
		FutureTask<Throwable> caller = begin(() -> catchThrowable(() -> this.template.acquire(ALL)));
		awaitSent("ACQUIRE a", "ACQUIRE b", "ACQUIRE c");
		this.store.fail(this.store.pending().get(1), new LockStoreException("b", "no permission", null));
		executeUntil(caller);
		assertThat(caller.get()).isInstanceOf(LockStoreException.class).hasMessageContaining("no permission");
		Awaitility.await().until(() -> {
			this.store.executeAll();
			return this.template.isIdle();
		});
		this.elsewhere.acquire(ALL).close();
	}

	@Test
	void acquireWhenInterruptedBeforeTheAnswersThenHoldsNone() throws Exception {
		Thread[] thread = new Thread[1];
		FutureTask<Boolean> caller = begin(() -> {
			thread[0] = Thread.currentThread();
			assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.template.acquire(ALL));
			return Thread.currentThread().isInterrupted();
		});
		awaitSent("ACQUIRE a", "ACQUIRE b", "ACQUIRE c");
		this.store.execute(this.store.pending().get(2));
		thread[0].interrupt();
		executeUntil(caller);
		assertThat(caller.get()).isTrue();
		Awaitility.await().until(() -> {
			this.store.executeAll();
			return this.template.isIdle();
		});
		this.elsewhere.acquire(ALL).close();
	}

	@Test
	void acquireAsyncWhenCancelledBeforeTheAnswersThenHoldsNone() {
		CompletableFuture<LockHandle> all = this.template.acquireAsync(ALL).toCompletableFuture();
		this.store.execute(this.store.pending().get(0));
		all.cancel(false);
		Awaitility.await().until(() -> {
			this.store.executeAll();
			return this.template.isIdle();
		});
		this.elsewhere.acquire(ALL).close();
	}

}
