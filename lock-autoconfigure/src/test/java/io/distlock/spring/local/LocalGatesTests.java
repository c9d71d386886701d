package io.distlock.spring.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.TransientRefusalException;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import io.distlock.test.TestThreads;
import io.distlock.test.TestThreads.Task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Two bodies of one key never overlap in a process, whether the store granted them or
 * not.
 */
@ExtendWith(OutputCaptureExtension.class)
class LocalGatesTests {

	private static final LockRequest STOCK = LockRequest.of("stock");

	/** Far more than it takes to meet a store that comes and goes. */
	private static final int MOST_CALLS = 15_000;

	private static final LockRequest ONCE = STOCK.waitAtMost(Duration.ZERO);

	private final InMemoryLockServer server = new InMemoryLockServer();

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore(this.server));

	private final LockSettings settings = LockSettings.builder()
		.leaseTime(Duration.ofSeconds(1))
		.commandTimeout(Duration.ofMillis(200))
		.build();

	private final CloseableLockTemplate engine = LockTemplateBuilder.forStore(this.store)
		.settings(this.settings)
		.build();

	/** Gives up a store that does not answer at its first failure. */
	private final CloseableLockTemplate impatient = LockTemplateBuilder.forStore(this.store)
		.settings(LockSettings.builder().leaseTime(Duration.ofSeconds(1)).commandTimeout(Duration.ofMillis(1)).build())
		.build();

	private final CloseableLockTemplate other = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
		.build();

	private final LocalGates gates = new LocalGates(() -> this.settings);

	private final AtomicLong now = new AtomicLong();

	private final LockTemplate locks = this.gates.over(this.engine,
			new LocalRuns("@DistributedLock on A.b()", this.now::get));

	@AfterEach
	void close() {
		assertThat(this.gates.size()).as("gates that are left").isZero();
		this.engine.close();
		this.impatient.close();
		this.other.close();
	}

	@Test
	void whileTheStoreIsAwayThenBodiesRunOneAfterTheOther(CapturedOutput output) throws Exception {
		this.store.injectAll(Fault.BREAK_BEFORE);
		LockHandle first = this.locks.acquire(STOCK);
		assertThat(first.isHeld()).isTrue();
		assertThat(first.key()).isEqualTo("stock");
		first.ensureHeld(Duration.ofMinutes(1));
		assertThatIllegalStateException().isThrownBy(first::fencingToken)
			.withMessageStartingWith("There is no fencing token of 'stock'");
		Task<Void> second = TestThreads.runInThread(() -> this.locks.acquire(STOCK).close());
		assertThat(failureOf(TestThreads.inThread(() -> this.locks.acquire(ONCE))))
			.isInstanceOf(LockBusyException.class)
			.hasMessageContaining("Lock 'stock' is busy after 0s: thread '")
			.hasMessageContaining(
					"of this process runs under it, with or without the store (onStoreFailure is LOCAL_ONLY)");
		assertThat(second).isNotDone();
		first.close();
		first.close();
		assertThatIllegalStateException().isThrownBy(first::ensureHeld);
		TestThreads.get(second);
		assertThat(this.gates.runs()).isEqualTo(2);
		assertThat(output)
			.containsOnlyOnce("@DistributedLock on A.b(): the store does not answer, so the lock excludes "
					+ "callers of THIS process only, 1 time(s) since the last warning (onStoreFailure is LOCAL_ONLY): ");
	}

	@Test
	void waitsForEver() throws Exception {
		LockRequest patient = STOCK.waitAtMost(Duration.ofSeconds(Long.MAX_VALUE));
		LockHandle first = this.locks.acquire(patient);
		Task<Void> second = TestThreads.runInThread(() -> this.locks.acquire(patient).close());
		first.close();
		TestThreads.get(second);
		this.store.injectAll(Fault.BREAK_BEFORE);
		LockHandle local = this.locks.acquire(patient);
		Task<Void> next = TestThreads.runInThread(() -> this.locks.acquire(patient).close());
		Awaitility.await().until(() -> this.gates.waiting("stock") == 1);
		local.close();
		TestThreads.get(next);
	}

	/** The lease is over, and the body goes on. */
	@Test
	void aGrantedBodyWhoseLockIsLostThenStillExcludesBodiesWithoutAGrant() throws Exception {
		LockHandle granted = this.locks.acquire(STOCK);
		this.store.injectAll(Fault.BREAK_BEFORE);
		Awaitility.await().until(() -> !granted.isHeld());
		assertThat(failureOf(TestThreads.inThread(() -> this.locks.acquire(ONCE))))
			.isInstanceOf(LockBusyException.class);
		Task<Void> second = TestThreads.runInThread(() -> this.locks.acquire(STOCK).close());
		closeLost(granted);
		TestThreads.get(second);
		assertThat(this.gates.runs()).isEqualTo(1);
	}

	private static @Nullable Throwable failureOf(Task<?> task) {
		Throwable thrown = catchThrowable(() -> TestThreads.get(task));
		return (thrown != null) ? thrown.getCause() : null;
	}

	private static void closeLost(LockHandle handle) {
		try {
			handle.close();
		}
		catch (RuntimeException ex) {
			assertThat(ex).isInstanceOf(LockLostException.class);
		}
	}

	@Test
	void aBodyWithoutAGrantThenExcludesGrantedBodies() throws Exception {
		this.store.injectAll(Fault.BREAK_BEFORE);
		LockHandle local = this.locks.acquire(STOCK);
		this.store.heal();
		assertThat(failureOf(TestThreads.inThread(() -> this.locks.acquire(ONCE))))
			.isInstanceOf(LockBusyException.class);
		Awaitility.await().until(() -> !TestThreads.isBusy(this.other, "stock"));
		Task<LockHandle> granted = TestThreads.inThread(() -> this.locks.acquire(STOCK));
		Awaitility.await().until(() -> TestThreads.isBusy(this.other, "stock"));
		assertThat(granted).isNotDone();
		local.close();
		LockHandle handle = TestThreads.get(granted);
		assertThat(handle.fencingToken()).isPositive();
		TestThreads.get(handle.closeAsync());
		assertThat(TestThreads.isBusy(this.other, "stock")).isFalse();
	}

	/** Another process has it, and would be waited for. */
	@Test
	void aBodyWithoutAGrantThenNestedCallsDoNotAskTheStore() {
		this.store.injectAll(Fault.BREAK_BEFORE);
		try (LockHandle local = this.locks.acquire(STOCK)) {
			this.store.heal();
			try (LockHandle elsewhere = this.other.acquire("stock"); LockHandle nested = this.locks.acquire(ONCE)) {
				assertThat(nested.isHeld()).isTrue();
				assertThat(elsewhere.isHeld()).isTrue();
			}
			assertThat(local.isHeld()).isTrue();
		}
	}

	@Test
	void aGrantedBodyThenNestedCallsAreGrantedWithoutTheStore() {
		try (LockHandle granted = this.locks.acquire(STOCK)) {
			this.store.injectAll(Fault.BREAK_BEFORE);
			try (LockHandle nested = this.locks.acquire(ONCE)) {
				assertThat(nested.fencingToken()).isEqualTo(granted.fencingToken());
			}
			this.store.heal();
		}
		assertThat(this.gates.runs()).isZero();
	}

	@Test
	void anInterruptThenEndsTheWait() throws Exception {
		this.store.injectAll(Fault.BREAK_BEFORE);
		try (LockHandle local = this.locks.acquire(STOCK)) {
			Task<LockHandle> second = TestThreads.inThread(() -> this.locks.acquire(STOCK));
			TestThreads.awaitWaiting(second.thread());
			second.thread().interrupt();
			assertThat(failureOf(second)).isInstanceOf(LockInterruptedException.class);
		}
	}

	/** A transaction may end on another thread. */
	@Test
	void anotherThreadMayClose() throws Exception {
		this.store.injectAll(Fault.BREAK_BEFORE);
		LockHandle local = this.locks.acquire(STOCK);
		TestThreads.get(TestThreads.runInThread(local::close));
		this.locks.acquire(ONCE).close();
	}

	/** The store has answered: no body runs, here or elsewhere. */
	@Test
	void aRefusalOfTheStoreThenReachesTheCaller() {
		this.store.injectAll(Fault.REFUSE);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.locks.acquire(STOCK))
			.withMessageContaining("no permission");
		assertThat(this.gates.runs()).isZero();
	}

	@Test
	void aRefusalThatMayPassThenIsRepeatedAndReachesTheCaller() {
		// So long that a busy machine asks more than once meanwhile.
		LockSettings patient = LockSettings.builder().commandTimeout(Duration.ofSeconds(2)).build();
		this.store.injectAll(Fault.REFUSE_FOR_NOW);
		try (CloseableLockTemplate repeating = LockTemplateBuilder.forStore(this.store).settings(patient).build()) {
			LockTemplate gated = this.gates.over(repeating, new LocalRuns("A.b()", this.now::get));
			assertThatExceptionOfType(TransientRefusalException.class).isThrownBy(() -> gated.acquire(STOCK))
				.withMessageContaining("upstream failure");
		}
		assertThat(this.store.count(Verb.ACQUIRE)).isGreaterThan(1);
		assertThat(this.gates.runs()).isZero();
	}

	@Test
	void aServerThatHangsThenIsOneThatDoesNotAnswer() {
		this.store.injectAll(Fault.LOSE_COMMAND);
		this.locks.acquire(STOCK).close();
		assertThat(this.gates.runs()).isEqualTo(1);
	}

	@Test
	void callersWithoutAGrantThenNoMoreOfThemWaitThanMay() throws Exception {
		LockRequest few = STOCK.maxWaiters(1);
		this.store.injectAll(Fault.BREAK_BEFORE);
		LockHandle local = this.locks.acquire(few);
		Task<Void> second = TestThreads.runInThread(() -> this.locks.acquire(few).close());
		Awaitility.await().until(() -> this.gates.waiting("stock") == 1);
		this.locks.acquire(few).close();
		assertThat(failureOf(TestThreads.inThread(() -> this.locks.acquire(few))))
			.isInstanceOfSatisfying(LockBusyException.class, (busy) -> assertThat(busy.tooManyWaiters()).isTrue())
			.hasMessageContaining("Lock 'stock' is busy: not waited for, as 1 caller waits in this process already "
					+ "(max waiters); thread '");
		this.store.heal();
		Task<Void> granted = TestThreads.runInThread(() -> this.locks.acquire(few).close());
		Awaitility.await().until(() -> this.gates.waiting("stock") == 2);
		local.close();
		TestThreads.get(second);
		TestThreads.get(granted);
		assertThat(this.gates.runs()).isEqualTo(2);
	}

	/** The store comes and goes, and leases end meanwhile. */
	@Test
	void neverTwoBodiesAtATime() throws Exception {
		LockTemplate brief = this.gates.over(this.impatient, new LocalRuns("A.b()", this.now::get));
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger overlaps = new AtomicInteger();
		AtomicInteger bodies = new AtomicInteger();
		CountDownLatch done = new CountDownLatch(6);
		List<Task<Void>> callers = new ArrayList<>();
		for (int thread = 0; thread < 6; thread++) {
			Random random = new Random(thread);
			callers.add(TestThreads.runInThread(() -> {
				try {
					// More until there were both kinds, however the threads take turns.
					for (int i = 0; i < 150 || (i < MOST_CALLS && !isMixed(this.gates.runs(), bodies.get())); i++) {
						call(brief, random, inside, overlaps, bodies);
					}
				}
				finally {
					done.countDown();
				}
			}));
		}
		while (done.getCount() > 0) {
			this.store.injectAll(Fault.BREAK_BEFORE);
			this.server.flush();
			Thread.yield();
			this.store.heal();
			Thread.yield();
		}
		this.store.heal();
		for (Task<Void> caller : callers) {
			TestThreads.get(caller);
		}
		assertThat(overlaps).as("bodies that ran while another one did").hasValue(0);
		assertThat(this.gates.runs()).as("bodies without a grant").isPositive().isLessThan(bodies.get());
	}

	private static boolean isMixed(long withoutAGrant, long bodies) {
		return withoutAGrant > 0 && withoutAGrant < bodies;
	}

	private static void call(LockTemplate locks, Random random, AtomicInteger inside, AtomicInteger overlaps,
			AtomicInteger bodies) {
		boolean several = random.nextInt(4) == 0;
		LockHandle handle;
		try {
			handle = locks.acquire(several ? LockRequest.ofAll(List.of("stock", "orders")) : STOCK);
		}
		catch (LockLostException ex) {
			return;
		}
		if (inside.incrementAndGet() > 1) {
			overlaps.incrementAndGet();
		}
		bodies.incrementAndGet();
		Thread.yield();
		inside.decrementAndGet();
		closeLost(handle);
	}

}
