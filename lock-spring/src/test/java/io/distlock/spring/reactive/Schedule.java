package io.distlock.spring.reactive;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.SignalType;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;

/**
 * One subscription, whose order of events comes from a seed. At one of the points the
 * subscriber cancels, on the thread that reached the point or on another one at the same
 * time. Grants, elements and confirmations come at once or from other threads.
 */
final class Schedule {

	private final Queue<String> violations = new ConcurrentLinkedQueue<>();

	private final AtomicInteger asked = new AtomicInteger();

	private final AtomicInteger answered = new AtomicInteger();

	private final AtomicInteger open = new AtomicInteger();

	private final AtomicInteger working = new AtomicInteger();

	private final AtomicInteger unconfirmed = new AtomicInteger();

	private final AtomicInteger cancelling = new AtomicInteger();

	private final AtomicBoolean ended = new AtomicBoolean();

	private final BaseSubscriber<String> subscriber = new Caller();

	private final ExecutorService threads;

	private final Point cancelAt;

	private final boolean cancelsBeside;

	private final boolean grantsLater;

	private final boolean confirmsLater;

	private final boolean endsLater;

	private final End end;

	Schedule(long seed, ExecutorService threads) {
		Random random = new Random(seed);
		this.threads = threads;
		this.cancelAt = Point.values()[random.nextInt(Point.values().length)];
		this.cancelsBeside = random.nextBoolean();
		this.grantsLater = random.nextBoolean();
		this.confirmsLater = random.nextBoolean();
		this.endsLater = random.nextBoolean();
		this.end = End.values()[random.nextInt(End.values().length)];
	}

	/** Runs the schedule to its end and returns what was wrong. */
	List<String> run(Function<Schedule, Publisher<String>> locked, Duration patience) {
		locked.apply(this).subscribe(this.subscriber);
		reach(Point.SUBSCRIBED);
		if (this.end == End.NEVER && await(patience, () -> this.working.get() > 0 || this.ended.get())) {
			cancel();
		}
		if (!await(patience,
				() -> this.ended.get() && this.answered.get() == this.asked.get() && this.cancelling.get() == 0)) {
			this.violations.add("never ended");
		}
		if (!await(patience, () -> this.open.get() == 0 && this.unconfirmed.get() == 0)) {
			this.violations.add("held for ever");
		}
		return List.copyOf(this.violations);
	}

	private static boolean await(Duration patience, BooleanSupplier condition) {
		long deadline = System.nanoTime() + patience.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() > deadline) {
				return false;
			}
			Thread.yield();
		}
		return true;
	}

	private void reach(Point point) {
		if (this.cancelAt != point) {
			return;
		}
		if (this.cancelsBeside) {
			this.cancelling.incrementAndGet();
			this.threads.execute(() -> {
				cancel();
				this.cancelling.decrementAndGet();
			});
		}
		else {
			cancel();
		}
	}

	private void cancel() {
		this.subscriber.cancel();
		this.ended.set(true);
	}

	private void soon(boolean later, Runnable action) {
		if (later) {
			this.threads.execute(action);
		}
		else {
			action.run();
		}
	}

	LockTemplate locks() {
		return new Locks();
	}

	Publisher<String> call(LockHandle lock) {
		if (this.open.get() != 1) {
			this.violations.add("called without the lock");
		}
		reach(Point.CALLED);
		return (subscriber) -> new Work(subscriber).begin();
	}

	@Override
	public String toString() {
		return "cancel " + this.cancelAt + (this.cancelsBeside ? " beside" : "") + ", body " + this.end
				+ (this.endsLater ? " later" : "") + (this.grantsLater ? ", granted later" : "")
				+ (this.confirmsLater ? ", confirmed later" : "");
	}

	enum Point {

		NEVER, SUBSCRIPTION, SUBSCRIBED, ASKED, GRANTED, CALLED, BODY_SUBSCRIBED, ELEMENT, BODY_ENDED, CLOSING, CLOSED

	}

	enum End {

		ELEMENT, EMPTY, FAILURE, NEVER

	}

	/** The subscriber. */
	private final class Caller extends BaseSubscriber<String> {

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			reach(Point.SUBSCRIPTION);
			subscription.request(Long.MAX_VALUE);
		}

		@Override
		protected void hookOnNext(String element) {
			reach(Point.ELEMENT);
		}

		@Override
		protected void hookOnComplete() {
			checkReleased();
		}

		@Override
		protected void hookOnError(Throwable failure) {
			checkReleased();
		}

		private void checkReleased() {
			if (Schedule.this.open.get() != 0 || Schedule.this.unconfirmed.get() != 0) {
				Schedule.this.violations.add("ended before the release");
			}
		}

		@Override
		protected void hookFinally(SignalType type) {
			Schedule.this.ended.set(true);
		}

	}

	/** Grants the lock, unless the caller has given up before. */
	private final class Locks implements LockTemplate {

		@Override
		public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
			CompletableFuture<LockHandle> acquisition = new CompletableFuture<>();
			Schedule.this.asked.incrementAndGet();
			soon(Schedule.this.grantsLater, () -> {
				reach(Point.GRANTED);
				Schedule.this.open.incrementAndGet();
				if (!acquisition.complete(new Handle())) {
					Schedule.this.open.decrementAndGet();
				}
				Schedule.this.answered.incrementAndGet();
			});
			reach(Point.ASKED);
			return acquisition;
		}

		@Override
		public LockHandle acquire(LockRequest request) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Optional<LockHandle> tryAcquire(LockRequest request) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Lock getLock(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ReadWriteLock getReadWriteLock(String key) {
			throw new UnsupportedOperationException();
		}

	}

	/** Counts how often it is closed. */
	private final class Handle extends OpenHandle {

		private final AtomicBoolean closed = new AtomicBoolean();

		@Override
		public CompletionStage<@Nullable Void> closeAsync() {
			CompletableFuture<@Nullable Void> confirmed = new CompletableFuture<>();
			if (!this.closed.compareAndSet(false, true)) {
				Schedule.this.violations.add("closed twice");
			}
			if (Schedule.this.working.get() != 0) {
				Schedule.this.violations.add("released while the body worked");
			}
			Schedule.this.unconfirmed.incrementAndGet();
			Schedule.this.open.decrementAndGet();
			reach(Point.CLOSING);
			soon(Schedule.this.confirmsLater, () -> {
				Schedule.this.unconfirmed.decrementAndGet();
				confirmed.complete(null);
				reach(Point.CLOSED);
			});
			return confirmed;
		}

	}

	/** The work of the body. It stops when it is cancelled. */
	private final class Work implements Subscription {

		private final AtomicBoolean over = new AtomicBoolean();

		private final AtomicBoolean requested = new AtomicBoolean();

		private final Subscriber<? super String> subscriber;

		private Work(Subscriber<? super String> subscriber) {
			this.subscriber = subscriber;
		}

		private void begin() {
			Schedule.this.working.incrementAndGet();
			if (Schedule.this.open.get() != 1) {
				Schedule.this.violations.add("subscribed without the lock");
			}
			reach(Point.BODY_SUBSCRIBED);
			this.subscriber.onSubscribe(this);
		}

		@Override
		public void request(long n) {
			if (Schedule.this.end != End.NEVER && this.requested.compareAndSet(false, true)) {
				soon(Schedule.this.endsLater, this::finish);
			}
		}

		private void finish() {
			if (Schedule.this.end == End.ELEMENT && !this.over.get()) {
				this.subscriber.onNext("element");
			}
			reach(Point.BODY_ENDED);
			if (!stop()) {
				return;
			}
			if (Schedule.this.end == End.FAILURE) {
				this.subscriber.onError(new IllegalArgumentException("failed"));
			}
			else {
				this.subscriber.onComplete();
			}
		}

		@Override
		public void cancel() {
			stop();
		}

		/** Returns after the work has stopped, whichever thread stops it. */
		private synchronized boolean stop() {
			boolean first = this.over.compareAndSet(false, true);
			if (first) {
				Schedule.this.working.decrementAndGet();
			}
			return first;
		}

	}

}
