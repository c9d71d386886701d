package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Consumer;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.operations.HeldLock;
import io.distlock.operations.LockOperations;
import io.distlock.spi.Capability;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.LockPage;
import io.distlock.stores.LockTemplates;
import io.distlock.stores.MovingLockTemplate;
import io.distlock.stores.SeveralStores;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SuppressWarnings({ "NullAway", "resource" })
class SeveralStoresTests {

	private static final LockSettings SETTINGS = LockSettings.builder()
		.waitTime(Duration.ofSeconds(20))
		.leaseTime(Duration.ofSeconds(10))
		.commandTimeout(Duration.ofSeconds(3))
		.build();

	private static final String OLD = LockTemplates.DEFAULT;

	private static final String NEW = "new";

	private final Map<String, InMemoryLockServer> servers = Map.of(OLD, new InMemoryLockServer(), NEW,
			new InMemoryLockServer());

	private final Map<String, FaultyLockStore> faults = new HashMap<>();

	private final List<CloseableLockTemplate> templates = new ArrayList<>();

	@AfterEach
	void close() {
		this.templates.forEach(CloseableLockTemplate::close);
	}

	/** The longest waits, in both directions. */
	@ParameterizedTest
	@ValueSource(longs = { -1, Long.MIN_VALUE })
	void tryLockWhenTheTimeIsNegativeThenReturnsAtOnce(long time) throws Exception {
		SeveralStores stores = process(Map.of("move", List.of(OLD, NEW)));
		LockHandle held = stores.acquireAsync(LockRequest.of("move:1")).toCompletableFuture().join();
		assertThat(stores.getLock("move:1").tryLock(time, TimeUnit.SECONDS)).isFalse();
		held.close();
		assertThat(stores.getLock("move:1").tryLock(Long.MAX_VALUE, TimeUnit.SECONDS)).isTrue();
		stores.getLock("move:1").unlock();
	}

	@Test
	void keyDecidesWhereALockIs() {
		SeveralStores stores = process(Map.of("audit", List.of(NEW), "audit:eu:tax", List.of(OLD)));
		assertThat(holders(stores, "stock:1")).containsExactly(OLD);
		assertThat(holders(stores, "audit")).containsExactly(NEW);
		assertThat(holders(stores, "audit:1")).containsExactly(NEW);
		assertThat(holders(stores, "audit:eu:1")).containsExactly(NEW);
		assertThat(holders(stores, "audit:eu:tax:1")).containsExactly(OLD);
		assertThat(holders(stores, "auditor:1")).containsExactly(OLD);
		assertThat(holders(stores, "my:audit")).containsExactly(OLD);
	}

	@Test
	void templateOfAStoreIgnoresRoutes() {
		SeveralStores stores = process(Map.of("audit", List.of(NEW)));
		try (LockHandle lock = stores.of(OLD).acquire("audit:1")) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(isBusy(OLD, "audit:1")).isTrue();
			assertThat(isBusy(NEW, "audit:1")).isFalse();
		}
	}

	@Test
	void unknownStoresAreRefusedWithTheKnownOnes() {
		SeveralStores stores = process(Map.of());
		assertThatIllegalArgumentException().isThrownBy(() -> stores.of("audti"))
			.withMessage("There is no lock store 'audti'. Known are: default, new");
		assertThatIllegalArgumentException().isThrownBy(() -> process(Map.of("a", List.of("gone"))))
			.withMessageContaining("'gone'");
		assertThatIllegalArgumentException().isThrownBy(() -> process(Map.of("a", List.of())))
			.withMessage("Lock 'a' must be in one store, or in two different ones while it moves, was []");
		assertThatIllegalArgumentException().isThrownBy(() -> process(Map.of("a", List.of(OLD, OLD))))
			.withMessageContaining("two different ones");
		assertThatIllegalArgumentException().isThrownBy(() -> process(Map.of("a", List.of(OLD, NEW, OLD))))
			.withMessageContaining("two different ones");
	}

	@Test
	void lockInTwoStoresIsTakenInBothAndReleasedInBoth() {
		SeveralStores moving = moving();
		try (LockHandle lock = moving.acquire("move:1"); LockHandle nested = moving.acquire("move:1")) {
			assertThat(holders()).containsExactlyInAnyOrder(OLD, NEW);
			assertThat(lock.key()).isEqualTo("move:1");
			assertThat(lock.parts()).containsExactly(lock);
			assertThat(nested.fencingToken()).isEqualTo(lock.fencingToken()).isPositive();
			assertThat(moving.holdCount("move:1")).isEqualTo(2);
			assertThat(moving.isLocked("move:1")).isTrue();
			assertThat(lock).hasToString("LockHandle[move:1 in 2 stores, held]");
		}
		assertThat(holders()).isEmpty();
		assertThat(moving.isLocked("move:1")).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ OLD, NEW })
	void lockThatIsBusyInEitherStoreIsBusyAndLeavesNothing(String store) {
		LockRequest request = LockRequest.of("move:1").waitAtMost(Duration.ZERO);
		SeveralStores moving = moving();
		try (LockHandle other = engine(store).acquire("move:1")) {
			assertThat(moving.tryAcquire(request)).isEmpty();
			assertThat(moving.acquireAsync(request)).failsWithin(TestThreads.LIMIT);
			assertThat(moving.getLock("move:1").tryLock()).isFalse();
			assertThat(other.isHeld()).isTrue();
			assertThat(holders()).containsExactly(store);
		}
		assertThat(moving.isIdle()).isTrue();
	}

	@Test
	void minimumHoldOfALockThatWasNotAcquiredKeepsNothing() {
		SeveralStores moving = moving();
		LockRequest request = LockRequest.of("move:1").waitAtMost(Duration.ZERO).holdAtLeast(Duration.ofMinutes(1));
		try (LockHandle other = engine(NEW).acquire("move:1")) {
			assertThat(moving.tryAcquire(request)).isEmpty();
			assertThat(moving.acquireAsync(request)).failsWithin(TestThreads.LIMIT);
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(isBusy(OLD, "move:1")).isFalse();
	}

	@Test
	void waitTimeIsForAllStoresTogether() throws Exception {
		SeveralStores moving = moving();
		LockHandle other = engine(NEW).acquire("move:1");
		long start = System.nanoTime();
		assertThat(moving.tryAcquire(LockRequest.of("move:1").waitAtMost(Duration.ofMillis(300)))).isEmpty();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(300),
				Duration.ofSeconds(10));
		assertThatExceptionOfType(LockBusyException.class)
			.isThrownBy(() -> moving.acquire(LockRequest.of("move:1").waitAtMost(Duration.ofMillis(300))))
			.withMessageMatching("Lock 'move:1' is busy: not acquired within [0-9]+ms[,;] .*");
		CompletableFuture<LockHandle> waiting = moving.acquireAsync("move:1").toCompletableFuture();
		assertThat(waiting).isNotDone();
		other.close();
		TestThreads.get(waiting).close();
		assertThat(holders()).isEmpty();
	}

	@Test
	@Timeout(10)
	void timeThatIsLongOverIsNotWaitedFor() throws Exception {
		Lock view = moving().getLock("move:1");
		try (LockHandle other = engine(NEW).acquire("move:1")) {
			assertThat(view.tryLock(Long.MIN_VALUE, TimeUnit.NANOSECONDS)).as(other.key()).isFalse();
		}
		assertThat(view.tryLock(Long.MIN_VALUE, TimeUnit.DAYS)).isTrue();
		view.unlock();
	}

	@ParameterizedTest
	@CsvSource({ OLD, NEW })
	void lossInEitherStoreIsALoss(String store) {
		SeveralStores moving = moving();
		AtomicInteger losses = new AtomicInteger();
		LockHandle lock = moving.acquire(LockRequest.of("move:1").leaseFor(Duration.ofSeconds(10)));
		lock.onLost((lost) -> {
			assertThat(lost).isSameAs(lock);
			losses.incrementAndGet();
		});
		this.servers.get(store).flush();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock.extend(Duration.ofSeconds(30)));
		assertThat(lock.isHeld()).isFalse();
		assertThat(Pause.atMost(TestThreads.LIMIT, () -> losses.get() == 1)).isTrue();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		assertThat(holders()).isEmpty();
	}

	@Test
	void operatorsSeeAndReleaseLocksInAllStores() {
		SeveralStores stores = process(Map.of("audit", List.of(NEW), "move", List.of(OLD, NEW)));
		LockOperations operations = LockOperations.of(stores);
		LockHandle audit = stores.acquire("audit:1");
		LockHandle stock = stores.acquire("stock:1");
		LockHandle moving = stores.acquire("move:1");
		assertThat(operations.heldHere()).extracting(HeldLock::key)
			.containsExactlyInAnyOrder("audit:1", "stock:1", "move:1", "move:1");
		assertThat(operations.find("audit:1").holds()).hasSize(1);
		List<String> listed = new ArrayList<>();
		LockPage page = operations.list("", 1);
		page.locks().forEach((lock) -> listed.add(lock.key()));
		while (!page.isLast()) {
			page = operations.list("", 1, page.next());
			page.locks().forEach((lock) -> listed.add(lock.key()));
		}
		assertThat(listed).containsExactlyInAnyOrder("audit:1", "stock:1", "move:1", "move:1");
		assertThat(operations.forceRelease("move:1", "test").ended()).hasSize(1);
		assertThat(holders()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> operations.list("", 1, "7:"));
		assertThatIllegalArgumentException().isThrownBy(() -> operations.list("", 1, "audit:stock"));
		assertThat(List.of(audit.isHeld(), stock.isHeld())).containsOnly(true);
		assertThat(moving.key()).isEqualTo("move:1");
	}

	/** Such as the locks of another library, while locks move from there. */
	@Test
	void forcedReleaseThatOneStoreCannotDoHappensInNone() {
		CloseableLockTemplate cannot = LockTemplateBuilder
			.forStore(new DelegatingLockStore(new InMemoryLockStore(this.servers.get(NEW))) {
				@Override
				public Set<Capability> unsupported() {
					return Set.of(Capability.FORCE_RELEASE);
				}
			})
			.build();
		CloseableLockTemplate can = LockTemplateBuilder.forStore(new InMemoryLockStore(this.servers.get(OLD))).build();
		SeveralStores stores = new SeveralStores(Map.of(OLD, can, NEW, cannot), Map.of("move", List.of(OLD, NEW)),
				Map.of(), Duration.ofSeconds(1));
		this.templates.add(stores);
		LockOperations operations = LockOperations.of(stores);
		try (LockHandle lock = stores.acquire("move:1")) {
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> operations.forceRelease("move:1", "test"))
				.withMessageContaining("cannot release a lock by force");
			assertThat(LockOperations.of(can).find("move:1").holds()).hasSize(1);
			assertThat(lock.isHeld()).isTrue();
		}
	}

	/** As a template of one's own may return it, because each method has a default. */
	@Test
	void severalKeysWhenTheNextHandleShowsNoPartsThenItIsClosedWithThem() {
		AtomicInteger open = new AtomicInteger();
		LockTemplate own = new OneHandle(open);
		CloseableLockTemplate old = LockTemplateBuilder.forStore(new InMemoryLockStore(this.servers.get(OLD))).build();
		this.templates.add(old);
		LockTemplate moving = new MovingLockTemplate(old, own, Duration.ofSeconds(1));
		LockRequest both = LockRequest.ofAll(List.of("move:1", "move:2"));
		try (LockHandle lock = moving.acquire(both)) {
			assertThat(lock.parts()).extracting(LockHandle::key).containsExactly("move:1", "move:2");
			assertThat(lock.isHeld()).isTrue();
		}
		moving.acquireAsync(both).toCompletableFuture().join().close();
		assertThat(open).hasValue(0);
		assertThat(old.isIdle()).isTrue();
	}

	/** A handle of another kind, perhaps one that cannot be combined. */
	@Test
	void lockWhenTheNextHandleFailsThenNothingIsHeld() {
		AtomicInteger open = new AtomicInteger();
		CloseableLockTemplate old = LockTemplateBuilder.forStore(new InMemoryLockStore(this.servers.get(OLD))).build();
		this.templates.add(old);
		LockTemplate moving = new MovingLockTemplate(old, new OneHandle(open) {
			@Override
			List<LockHandle> partsOf(LockHandle handle) {
				throw new IllegalStateException("no parts");
			}
		}, Duration.ofSeconds(1));
		assertThatIllegalStateException().isThrownBy(() -> moving.acquire("move:1"));
		assertThatIllegalStateException().isThrownBy(() -> moving.tryAcquire("move:1"));
		assertThat(moving.acquireAsync("move:1").toCompletableFuture()).failsWithin(TestThreads.LIMIT);
		assertThat(open).hasValue(0);
		assertThat(Pause.atMost(TestThreads.LIMIT, old::isIdle)).isTrue();
	}

	@Test
	void interruptWhileTheNextStoreIsWaitedForLeavesNothing() throws Exception {
		SeveralStores moving = moving();
		try (LockHandle other = engine(NEW).acquire("move:1")) {
			Thread[] waiter = new Thread[1];
			TestThreads.Task<Boolean> waiting = TestThreads.inThread(() -> {
				waiter[0] = Thread.currentThread();
				assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> moving.acquire("move:1"));
				return Thread.interrupted();
			});
			assertThat(Pause.atMost(TestThreads.LIMIT, () -> isBusy(OLD, "move:1"))).isTrue();
			waiter[0].interrupt();
			assertThat(TestThreads.get(waiting)).as("the flag stays set").isTrue();
			assertThat(holders()).containsExactly(NEW);
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(moving.isIdle()).isTrue();
	}

	/** Others had it in the old store, so that it was busy in the next one is not all. */
	@Test
	void lossInTheOldStoreMattersMoreThanABusyNextOne() throws Exception {
		SeveralStores moving = moving();
		LockRequest request = LockRequest.of("move:1")
			.leaseFor(Duration.ofMillis(200))
			.waitAtMost(Duration.ofSeconds(1));
		try (LockHandle other = engine(NEW).acquire("move:1")) {
			// Who stands still in the old store for a second has no time left for the
			// next.
			Standstill.repeat(() -> {
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> moving.acquire(request));
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> moving.tryAcquire(request));
				assertThat(moving.acquireAsync(request)).failsWithin(TestThreads.LIMIT)
					.withThrowableOfType(ExecutionException.class)
					.withCauseInstanceOf(LockLostException.class);
			});
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(Pause.atMost(TestThreads.LIMIT, () -> holders().isEmpty() && moving.isIdle())).isTrue();
	}

	/** The view has no handle that could say so. */
	@Test
	void lossInTheFirstStoreWhileAViewWaitsForTheSecondIsALoss() throws Exception {
		SeveralStores moving = moving();
		Lock view = moving.getLock("move:1");
		try (LockHandle other = engine(NEW).acquire("move:1")) {
			TestThreads.Task<Void> waiting = TestThreads.runInThread(view::lock);
			assertThat(Pause.atMost(TestThreads.LIMIT, () -> isBusy(OLD, "move:1"))).isTrue();
			this.servers.get(OLD).flush();
			// The loss is found at a renewal, after a third of the lease.
			assertThat(Pause.atMost(TestThreads.LIMIT, () -> moving.of(OLD).tryAcquire("move:1").map((free) -> {
				free.close();
				return true;
			}).orElse(false))).isTrue();
			other.close();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(waiting::get)
				.withCauseInstanceOf(LockLostException.class);
		}
		assertThat(Pause.atMost(TestThreads.LIMIT, () -> holders().isEmpty() && moving.isIdle())).isTrue();
	}

	/** A key comes from outside: a million separators must not cost a million looks. */
	@Test
	void keyOfManySeparatorsIsRoutedByTheLongestName() {
		SeveralStores stores = process(Map.of("audit", List.of(NEW)));
		String key = "audit:" + ":".repeat(1_000_000);
		long start = System.nanoTime();
		for (int i = 0; i < 1_000; i++) {
			assertThat(stores.holdCount(key)).isZero();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
	}

	@ParameterizedTest
	@CsvSource({ OLD, NEW })
	void storeThatDoesNotAnswerRefusesTheLockAndLeavesNothing(String store) {
		SeveralStores moving = process(Map.of("move", List.of(OLD, NEW)));
		this.faults.get(store).inject(Verb.ACQUIRE, Fault.REFUSE);
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> moving.acquire("move:1"))
			.isInstanceOf(LockStoreException.class);
		this.faults.get(store).heal();
		assertThat(Pause.atMost(TestThreads.LIMIT, () -> holders().isEmpty() && moving.isIdle())).isTrue();
	}

	@Test
	void cancelledAcquisitionLeavesNothing() {
		SeveralStores moving = moving();
		try (LockHandle other = engine(NEW).acquire("move:1")) {
			CompletableFuture<LockHandle> waiting = moving.acquireAsync("move:1").toCompletableFuture();
			assertThat(Pause.atMost(TestThreads.LIMIT, () -> isBusy(OLD, "move:1"))).isTrue();
			waiting.cancel(false);
			assertThat(Pause.atMost(TestThreads.LIMIT, () -> !isBusy(OLD, "move:1"))).as(other.key()).isTrue();
		}
		assertThat(Pause.atMost(TestThreads.LIMIT, moving::isIdle)).isTrue();
	}

	@Test
	void keysOfOneRequestInDifferentStoresAreRefused() {
		SeveralStores stores = process(Map.of("audit", List.of(NEW), "move", List.of(OLD, NEW)));
		LockRequest request = LockRequest.ofAll(List.of("stock:1", "audit:1"));
		String reason = "Lock 'audit:1' is in store new and lock 'stock:1' in default, but all locks of one request "
				+ "must be in the same store. Keep them in one, or acquire one after the other";
		assertThatIllegalArgumentException().isThrownBy(() -> stores.acquire(request)).withMessage(reason);
		assertThatIllegalArgumentException().isThrownBy(() -> stores.tryAcquire(request)).withMessage(reason);
		assertThatIllegalArgumentException().isThrownBy(() -> stores.acquireAsync(request)).withMessage(reason);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> stores.acquire(LockRequest.ofAll(List.of("audit:1", "move:1"))))
			.withMessageContaining("'move:1' in default, new");
		assertThat(stores.isIdle()).isTrue();
	}

	@Test
	void severalKeysThatMoveAreAllOrNone() throws Exception {
		SeveralStores moving = moving();
		LockRequest request = LockRequest.ofAll(List.of("move:2", "move:1"));
		try (LockHandle all = moving.acquire(request)) {
			assertThat(all.key()).isEqualTo("move:1, move:2");
			assertThat(all.parts()).extracting(LockHandle::key).containsExactly("move:1", "move:2");
			assertThat(all.parts()).allMatch((part) -> part.fencingToken() > 0 && part.isHeld());
			assertThat(holders()).containsExactlyInAnyOrder(OLD, NEW);
		}
		try (LockHandle all = TestThreads.get(moving.acquireAsync(request))) {
			List<LockHandle> forks = all.parts()
				.stream()
				.map((part) -> LockScopes.fork(part, LockRequest.of(part.key())).orElseThrow())
				.toList();
			all.close();
			assertThat(holders()).containsExactlyInAnyOrder(OLD, NEW);
			forks.forEach(LockHandle::close);
		}
		try (LockHandle other = engine(NEW).acquire("move:2")) {
			assertThat(moving.tryAcquire(request.waitAtMost(Duration.ZERO))).as(other.key()).isEmpty();
			assertThat(holders()).isEmpty();
		}
		assertThat(moving.isIdle()).isTrue();
	}

	/** A handle of no thread can be handed on, in all stores. */
	@Test
	void asynchronousLockIsForkedInAllStores() throws Exception {
		SeveralStores moving = moving();
		LockHandle lock = TestThreads.get(moving.acquireAsync("move:1"));
		LockHandle fork = LockScopes.fork(lock, LockRequest.of("move:1")).orElseThrow();
		lock.close();
		assertThat(fork.isHeld()).isTrue();
		assertThat(holders()).containsExactlyInAnyOrder(OLD, NEW);
		fork.close();
		assertThat(holders()).isEmpty();
	}

	@Test
	void stopIsForAllStores() {
		SeveralStores stores = moving();
		LockHandle lock = stores.of(NEW).acquire("move:1");
		assertThat(stores.shutdown(Duration.ZERO)).isFalse();
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> stores.of(OLD).acquire("a"));
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> stores.of(NEW).acquire("a"));
		assertThat(lock.key()).isEqualTo("move:1");
	}

	/**
	 * Processes of two neighbouring steps of a roll-out never hold the lock together,
	 * those of the first and the last step do.
	 */
	@ParameterizedTest
	@CsvSource({ "'default', 'default,new', true", "'default,new', 'new', true", "'default,new', 'default,new', true",
			"'default', 'new', false" })
	void processesOfNeighbouringStepsExcludeEachOther(String left, String right, boolean exclude) throws Exception {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger overlaps = new AtomicInteger();
		List<TestThreads.Task<Void>> workers = new ArrayList<>();
		for (String step : List.of(left, right)) {
			SeveralStores process = process(Map.of("move", Arrays.asList(step.split(","))));
			for (int i = 0; i < 4; i++) {
				boolean byLock = i == 0;
				boolean withoutThread = i == 1;
				workers.add(TestThreads.runInThread(() -> {
					for (int turn = 0; turn < 100; turn++) {
						under(process, byLock, withoutThread, () -> {
							if (inside.incrementAndGet() > 1) {
								overlaps.incrementAndGet();
							}
							Pause.nanos(200_000);
							inside.decrementAndGet();
						});
					}
				}));
			}
		}
		for (TestThreads.Task<Void> worker : workers) {
			TestThreads.get(worker);
		}
		assertThat(overlaps.get() == 0).isEqualTo(exclude);
		assertThat(holders()).isEmpty();
	}

	private static void under(SeveralStores process, boolean byLock, boolean withoutThread, Runnable body)
			throws Exception {
		if (byLock) {
			Lock lock = process.getLock("move:1");
			lock.lockInterruptibly();
			try {
				body.run();
			}
			finally {
				lock.unlock();
			}
		}
		else if (withoutThread) {
			try (LockHandle lock = TestThreads.get(process.acquireAsync("move:1"))) {
				assertThat(lock.isHeld()).isTrue();
				body.run();
			}
		}
		else {
			process.run("move:1", (lock) -> body.run());
		}
	}

	private List<String> holders(SeveralStores stores, String key) {
		try (LockHandle lock = stores.acquire(key)) {
			return List.of(OLD, NEW).stream().filter((id) -> isBusy(id, lock.key())).toList();
		}
	}

	private List<String> holders() {
		return List.of(OLD, NEW).stream().filter((id) -> isBusy(id, "move:1")).toList();
	}

	private boolean isBusy(String store, String key) {
		try (CloseableLockTemplate reader = LockTemplateBuilder.forStore(new InMemoryLockStore(this.servers.get(store)))
			.build()) {
			return reader.isLocked(key);
		}
	}

	private SeveralStores moving() {
		return process(Map.of("move", List.of(OLD, NEW)));
	}

	/** As one process has it. */
	private SeveralStores process(Map<String, List<String>> routes) {
		Map<String, CloseableLockTemplate> engines = new HashMap<>();
		for (String id : List.of(OLD, NEW)) {
			engines.put(id, engine(id));
		}
		return new SeveralStores(engines, routes, Map.of(), SETTINGS.waitTime());
	}

	private CloseableLockTemplate engine(String id) {
		FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore(this.servers.get(id)));
		this.faults.put(id, store);
		CloseableLockTemplate engine = LockTemplateBuilder.forStore(store).settings(SETTINGS).build();
		this.templates.add(engine);
		return engine;
	}

	/** A template whose handles do no more than they must. */
	private static class OneHandle implements LockTemplate {

		private final AtomicInteger open;

		OneHandle(AtomicInteger open) {
			this.open = open;
		}

		List<LockHandle> partsOf(LockHandle handle) {
			return List.of(handle);
		}

		@Override
		public LockHandle acquire(LockRequest request) {
			this.open.incrementAndGet();
			return new LockHandle() {
				@Override
				public String key() {
					return String.join(",", request.keys());
				}

				@Override
				public List<LockHandle> parts() {
					return partsOf(this);
				}

				@Override
				public long fencingToken() {
					return 1;
				}

				@Override
				public boolean isHeld() {
					return true;
				}

				@Override
				public Duration remaining() {
					return Duration.ofSeconds(9);
				}

				@Override
				public void ensureHeld() {
				}

				@Override
				public Registration onLost(Consumer<LockHandle> callback) {
					return () -> {
					};
				}

				@Override
				public void close() {
					OneHandle.this.open.decrementAndGet();
				}

				@Override
				public CompletionStage<Void> closeAsync() {
					close();
					return CompletableFuture.completedFuture(null);
				}
			};
		}

		@Override
		public Optional<LockHandle> tryAcquire(LockRequest request) {
			return Optional.of(acquire(request));
		}

		@Override
		public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
			return CompletableFuture.completedFuture(acquire(request));
		}

		@Override
		public Lock getLock(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ReadWriteLock getReadWriteLock(String key) {
			throw new UnsupportedOperationException();
		}

	}

}
