package io.distlock.benchmark.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.distlock.benchmark.load.VirtualThreads;
import io.distlock.benchmark.peer.Peer;
import org.jspecify.annotations.Nullable;

/** Threads that wait for the same lock in a known order and want it once. */
final class WaitingThreads implements AutoCloseable {

	private static final long GLANCE_NANOS = 20_000;

	/**
	 * Where few wait, there is time to look for longer: a busy machine may stop a thread
	 * anywhere.
	 */
	private static final long GLANCES_NANOS = 20_000_000;

	private static final long LONGEST_GLANCE_NANOS = 1_000_000;

	private static final int GLANCES = 5;

	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

	private static final long END_MILLIS = 2000;

	private final Peer peer;

	private final String key;

	private final int[] order;

	private final CountDownLatch waiting;

	private final List<Thread> threads = new ArrayList<>();

	private final ThreadFactory factory;

	private final AtomicInteger failed = new AtomicInteger();

	private final AtomicInteger succeeded = new AtomicInteger();

	/** Plain on purpose: the lock guards it. */
	private int counted;

	private volatile @Nullable Throwable failure;

	WaitingThreads(Peer peer, String key, int count, boolean virtual) {
		this.peer = peer;
		this.key = key;
		this.order = new int[count];
		this.waiting = new CountDownLatch(count);
		this.factory = VirtualThreads.factory(virtual);
	}

	/** Starts one after the other, each when the one before it waits. */
	void start() {
		for (int i = 0; i < this.order.length; i++) {
			int number = i;
			Thread thread = this.factory.newThread(() -> acquireOnce(number));
			this.threads.add(thread);
			thread.start();
			awaitParked(thread);
		}
	}

	private void awaitParked(Thread thread) {
		long deadline = System.nanoTime() + PATIENCE_NANOS;
		long glance = Math.max(GLANCE_NANOS, Math.min(LONGEST_GLANCE_NANOS, GLANCES_NANOS / this.order.length));
		// A thread that loads a class waits too, but not for long.
		for (int seen = 0; seen < GLANCES && System.nanoTime() < deadline;) {
			seen = this.peer.isWaiting(thread) ? seen + 1 : 0;
			LockSupport.parkNanos(glance);
		}
	}

	private void acquireOnce(int number) {
		try {
			Peer.Held held = this.peer.acquire(this.key);
			this.order[this.counted++] = number;
			held.release();
			this.succeeded.incrementAndGet();
		}
		catch (RuntimeException | Error ex) {
			this.failed.incrementAndGet();
			this.failure = ex;
		}
		finally {
			this.waiting.countDown();
		}
	}

	/** Whether nobody waits any more, at the latest after some time. */
	boolean await(long millis) {
		try {
			return this.waiting.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/** How many had the lock, by a number of their own. */
	int served() {
		return this.succeeded.get();
	}

	/** How many had the lock, by the number that the lock guards. */
	int counted() {
		return this.counted;
	}

	/** How many got an exception instead. */
	int failed() {
		return this.failed.get();
	}

	/** The last of the exceptions. */
	@Nullable Throwable failure() {
		return this.failure;
	}

	/** How often a waiter was served after one that came later. */
	int outOfOrder() {
		int count = 0;
		for (int i = 1; i < this.counted; i++) {
			count += (this.order[i] < this.order[i - 1]) ? 1 : 0;
		}
		return count;
	}

	/** Those who wait for ever must not disturb the next measurement. */
	void abandon() {
		this.threads.forEach(Thread::interrupt);
		this.peer.close();
		// Some locks ignore the first interrupt.
		this.threads.forEach(Thread::interrupt);
	}

	@Override
	public void close() {
		long deadline = System.currentTimeMillis() + END_MILLIS;
		for (Thread thread : this.threads) {
			try {
				thread.join(Math.max(1, deadline - System.currentTimeMillis()));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
