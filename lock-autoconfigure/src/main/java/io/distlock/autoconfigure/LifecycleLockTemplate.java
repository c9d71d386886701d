package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Supplier;

import org.springframework.context.SmartLifecycle;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.operations.LockOperations;

/**
 * The template of an application context, which stops with it and starts with it again: a
 * context may be stopped for a while, as Spring Framework 7 does with those that tests
 * keep for later, or for a checkpoint of the process.
 * <p>
 * It stops after what brings in work, which stops in phases near
 * {@link Integer#MAX_VALUE} (web server, executors, message listeners), and before
 * connection factories, which stop in phase 0.
 */
final class LifecycleLockTemplate implements CloseableLockTemplate, SmartLifecycle, LockOperations.Provider {

	static final int PHASE = 1024;

	private final Supplier<CloseableLockTemplate> factory;

	private final Duration timeout;

	private volatile CloseableLockTemplate current;

	private volatile boolean stopped;

	private volatile boolean running;

	/**
	 * Creates a template that works at once: beans may need locks before the context has
	 * started.
	 * @param factory creates a template, anew after each stop
	 * @param timeout how long a stop waits for running bodies
	 */
	LifecycleLockTemplate(Supplier<CloseableLockTemplate> factory, Duration timeout) {
		this.factory = factory;
		this.timeout = timeout;
		this.current = factory.get();
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		return this.current.acquire(request);
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		return this.current.tryAcquire(request);
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		return this.current.acquireAsync(request);
	}

	@Override
	public boolean isLocked(String key) {
		return this.current.isLocked(key);
	}

	@Override
	public int holdCount(String key) {
		return this.current.holdCount(key);
	}

	@Override
	public Lock getLock(String key) {
		return new LifecycleLock(() -> this.current.getLock(key));
	}

	@Override
	public String instance() {
		return this.current.instance();
	}

	@Override
	public ReadWriteLock getReadWriteLock(String key) {
		return readWriteLock(() -> this.current, key);
	}

	/** A view that beans may keep as well. */
	static ReadWriteLock readWriteLock(Supplier<? extends LockTemplate> current, String key) {
		return new LifecycleReadWriteLock(new LifecycleLock(() -> current.get().getReadWriteLock(key).readLock()),
				new LifecycleLock(() -> current.get().getReadWriteLock(key).writeLock()));
	}

	/** The template of the running context, of one store or of several. */
	CloseableLockTemplate current() {
		return this.current;
	}

	/**
	 * A view that beans may keep as well.
	 *
	 * @param readLock with others that read
	 * @param writeLock alone
	 */
	private record LifecycleReadWriteLock(Lock readLock, Lock writeLock) implements ReadWriteLock {
	}

	@Override
	public Duration renewalLag() {
		return this.current.renewalLag();
	}

	@Override
	public Duration housekeepingOverdue() {
		return this.current.housekeepingOverdue();
	}

	@Override
	public LockOperations operations() {
		return LockOperations.of(this.current);
	}

	@Override
	public void start() {
		if (this.stopped) {
			this.current = this.factory.get();
			this.stopped = false;
		}
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.stopped = true;
		this.current.shutdown(this.timeout);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public boolean isIdle() {
		return this.current.isIdle();
	}

	@Override
	public boolean shutdown(Duration grace) {
		return this.current.shutdown(grace);
	}

}
