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
 * The template of an application context. It stops and starts together with the context.
 * A context may be stopped for a while, for instance for a checkpoint of the process.
 * Spring Framework 7 also stops contexts that tests keep for later.
 * <p>
 * It stops after the web server, executors and message listeners, which bring in work and
 * stop in phases near {@link Integer#MAX_VALUE}. It stops before connection factories,
 * which stop in phase 0.
 */
final class LifecycleLockTemplate implements CloseableLockTemplate, SmartLifecycle, LockOperations.Provider {

	static final int PHASE = 1024;

	private final Supplier<CloseableLockTemplate> factory;

	private final Duration timeout;

	private final Runnable endJobs;

	private volatile CloseableLockTemplate current;

	private volatile boolean stopped;

	private volatile boolean running;

	/**
	 * Creates a template that works at once, because beans may need locks before the
	 * context has started.
	 * @param factory creates a template, and a new template after each stop
	 * @param timeout how long a stop waits for running bodies
	 * @param endJobs asks bodies to end, if there are some at a stop
	 */
	LifecycleLockTemplate(Supplier<CloseableLockTemplate> factory, Duration timeout, Runnable endJobs) {
		this.factory = factory;
		this.timeout = timeout;
		this.endJobs = endJobs;
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

	/** Creates a read-write lock that also stays valid over a stop and start. */
	static ReadWriteLock readWriteLock(Supplier<? extends LockTemplate> current, String key) {
		return new LifecycleReadWriteLock(new LifecycleLock(() -> current.get().getReadWriteLock(key).readLock()),
				new LifecycleLock(() -> current.get().getReadWriteLock(key).writeLock()));
	}

	/** Returns the template of the running context, with one store or several. */
	CloseableLockTemplate current() {
		return this.current;
	}

	/**
	 * A read-write lock that also stays valid over a stop and start.
	 *
	 * @param readLock the lock that readers share
	 * @param writeLock the exclusive lock
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
		if (!this.current.isIdle()) {
			this.endJobs.run();
		}
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
