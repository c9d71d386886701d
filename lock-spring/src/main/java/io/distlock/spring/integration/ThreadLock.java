package io.distlock.spring.integration;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.support.KeyText;

/** A lock that threads own, on requests that have a name and perhaps a fixed lease. */
class ThreadLock implements Lock {

	private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

	private final LockRequest request;

	private final LockTemplate locks;

	private final HeldLocks held;

	ThreadLock(LockRequest request, LockTemplate locks, HeldLocks held) {
		this.request = request;
		this.locks = locks;
		this.held = held;
	}

	final LockRequest request() {
		return this.request;
	}

	@Override
	public final void lock() {
		lock(this.request);
	}

	final void lock(LockRequest wanted) {
		this.held.add(uninterruptibly(() -> this.locks.acquire(wanted.waitAtMost(FOR_EVER))));
	}

	@Override
	public final boolean tryLock() {
		return hold(uninterruptibly(() -> this.locks.tryAcquire(this.request.waitAtMost(Duration.ZERO))));
	}

	@Override
	public final void lockInterruptibly() throws InterruptedException {
		this.held.add(interruptibly(() -> this.locks.acquire(this.request.waitAtMost(FOR_EVER))));
	}

	@Override
	public final boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return tryLock(this.request, Duration.ofNanos(unit.toNanos(time)));
	}

	final boolean tryLock(LockRequest wanted, Duration time) throws InterruptedException {
		Duration waitTime = time.isNegative() ? Duration.ZERO : time;
		return hold(interruptibly(() -> this.locks.tryAcquire(wanted.waitAtMost(waitTime))));
	}

	private boolean hold(Optional<LockHandle> lock) {
		lock.ifPresent(this.held::add);
		return lock.isPresent();
	}

	private static <T> T interruptibly(Supplier<T> acquisition) throws InterruptedException {
		try {
			return acquisition.get();
		}
		catch (LockInterruptedException ex) {
			Thread.interrupted();
			InterruptedException interrupt = new InterruptedException(ex.getMessage());
			interrupt.initCause(ex);
			throw interrupt;
		}
	}

	/** Begins again after each interrupt, which is restored afterwards. */
	private static <T> T uninterruptibly(Supplier<T> acquisition) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return acquisition.get();
				}
				catch (LockInterruptedException ex) {
					interrupted = true;
					Thread.interrupted();
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public final void unlock() {
		this.held.remove(this.request.key()).close();
	}

	@Override
	public final Condition newCondition() {
		throw new UnsupportedOperationException("A distributed lock has no conditions");
	}

	/** All locks of one key are one lock of their registry. */
	@Override
	public final boolean equals(Object other) {
		return other instanceof ThreadLock lock && lock.held == this.held
				&& lock.request.key().equals(this.request.key());
	}

	@Override
	public final int hashCode() {
		return this.request.key().hashCode();
	}

	@Override
	public final String toString() {
		return "Lock[" + KeyText.of(this.request.key()) + "]";
	}

}
