package io.distlock.boot.test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;

import org.assertj.core.api.AssertProvider;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.operations.HeldLock;
import io.distlock.support.KeyText;

/**
 * Makes locks busy, lets them get lost, lets their store fail, and knows what happened to
 * them since the test method began. When a test ends, all that it did with a tester is
 * taken back, and the minimum holds that it left are ended. What other tests do at the
 * same time stays as it is, so tests that run in parallel need nothing but keys of their
 * own. It works on any store, and needs the {@code LockTemplate} of the
 * auto-configuration.
 */
public final class LockTester implements AssertProvider<LocksAssert> {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final TestedLocks locks;

	LockTester(TestedLocks locks) {
		this.locks = locks;
	}

	/**
	 * Makes a lock busy for all callers, also for the thread of the test.
	 * @param key the lock
	 * @return the hold; close it to make the lock free before the test ends
	 * @throws io.distlock.LockBusyException if the lock is held
	 */
	public LockHandle busy(String key) {
		return busy(LockRequest.of(key));
	}

	/**
	 * Makes a lock busy, for instance one permit of a semaphore.
	 * @param request what to acquire
	 * @return the hold; close it to make the lock free before the test ends
	 * @throws io.distlock.LockBusyException if the lock is held
	 */
	public LockHandle busy(LockRequest request) {
		TestRun run = this.locks.current();
		try {
			LockHandle handle = this.locks.template()
				.acquireAsync(request.calledFrom(TestedLocks.BUSY))
				.toCompletableFuture()
				.join();
			run.busy.add(handle);
			return handle;
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof LockException refused) ? refused : ex;
		}
	}

	/**
	 * Ends all holds of a lock, as if they were lost, and waits until their owners in
	 * this process know it.
	 * @param key the lock
	 * @throws IllegalStateException if nobody holds the lock
	 */
	public void lose(String key) {
		List<Long> tokens = heldHere(key);
		if (this.locks.operations().forceRelease(key, "a test lets it get lost", "LockTester").ended().isEmpty()) {
			throw new IllegalStateException("Nobody holds lock '" + KeyText.of(key) + "', so it cannot get lost");
		}
		this.locks.tell((engine) -> engine.revoked(key));
		if (!TestRun.within(PATIENCE, () -> heldHere(key).stream().noneMatch(tokens::contains))) {
			throw new IllegalStateException("Lock '" + KeyText.of(key) + "' did not get lost within " + PATIENCE);
		}
	}

	private List<Long> heldHere(String key) {
		return this.locks.operations()
			.heldHere()
			.stream()
			.filter((hold) -> hold.key().equals(key))
			.map(HeldLock::fencingToken)
			.toList();
	}

	/**
	 * Lets the store refuse all commands from now on, so that callers get
	 * {@link io.distlock.LockStoreException} at once.
	 * @param keys the locks that this is about, none for all of the application context.
	 * Tests that run in parallel should name theirs
	 * @return the fault; close it to heal the store before the test ends
	 */
	public Fault storeFails(String... keys) {
		return fault(false, keys);
	}

	/**
	 * Lets the store answer no command from now on, so that callers get
	 * {@link io.distlock.LockStoreException} after the command timeout, which is 1 s by
	 * default.
	 * @param keys the locks that this is about, none for all of the application context
	 * @return the fault; close it to heal the store before the test ends
	 */
	public Fault storeHangs(String... keys) {
		return fault(true, keys);
	}

	private Fault fault(boolean hangs, String... keys) {
		this.locks.requireFaultyStore();
		TestRun run = this.locks.current();
		FaultyStore.Fault fault = new FaultyStore.Fault(hangs, Set.of(keys));
		run.faults.add(fault);
		return () -> this.locks.heal(run, Set.of(fault));
	}

	/** Ends all faults of the store that this test has made. */
	public void storeHeals() {
		TestRun run = this.locks.current();
		this.locks.heal(run, run.faults);
	}

	/**
	 * Begins an assertion about the locks of this test, as {@code assertThat(tester)} of
	 * AssertJ does.
	 * @return the assertion
	 */
	@Override
	public LocksAssert assertThat() {
		this.locks.requireObserving();
		return new LocksAssert(this.locks.current());
	}

	/** A fault of the store. */
	public interface Fault extends AutoCloseable {

		/** Heals the store. A second call does nothing. */
		@Override
		void close();

	}

}
