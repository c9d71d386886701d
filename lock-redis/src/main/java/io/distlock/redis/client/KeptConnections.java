package io.distlock.redis.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Connections that only locks use, without a pool of the client: in its locks threads
 * that send at the same time would meet. The connection that was used last is used next.
 * Those that are idle for a while are closed.
 * <p>
 * Invariants: a connection is used by one thread at a time, and not any more once it was
 * closed. There are never more than the limit. A thread waits for a connection while
 * there are that many, and as long as no other one is idle. When one ends, a thread that
 * waits opens another in what is left of its patience, so that it is bounded by that.
 * Nothing waits for a server when a connection is closed.
 */
final class KeptConnections implements Connections {

	/** After that a connection is closed. The pool of Jedis does the same by default. */
	static final Duration IDLE = Duration.ofSeconds(60);

	/** In less time a waiting thread does not connect. */
	private static final Duration SHORTEST = Duration.ofMillis(1);

	private static final String BUSY = "No connection was free in time to send a command to Redis: it hangs, or "
			+ "answers too slowly";

	private static final String INTERRUPTED = "The thread was interrupted while it waited for a connection to Redis";

	private final Function<Duration, ? extends Link> opener;

	private final int most;

	private final Duration patience;

	private final LongSupplier nanoTime;

	private final Consumer<Runnable> later;

	private final AtomicInteger open = new AtomicInteger();

	/** The connection that was used last; the nodes below do not change. */
	private final AtomicReference<@Nullable Idle> top = new AtomicReference<>();

	/** How many threads wait for a connection. */
	private final AtomicInteger waiting = new AtomicInteger();

	/**
	 * Wakes waiting threads, which then look again. There is a permit for each change
	 * that they may not have seen, or one for each of them.
	 */
	private final Semaphore changes = new Semaphore(0);

	private final AtomicBoolean sweepPlanned = new AtomicBoolean();

	private volatile boolean closed;

	/** A connection, used by one thread at a time. */
	interface Link extends AutoCloseable {

		/**
		 * Runs a script; blocks, and throws what the client throws.
		 * @param script the script
		 * @param byDigest whether the server should know the script already
		 * @param arguments its keys and arguments
		 * @return the reply
		 */
		List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments);

		/**
		 * Returns whether the server answered, so that the next command may follow.
		 * @param failure what {@link #run} threw
		 * @return {@code false} if the connection is lost, an answer may still come, or
		 * the server is not the master any more
		 */
		boolean isAnswer(Throwable failure);

		/** Closes the connection. Does not block, and throws nothing. */
		@Override
		void close();

	}

	private record Idle(Link link, long since, @Nullable Idle below) {
	}

	/**
	 * Creates connections; opens none.
	 * @param opener opens one, and connects within the time given; blocks until
	 * connected, and throws what the client throws
	 * @param most how many there may be at a time
	 * @param patience how long a thread waits for one if that many are in use
	 * @param nanoTime the monotonic clock
	 * @param later runs a task about {@link #IDLE} later
	 */
	KeptConnections(Function<Duration, ? extends Link> opener, int most, Duration patience, LongSupplier nanoTime,
			Consumer<Runnable> later) {
		this.opener = opener;
		this.most = most;
		this.patience = patience;
		this.nanoTime = nanoTime;
		this.later = later;
	}

	@Override
	public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
		Link link = take();
		boolean answered = false;
		try {
			List<Object> reply = link.run(script, byDigest, arguments);
			answered = true;
			return reply;
		}
		catch (Throwable ex) {
			answered = link.isAnswer(ex);
			throw ex;
		}
		finally {
			if (answered) {
				keep(link);
				planSweep();
			}
			else {
				// After an error within a reply the rest of the reply would be the answer
				// to the next command. And what ended this connection may have ended the
				// others, each of which would fail one more command.
				end(link);
				// The interrupt of a virtual thread closes the connection that it reads
				// from, and says nothing about the others.
				if (!Thread.currentThread().isInterrupted()) {
					endIdle();
				}
			}
		}
	}

	private Link take() {
		Link link = pop();
		if (link != null) {
			return link;
		}
		return reserve() ? open(this.patience) : await();
	}

	/** Whether there may be one more. */
	private boolean reserve() {
		return this.open.getAndUpdate((count) -> Math.min(count + 1, this.most)) < this.most;
	}

	private Link open(Duration atMost) {
		boolean opened = false;
		try {
			Link link = this.opener.apply(atMost);
			opened = true;
			return link;
		}
		finally {
			if (!opened) {
				makeRoom();
			}
		}
	}

	private Link await() {
		long end = this.nanoTime.getAsLong() + this.patience.toNanos();
		boolean found = false;
		this.waiting.incrementAndGet();
		try {
			Link link = awaitUntil(end);
			found = true;
			return link;
		}
		catch (InterruptedException ex) {
			throw new TransientStoreException("", INTERRUPTED, ex);
		}
		finally {
			this.waiting.decrementAndGet();
			if (!found) {
				// It may have been woken for something that it did not take.
				wake();
			}
		}
	}

	private Link awaitUntil(long end) throws InterruptedException {
		long left;
		do {
			// Looks after it was counted, so that each later change wakes it.
			Link link = pop();
			if (link != null) {
				return link;
			}
			left = end - this.nanoTime.getAsLong();
			if (left >= SHORTEST.toNanos() && reserve()) {
				return open(Duration.ofNanos(left));
			}
		}
		while (left > 0 && this.changes.tryAcquire(left, TimeUnit.NANOSECONDS));
		throw new TransientStoreException("", BUSY, null);
	}

	/** Called when something became idle, or there may be one more. */
	private void wake() {
		if (this.changes.availablePermits() < this.waiting.get()) {
			this.changes.release();
		}
	}

	private void makeRoom() {
		this.open.decrementAndGet();
		wake();
	}

	private @Nullable Link pop() {
		for (Idle first = this.top.get(); first != null; first = this.top.get()) {
			if (isStale(first, this.nanoTime.getAsLong())) {
				// Those below are idle for longer.
				endIdle();
			}
			else if (this.top.compareAndSet(first, first.below())) {
				return first.link();
			}
		}
		return null;
	}

	/** An error on the way must cost neither the reply nor room for a connection. */
	private void keep(Link link) {
		try {
			push(link);
		}
		catch (Throwable ex) {
			end(link);
			return;
		}
		wake();
		if (this.closed) {
			endIdle();
		}
	}

	/** Reads the clock after the top, so that those below are idle for longer. */
	private void push(Link link) {
		Idle below;
		do {
			below = this.top.get();
		}
		while (!this.top.compareAndSet(below, new Idle(link, this.nanoTime.getAsLong(), below)));
	}

	/**
	 * The next command tries again if that fails: its reply is worth more than a sweep.
	 */
	private void planSweep() {
		if (!this.sweepPlanned.get() && this.sweepPlanned.compareAndSet(false, true)) {
			try {
				this.later.accept(this::sweep);
			}
			catch (Throwable ex) {
				this.sweepPlanned.set(false);
			}
		}
	}

	/** Closes those that have been idle for long. */
	private void sweep() {
		this.sweepPlanned.set(false);
		long now = this.nanoTime.getAsLong();
		Idle all;
		Idle fresh;
		do {
			all = this.top.get();
			fresh = fresh(all, now);
		}
		while (!this.top.compareAndSet(all, fresh));
		Idle each = all;
		while (each != null && !isStale(each, now)) {
			each = each.below();
		}
		endAll(each);
		if (fresh != null) {
			planSweep();
		}
	}

	/** Those above the first that is idle for long. */
	private static @Nullable Idle fresh(@Nullable Idle all, long now) {
		return (all == null || isStale(all, now)) ? null : new Idle(all.link(), all.since(), fresh(all.below(), now));
	}

	private static boolean isStale(Idle idle, long now) {
		return now - idle.since() >= IDLE.toNanos();
	}

	private void endIdle() {
		endAll(this.top.getAndSet(null));
	}

	private void endAll(@Nullable Idle first) {
		for (Idle each = first; each != null; each = each.below()) {
			end(each.link());
		}
	}

	/** An error on the way must cost neither a reply nor the end of the others. */
	private void end(Link link) {
		try {
			link.close();
		}
		catch (Throwable ex) {
			// Nothing is left to do with this one.
		}
		makeRoom();
	}

	@Override
	public void close() {
		this.closed = true;
		endIdle();
	}

}
