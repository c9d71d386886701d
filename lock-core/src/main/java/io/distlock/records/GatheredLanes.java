package io.distlock.records;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.distlock.LockStoreException;
import io.distlock.records.LockRecords.Change;
import io.distlock.records.LockRecords.Written;
import io.distlock.support.FutureFailures;

/**
 * Lanes that have only a renewal to send, which a place may take together with others.
 * Each of them is computed and answered as if it were alone.
 */
final class GatheredLanes {

	/** The engine sends renewals of many locks in one go, which takes some time. */
	private static final Duration PAUSE = Duration.ofMillis(20);

	/** Two, so that one without an answer does not hold up the others. */
	private static final int MOST_UNDER_WAY = 2;

	/** What this part of the guard has passed since is sent: the way takes time, too. */
	private static final int GUARD_PART = 4;

	private final ReentrantLock lock = new ReentrantLock();

	private final LockRecords records;

	private final Scheduler scheduler;

	private final LongSupplier nanoTime;

	/** For how long a change waits for others that are still to be computed. */
	private final long longestWaitNanos;

	/** Guarded by the lock, like the two that follow. */
	private final ArrayDeque<Lane> lanes = new ArrayDeque<>();

	/** Whether the next ones are about to be computed. */
	private boolean planned;

	/** How many batches are computed, or without an answer. */
	private int underWay;

	GatheredLanes(LockRecords records, Scheduler scheduler, LongSupplier nanoTime, Duration guard) {
		this.records = records;
		this.scheduler = scheduler;
		this.nanoTime = nanoTime;
		this.longestWaitNanos = guard.toNanos() / GUARD_PART;
	}

	/** Adds a lane, which runs soon. */
	void add(Lane lane) {
		this.lock.lock();
		try {
			this.lanes.add(lane);
		}
		finally {
			this.lock.unlock();
		}
		plan(PAUSE);
	}

	/** What waits is computed only when it can be sent: its window begins then. */
	private void plan(Duration delay) {
		this.lock.lock();
		try {
			// mutant: batches-under-way
			boolean busy = this.underWay >= MOST_UNDER_WAY;
			if (busy || this.planned || this.lanes.isEmpty()) {
				return;
			}
			this.planned = true;
		}
		finally {
			this.lock.unlock();
		}
		this.scheduler.schedule(delay, this::begin);
	}

	private void begin() {
		List<Lane> next = take();
		if (next.size() == 1 || this.records.estimate().isPresent()) {
			run(next);
		}
		else {
			// One look at the clock for all of them, instead of one for each.
			look(next.get(0).key()).whenComplete((seen, failure) -> run(next));
		}
	}

	/** At least one. */
	private List<Lane> take() {
		this.lock.lock();
		try {
			this.planned = false;
			this.underWay++;
			List<Lane> taken = new ArrayList<>();
			while (!this.lanes.isEmpty() && taken.size() < this.records.mostTogether()) {
				taken.add(this.lanes.remove());
			}
			return taken;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whatever the place does, the lanes run. */
	private CompletionStage<?> look(String key) {
		try {
			return this.records.read(key);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedStage(ex);
		}
	}

	private void run(List<Lane> next) {
		Batch batch = new Batch();
		Iterator<Lane> rest = next.iterator();
		while (rest.hasNext() && !batch.isOld()) {
			rest.next().runGathered((change, caller) -> batch.write(change));
		}
		putBack(rest);
		batch.close().whenComplete((nothing, failure) -> answered());
		plan(Duration.ZERO);
	}

	private void putBack(Iterator<Lane> rest) {
		this.lock.lock();
		try {
			rest.forEachRemaining(this.lanes::add);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void answered() {
		this.lock.lock();
		try {
			this.underWay--;
		}
		finally {
			this.lock.unlock();
		}
		plan(Duration.ZERO);
	}

	/** Changes that are sent together. */
	private final class Batch {

		private final ReentrantLock guard = new ReentrantLock();

		/** Guarded, like the three that follow. */
		private final List<Change> changes = new ArrayList<>();

		private final List<CompletableFuture<Written>> answers = new ArrayList<>();

		private boolean closed;

		/** When the first of them was computed. */
		private long begun;

		/** A lane that has to read first comes too late, and writes alone. */
		CompletionStage<Written> write(Change change) {
			this.guard.lock();
			try {
				if (!this.closed) {
					if (this.changes.isEmpty()) {
						this.begun = GatheredLanes.this.nanoTime.getAsLong();
					}
					CompletableFuture<Written> answer = new CompletableFuture<>();
					this.changes.add(change);
					this.answers.add(answer);
					return answer;
				}
			}
			finally {
				this.guard.unlock();
			}
			return GatheredLanes.this.records.write(change);
		}

		/** Whether more would keep the first one for too long. */
		boolean isOld() {
			this.guard.lock();
			try {
				long now = GatheredLanes.this.nanoTime.getAsLong();
				// mutant: batch-age
				boolean old = now - this.begun > GatheredLanes.this.longestWaitNanos;
				return old && !this.changes.isEmpty();
			}
			finally {
				this.guard.unlock();
			}
		}

		/** Sends them; completes when all have been answered. */
		CompletionStage<Void> close() {
			this.guard.lock();
			try {
				this.closed = true;
			}
			finally {
				this.guard.unlock();
			}
			CompletableFuture<Void> all = CompletableFuture.allOf(this.answers.toArray(CompletableFuture[]::new));
			if (!this.changes.isEmpty()) {
				send(this.changes, this.answers);
			}
			return all;
		}

		private void send(List<Change> sent, List<CompletableFuture<Written>> owed) {
			List<CompletionStage<Written>> written = written(sent);
			for (int i = 0; i < owed.size(); i++) {
				CompletableFuture<Written> answer = owed.get(i);
				written.get(i).whenComplete((result, failure) -> {
					if (failure != null) {
						answer.completeExceptionally(FutureFailures.unwrap(failure));
					}
					else {
						answer.complete(result);
					}
				});
			}
		}

		/** Whatever the place does, each change has an answer. */
		private List<CompletionStage<Written>> written(List<Change> sent) {
			try {
				List<CompletionStage<Written>> written = (sent.size() > 1)
						? GatheredLanes.this.records.writeTogether(sent)
						: sent.stream().map(GatheredLanes.this.records::write).toList();
				if (written.size() == sent.size()) {
					return written;
				}
				return failed(sent, new LockStoreException("", GatheredLanes.this.records.describe() + " was given "
						+ sent.size() + " changes to write together, and answered " + written.size(), null));
			}
			catch (RuntimeException ex) {
				return failed(sent, ex);
			}
		}

		private static List<CompletionStage<Written>> failed(List<Change> sent, RuntimeException failure) {
			return sent.stream().map((change) -> CompletableFuture.<Written>failedStage(failure)).toList();
		}

	}

}
