package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;

/**
 * One sequence: some threads of several processes do random things with a few new locks.
 * The locks are free at the end.
 */
final class RandomCallers {

	/** The command timeout of {@link ContractTemplates}. */
	private static final Duration ANSWER = Duration.ofSeconds(10);

	/**
	 * A caller that waits this long is served: the others hold locks for moments only.
	 */
	private static final Duration LONG = Duration.ofMinutes(1);

	/**
	 * What was lost is free after its short lease, and after the grace of the store. What
	 * was not released is not, because its lease is longer.
	 */
	private static final Duration FREED = Duration.ofSeconds(5);

	private static final Duration EXTENSION = Duration.ofSeconds(40);

	private static final Executor OTHER_THREADS = (task) -> new Thread(task, "other thread").start();

	private final Queue<AssertionError> failures = new ConcurrentLinkedQueue<>();

	/** Work that goes on without the caller that began it. */
	private final Queue<CompletableFuture<?>> begun = new ConcurrentLinkedQueue<>();

	private final AtomicInteger granted = new AtomicInteger();

	/** Does not react to interrupts. */
	private final CompletableFuture<Boolean> start = new CompletableFuture<>();

	private final List<CloseableLockTemplate> processes;

	private final List<Place> places;

	/** A lock that all callers hold with short leases, and that they may lose. */
	private final Place brief;

	private final List<TestThreads.Task<Void>> callers;

	private final int steps;

	private final long seed;

	/**
	 * Creates a sequence.
	 * @param processes the processes
	 * @param key a key of which nobody else uses extensions
	 * @param seed decides what the callers do
	 */
	RandomCallers(List<CloseableLockTemplate> processes, String key, long seed) {
		this.processes = processes;
		this.seed = seed;
		this.places = IntStream.rangeClosed(0, (int) (seed % 2))
			.mapToObj((number) -> key + "." + number)
			.map((name) -> new Place(name, new HoldWitness(name, this.failures::add)))
			.toList();
		this.brief = new Place(key + ".brief", new HoldWitness(key, this.failures::add));
		this.steps = 3 + (int) (seed % 4) * 3;
		// Fewer callers: nobody else's command helps one that got lost.
		this.callers = IntStream.range(0, 2 + (int) (seed % 5))
			.mapToObj((number) -> TestThreads.runInThread(new Caller(number)::run))
			.toList();
	}

	/**
	 * Runs the sequence.
	 * @return how often a lock was granted
	 */
	int run() throws Exception {
		this.start.complete(true);
		for (TestThreads.Task<Void> caller : this.callers) {
			check("a caller has ended", ended(caller));
		}
		for (CompletableFuture<?> task = this.begun.poll(); task != null; task = this.begun.poll()) {
			check("what a caller began has ended", ended(task));
		}
		for (CloseableLockTemplate process : this.processes) {
			check("a process is idle", Pause.atMost(TestThreads.LIMIT, process::isIdle));
		}
		for (Place place : Stream.concat(this.places.stream(), Stream.of(this.brief)).toList()) {
			for (CloseableLockTemplate process : this.processes) {
				check("'" + place + "' is free", Pause.atMost(FREED, () -> !process.isLocked(place.key())));
				Optional<LockHandle> free = process.tryAcquire(request(place, LockMode.EXCLUSIVE, Duration.ZERO));
				free.ifPresent(LockHandle::close);
				check("nobody waits for '" + place + "'", free.isPresent());
			}
		}
		return this.granted.get();
	}

	private static boolean ended(Future<?> task) throws Exception {
		try {
			TestThreads.get(task);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
	}

	/**
	 * Reports the failure of a caller first, because other failures may follow from it.
	 */
	private void check(String what, boolean right) {
		AssertionError first = this.failures.peek();
		if (first != null) {
			AssertionError all = new AssertionError(this.failures.size() + " failures; first: " + first.getMessage());
			this.failures.forEach(all::addSuppressed);
			throw all;
		}
		if (!right) {
			throw new AssertionError("It is not true that " + what);
		}
	}

	private static LockRequest request(Place place, LockMode mode, Duration wait) {
		return LockRequest.of(place.key()).mode(mode).waitAtMost(wait);
	}

	/**
	 * A lock, and what is seen of its holds.
	 *
	 * @param key the lock
	 * @param witness sees all holds
	 */
	private record Place(String key, HoldWitness witness) {

		@Override
		public String toString() {
			return this.key;
		}

	}

	/** How a hold ends. */
	private enum End {

		CLOSE, CLOSE_LATER, CLOSE_ELSEWHERE

	}

	/** The things that an owner does before the hold ends. */
	private enum Use {

		NOTHING, PAUSE, EXTEND, EXTEND_LATER, NEST

	}

	/**
	 * What a caller does.
	 *
	 * @param place the lock
	 * @param mode how the lock is held
	 * @param atMost how long to wait at most
	 * @param lease after how long the hold ends, zero for a renewed one
	 * @param use what the owner does
	 * @param end how the hold ends
	 * @param cancelled whether the caller soon cancels what is asynchronous
	 * @param pause how long something takes
	 */
	private record Step(Place place, LockMode mode, Duration atMost, Duration lease, Use use, End end,
			boolean cancelled, Duration pause) {

		static Step random(SplittableRandom random, Place place, boolean brief) {
			Duration shortly = Duration.ofMillis(random.nextInt(3) * random.nextInt(20));
			return new Step(place, (random.nextInt(3) == 0) ? LockMode.SHARED : LockMode.EXCLUSIVE,
					(random.nextInt(5) == 0) ? LONG : shortly,
					brief ? LockRequest.MIN_LEASE.plusMillis(random.nextInt(100)) : Duration.ZERO,
					Use.values()[random.nextInt(Use.values().length)],
					End.values()[random.nextInt(End.values().length)], random.nextInt(3) == 0,
					Duration.ofNanos(1000L * random.nextInt(2000)));
		}

		LockRequest request() {
			LockRequest renewed = RandomCallers.request(this.place, this.mode, this.atMost);
			return endsSoon() ? renewed.leaseFor(this.lease) : renewed;
		}

		/** Whether the owner may lose the lock, because its thread has to wait. */
		boolean endsSoon() {
			return !this.lease.isZero();
		}

		boolean isLong() {
			return this.atMost.equals(LONG);
		}

	}

	/** One thread, which takes one step after the other. */
	private final class Caller {

		private final SplittableRandom random;

		private final int number;

		private final CloseableLockTemplate process;

		private Caller(int number) {
			this.random = new SplittableRandom(31 * RandomCallers.this.seed + number);
			this.number = number;
			this.process = RandomCallers.this.processes.get(number % RandomCallers.this.processes.size());
		}

		void run() {
			RandomCallers.this.start.join();
			for (int count = 0; count < RandomCallers.this.steps; count++) {
				int kind = this.random.nextInt(10);
				Step step = next();
				try {
					take(kind, step);
				}
				catch (LockInterruptedException ex) {
					// Another caller may have interrupted this one.
				}
				catch (Throwable ex) {
					judge(step, ex);
				}
				finally {
					Thread.interrupted();
				}
			}
		}

		private Step next() {
			List<Place> all = RandomCallers.this.places;
			boolean brief = this.random.nextInt(6) == 0;
			return Step.random(this.random, brief ? RandomCallers.this.brief : all.get(this.random.nextInt(all.size())),
					brief);
		}

		private void take(int kind, Step step) {
			if (kind < 3) {
				Optional<LockHandle> lock = this.process.tryAcquire(step.request());
				lock.ifPresent((handle) -> use(step, handle));
				if (lock.isEmpty() && step.isLong()) {
					throw new AssertionError("Busy for a minute");
				}
			}
			else if (kind < 6) {
				acquire(step);
			}
			else if (kind < 9) {
				acquireLater(step);
			}
			else {
				int victim = this.random.nextInt(RandomCallers.this.callers.size());
				Pause.of(step.pause());
				RandomCallers.this.callers.get(victim).thread().interrupt();
			}
		}

		private void acquire(Step step) {
			try {
				use(step, this.process.acquire(step.request()));
			}
			catch (LockBusyException ex) {
				if (step.isLong()) {
					throw ex;
				}
			}
		}

		private void acquireLater(Step step) {
			CompletableFuture<LockHandle> lock = this.process.acquireAsync(step.request()).toCompletableFuture();
			go(step, lock.thenAccept((handle) -> use(step, handle)));
			if (step.cancelled()) {
				Pause.of(step.pause());
				lock.cancel(false);
			}
		}

		private void use(Step step, LockHandle handle) {
			RandomCallers.this.granted.incrementAndGet();
			try {
				if (!step.endsSoon()) {
					step.place().witness().enter(step.mode(), handle.fencingToken());
				}
				hold(step, handle);
			}
			finally {
				if (!step.endsSoon()) {
					step.place().witness().leave(step.mode());
				}
				end(step, handle);
			}
		}

		private void hold(Step step, LockHandle handle) {
			switch (step.use()) {
				case NOTHING -> {
				}
				case PAUSE -> Pause.of(step.pause());
				case EXTEND -> handle.extend(EXTENSION);
				case EXTEND_LATER -> go(step, handle.extendAsync(EXTENSION).toCompletableFuture());
				case NEST -> nest(step, handle);
			}
			handle.ensureHeld();
		}

		private void nest(Step step, LockHandle handle) {
			if (!this.process.isHeldByCurrentThread(step.place().key())) {
				// The owner is the handle.
				return;
			}
			try (LockHandle inner = this.process.acquire(step.request())) {
				if (inner.fencingToken() != handle.fencingToken()) {
					throw new AssertionError("Nested, but with another token");
				}
			}
		}

		private void end(Step step, LockHandle handle) {
			long begun = System.nanoTime();
			Duration stood = Standstill.total();
			switch (step.end()) {
				case CLOSE -> handle.close();
				case CLOSE_LATER -> {
					go(step, handle.closeAsync().toCompletableFuture().thenRun(() -> checkTime(begun, stood)));
					return;
				}
				// Until then this thread is the owner, and would nest.
				case CLOSE_ELSEWHERE -> CompletableFuture.runAsync(handle::close, OTHER_THREADS).join();
			}
			checkTime(begun, stood);
		}

		/** A release without an answer is only logged, after the command timeout. */
		private void checkTime(long begun, Duration stoodBefore) {
			Duration time = Duration.ofNanos(System.nanoTime() - begun).minus(Standstill.total().minus(stoodBefore));
			if (time.compareTo(ANSWER) >= 0) {
				throw new AssertionError("The store did not answer to a release within " + time);
			}
		}

		private void go(Step step, CompletableFuture<?> task) {
			RandomCallers.this.begun.add(task.handle((nothing, failure) -> {
				if (failure != null) {
					judge(step, failure);
				}
				return nothing;
			}));
		}

		private void judge(Step step, Throwable thrown) {
			Throwable cause = thrown.getCause();
			Throwable failure = (thrown instanceof CompletionException && cause != null) ? cause : thrown;
			boolean cancelled = failure instanceof CancellationException && step.cancelled();
			boolean busy = failure instanceof LockBusyException && !step.isLong();
			// The hold may end before its extension.
			boolean closed = failure instanceof IllegalStateException && step.use() == Use.EXTEND_LATER;
			boolean late = step.endsSoon() && (failure instanceof LockLostException || isGrantedTooLate(failure));
			if (!cancelled && !busy && !closed && !late) {
				RandomCallers.this.failures
					.add(new AssertionError("Caller " + this.number + ", " + step + ": " + failure, failure));
			}
		}

		/** The store has answered, but the lease was over when the answer arrived. */
		private static boolean isGrantedTooLate(Throwable failure) {
			return failure instanceof LockStoreException
					&& String.valueOf(failure.getMessage()).startsWith("The store granted lock");
		}

	}

}
