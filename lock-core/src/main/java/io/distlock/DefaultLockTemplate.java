package io.distlock;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import io.distlock.internal.LockEngine;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;

/**
 * The lock template on a store. One per process and store is enough; it has one
 * housekeeping thread for all its locks.
 */
public final class DefaultLockTemplate implements LockTemplate, AutoCloseable {

	private final LockEngine engine;

	/**
	 * Creates a template and starts its store.
	 * @param store where locks are kept; belongs to the template from now on
	 * @param settings what requests do not say
	 */
	public DefaultLockTemplate(LockStore store, LockSettings settings) {
		this(store, settings, LockClock.system());
	}

	/**
	 * Creates a template that lives by the given clock.
	 * @param store where locks are kept; belongs to the template from now on
	 * @param settings what requests do not say
	 * @param clock the time, virtual in tests
	 */
	public DefaultLockTemplate(LockStore store, LockSettings settings, LockClock clock) {
		this(store, settings, clock, LockListener.NONE);
	}

	/**
	 * Creates a template that tells what goes wrong.
	 * @param store where locks are kept; belongs to the template from now on
	 * @param settings what requests do not say
	 * @param clock the time, virtual in tests
	 * @param listener told of losses and their like
	 */
	public DefaultLockTemplate(LockStore store, LockSettings settings, LockClock clock, LockListener listener) {
		this.engine = new LockEngine(store, settings, clock, UUID.randomUUID().toString().replace("-", ""), listener);
	}

	/**
	 * Id of this template among all that share the store, new at every start.
	 * @return 128 random bits
	 */
	public String instance() {
		return this.engine.instance();
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		return this.engine.acquire(request);
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		return this.engine.tryAcquire(request);
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		return this.engine.acquireAsync(request);
	}

	@Override
	public Lock getLock(String key) {
		return this.engine.lock(key);
	}

	@Override
	public ReadWriteLock getReadWriteLock(String key) {
		return this.engine.readWriteLock(key);
	}

	/**
	 * How late renewals are sent, which is the first sign that locks may be lost. All are
	 * sent by one thread; near zero unless the process is stopped or starved.
	 * @return the longest delay in the last half to full minute
	 */
	public Duration renewalLag() {
		return this.engine.renewalLag();
	}

	/**
	 * Whether no lock is held, awaited or still to be released in the store.
	 * @return {@code true} if nothing of any lock is left in memory
	 */
	public boolean isIdle() {
		return this.engine.idle();
	}

	/**
	 * Refuses new locks at once, waits for those held to be released, leaves the queues
	 * and stops the store. A lock still held afterwards is not freed under its running
	 * body: it ends with its lease, and its loss is told then. Calling it again does
	 * nothing.
	 * @param grace how long to wait for running bodies at the most
	 * @return {@code true} if nothing was held any more
	 */
	public boolean shutdown(Duration grace) {
		return this.engine.shutdown(grace);
	}

	/** {@link #shutdown} without waiting for running bodies. */
	@Override
	public void close() {
		shutdown(Duration.ZERO);
	}

}
