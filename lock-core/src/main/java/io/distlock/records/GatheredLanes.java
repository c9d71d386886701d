package io.distlock.records;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;

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

	private final ReentrantLock lock = new ReentrantLock();

	private final LockRecords records;

	private final Alarm alarm;

	/** Guarded by the lock. */
	private List<Lane> lanes = new ArrayList<>();

	GatheredLanes(LockRecords records, Alarm alarm) {
		this.records = records;
		this.alarm = alarm;
	}

	/** Adds a lane, which runs within a few milliseconds. */
	void add(Lane lane) {
		this.lock.lock();
		try {
			this.lanes.add(lane);
			if (this.lanes.size() > 1) {
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		this.alarm.in(PAUSE, this::begin);
	}

	private void begin() {
		List<Lane> all = take();
		if (all.size() == 1 || this.records.estimate().isPresent()) {
			run(all);
		}
		else {
			// One look at the clock for all of them, instead of one for each.
			look(all.get(0).key()).whenComplete((seen, failure) -> run(all));
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

	private List<Lane> take() {
		this.lock.lock();
		try {
			List<Lane> taken = this.lanes;
			this.lanes = new ArrayList<>();
			return taken;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void run(List<Lane> all) {
		Batch batch = new Batch();
		for (Lane lane : all) {
			// What was urgent has run it already.
			if (lane.leave()) {
				lane.run(batch::write);
			}
		}
		batch.close();
	}

	/** Changes that are sent together. */
	private final class Batch {

		private final ReentrantLock guard = new ReentrantLock();

		/** Guarded, like the two that follow. */
		private List<Change> changes = new ArrayList<>();

		private List<CompletableFuture<Written>> answers = new ArrayList<>();

		private boolean closed;

		/** A lane that has to read first comes too late, and writes alone. */
		CompletionStage<Written> write(Change change) {
			CompletableFuture<Written> answer = new CompletableFuture<>();
			Runnable full;
			this.guard.lock();
			try {
				if (this.closed) {
					return GatheredLanes.this.records.write(change);
				}
				this.changes.add(change);
				this.answers.add(answer);
				full = (this.changes.size() < GatheredLanes.this.records.mostTogether()) ? () -> {
				} : send();
			}
			finally {
				this.guard.unlock();
			}
			full.run();
			return answer;
		}

		void close() {
			Runnable rest;
			this.guard.lock();
			try {
				this.closed = true;
				rest = send();
			}
			finally {
				this.guard.unlock();
			}
			rest.run();
		}

		private Runnable send() {
			List<Change> sent = this.changes;
			List<CompletableFuture<Written>> owed = this.answers;
			this.changes = new ArrayList<>();
			this.answers = new ArrayList<>();
			return () -> send(sent, owed);
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
