package io.distlock.boot.test;

import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.LockRequest;
import io.distlock.autoconfigure.LockStoreDecorator;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.GrantKind;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;
import io.distlock.operations.LockOperations;
import io.distlock.spi.LockStore;
import io.distlock.spi.StoreListener;

/**
 * The locks of one application context, and the tests that run now. An acquisition on the
 * thread of a test belongs to this test. One on another thread may be of any test, so it
 * belongs to all that run.
 */
final class TestedLocks implements LockObserver, LockStoreDecorator {

	/** The caller of locks that a test makes busy. They belong to no test. */
	static final String BUSY = "LockTester.busy";

	private final Set<TestRun> running = ConcurrentHashMap.newKeySet();

	/** Inherited by threads that a test starts, such as those of Awaitility. */
	private final ThreadLocal<@Nullable TestRun> latest = new InheritableThreadLocal<>();

	private final Queue<FaultyStore> stores = new ConcurrentLinkedQueue<>();

	private final ObjectProvider<CloseableLockTemplate> template;

	private volatile boolean observing;

	TestedLocks(ObjectProvider<CloseableLockTemplate> template) {
		this.template = template;
	}

	TestRun begin() {
		TestRun run = new TestRun(this.latest.get());
		this.running.add(run);
		this.latest.set(run);
		return run;
	}

	/** Takes back what a test did, and nothing else. */
	void end(TestRun run) {
		heal(run, run.faults);
		run.closeBusy();
		this.running.remove(run);
		this.latest.set(run.outer);
		// What may be of a test that goes on is ended with the last of these tests.
		run.acquired
			.removeIf((acquired) -> this.running.stream().anyMatch((other) -> other.acquired.contains(acquired)));
		run.tokens().forEach((key, last) -> this.stores.forEach((store) -> store.endMinimumHold(key, last)));
	}

	/** Ends faults, and lets the engine repeat at once what was not answered. */
	void heal(TestRun run, Collection<FaultyStore.Fault> ended) {
		// Two faults may be equal, and each has an end of its own.
		List<FaultyStore.Fault> over = List.copyOf(ended);
		if (run.faults.removeIf((fault) -> over.stream().anyMatch((one) -> one == fault))) {
			tell(StoreListener::reconnected);
		}
	}

	/** Returns the test that calls. */
	TestRun current() {
		TestRun run = this.latest.get();
		if (run != null && this.running.contains(run)) {
			return run;
		}
		List<TestRun> all = List.copyOf(this.running);
		if (all.size() != 1) {
			throw new IllegalStateException(all.isEmpty()
					? "No test runs. Call LockTester from a test method, or from a method that runs before or after each"
					: all.size() + " tests run, and this thread is not known to be of one of them. Call LockTester "
							+ "from the thread of the test");
		}
		return all.get(0);
	}

	private Collection<TestRun> witnesses() {
		TestRun run = this.latest.get();
		boolean isOfTest = run != null && run.thread == Thread.currentThread() && this.running.contains(run);
		return isOfTest ? Set.of(run) : List.copyOf(this.running);
	}

	CloseableLockTemplate template() {
		CloseableLockTemplate found = this.template.getIfUnique();
		// A mock has no instance.
		if (found == null || found.instance() == null) {
			throw new IllegalStateException(
					"LockTester needs the LockTemplate of the auto-configuration. There is not exactly one: "
							+ "locks are switched off, or the application or a mock replaces it");
		}
		return found;
	}

	LockOperations operations() {
		return LockOperations.of(template());
	}

	@Override
	public LockStore decorate(LockStore store) {
		// A template that starts again has stopped the store before.
		this.stores.removeIf(FaultyStore::isStopped);
		FaultyStore faulty = new FaultyStore(store, this::fault);
		this.stores.add(faulty);
		return faulty;
	}

	void tell(Consumer<StoreListener> news) {
		this.stores.forEach((store) -> store.tell(news));
	}

	private FaultyStore.@Nullable Fault fault(String key) {
		return this.running.stream()
			.flatMap((run) -> run.faults.stream())
			.filter((fault) -> fault.concerns(key))
			.findFirst()
			.orElse(null);
	}

	void requireFaultyStore() {
		template();
		if (this.stores.isEmpty()) {
			throw new IllegalStateException(
					"The store cannot fail on demand: the LockTemplate bean is the application's "
							+ "own, so its store is not wrapped");
		}
	}

	/** An assertion that nothing happened must not pass because nobody looked. */
	void requireObserving() {
		if (this.observing) {
			return;
		}
		CloseableLockTemplate template = template();
		if (!this.stores.isEmpty()) {
			return;
		}
		try {
			template.tryAcquire(LockRequest.of("lock-tester").calledFrom(BUSY)).ifPresent(LockHandle::close);
		}
		catch (LockException ex) {
			// The observer was told before the store was asked.
		}
		if (!this.observing) {
			throw new IllegalStateException(
					"Nothing is known about locks: the LockTemplate bean is the application's own, and does not "
							+ "notify the LockObserver bean. Add the bean to the template's observers");
		}
	}

	@Override
	public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
		this.observing = true;
		Collection<TestRun> runs = witnesses();
		return (runs.isEmpty() || request.caller().equals(BUSY)) ? null : new Witness(runs);
	}

	/** Tells tests what becomes of one acquisition. */
	private record Witness(Collection<TestRun> runs) implements AcquisitionObserver {

		@Override
		public void acquired(LockAcquired acquired) {
			if (acquired.how() != GrantKind.NESTED) {
				this.runs.forEach((run) -> {
					run.held.put(this, acquired);
					run.acquired.add(acquired);
				});
			}
		}

		@Override
		public void refused(LockRefused refused) {
			this.runs.forEach((run) -> run.refused.add(refused));
		}

		@Override
		public void released(LockReleased released) {
			this.runs.forEach((run) -> run.held.remove(this));
		}

		@Override
		public void lost(LockLoss loss) {
			this.runs.forEach((run) -> {
				run.lost.add(loss);
				run.held.remove(this);
			});
		}

		/** Two acquisitions of the same tests are different. */
		@Override
		public boolean equals(@Nullable Object other) {
			return this == other;
		}

		@Override
		public int hashCode() {
			return System.identityHashCode(this);
		}

	}

}
