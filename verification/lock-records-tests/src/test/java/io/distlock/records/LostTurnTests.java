package io.distlock.records;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.distlock.Holder;
import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.test.records.MemoryPlace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A thread that executes commands of a lock fails at any point, or its place never
 * answers: later commands for the lock are executed all the same, and the lock is
 * forgotten.
 */
class LostTurnTests {

	private static final String LOCK = "stock";

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	/** The point at which a caller runs what it has accepted, and nobody else does. */
	private static final String ACCEPTED = "accepted";

	/** More than a pair reaches. */
	private static final int POINTS = 500;

	@ParameterizedTest
	@EnumSource
	void aLockIsUsableWhereverAnErrorComes(Answers answers) {
		int fired = 0;
		for (int point = 1; point < POINTS; point++) {
			World world = new World(answers);
			world.failAt(point);
			world.usePair();
			if (world.hasFailed()) {
				fired++;
			}
			String when = "point " + point + " " + world.failed;
			if (!world.failed.equals(ACCEPTED)) {
				world.assertAnswered("at once, " + when);
			}
			world.assertUsable(when);
			world.assertAnswered(when);
		}
		assertThat(fired).isGreaterThan(20).isLessThan(POINTS / 2);
	}

	/** As a thread whose stack ends before it runs what it has accepted. */
	@ParameterizedTest
	@EnumSource
	void aLockIsUsableAfterACallerRunsNothingOfWhatItAccepted(Answers answers) {
		for (int accepted = 0; accepted < 6; accepted++) {
			World world = new World(answers);
			world.runAtMost(accepted);
			world.usePair();
			world.assertUsable("after " + accepted + " tasks");
		}
	}

	@ParameterizedTest
	@EnumSource
	void aLockIsUsableAfterItsPlaceNeverAnswered(Answers answers) {
		for (int answered = 0; answered < 6; answered++) {
			World world = new World(answers);
			world.answerAtMost(answered);
			world.usePair();
			world.assertUsable("after " + answered + " answers");
		}
	}

	/**
	 * What was sent to the place before may still be executed, unless a look prevents it.
	 */
	@Test
	void aWriteOfAFailedTurnLosesIfItArrivesAfterALook() {
		int late = 0;
		for (int point = 1; point < POINTS; point++) {
			World world = new World(Answers.AT_ONCE);
			world.failAt(point);
			world.answerAtMost(0);
			world.acquire();
			if (world.hasFailed()) {
				world.answerAtMost(Integer.MAX_VALUE);
				world.look();
				String seen = world.place.text(LOCK);
				late += world.arrive();
				assertThat(world.place.text(LOCK)).as("point %s %s", point, world.failed).isEqualTo(seen);
			}
		}
		assertThat(late).isPositive();
	}

	/** On which thread and when a place answers. */
	private enum Answers {

		AT_ONCE, LATER, ON_THE_THREAD_OF_THE_CALLER

	}

	/** A store whose surroundings fail at one point, on virtual time. */
	private static final class World {

		private final PriorityQueue<Timer> timers = new PriorityQueue<>();

		private final Queue<Runnable> late = new ArrayDeque<>();

		private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.CLOCK, false, this::instant);

		private final List<CompletionStage<?>> results = new ArrayList<>();

		private final Answers answers;

		private final RecordLockStore store;

		/** Writes to the same place, and nothing of it fails. */
		private final RecordLockStore other;

		/** The number of writes before which the other process writes. */
		private int disturbances;

		private boolean disturbing;

		private long others;

		private long nanos = Duration.ofHours(1).toNanos();

		private long order;

		private int pointsLeft;

		private int tasksLeft = Integer.MAX_VALUE;

		private int answersLeft = Integer.MAX_VALUE;

		private String failed = "";

		private long number;

		private World(Answers answers) {
			this.answers = answers;
			LockRecords records = records(this.place.newRecords());
			RecordSettings settings = new RecordSettings(Duration.ofMillis(50), TIMEOUT, Duration.ofMillis(100));
			this.store = new RecordLockStore(records, settings, RecordLockStore.rules(records.traits(), settings),
					(delay, action) -> {
						reach("schedule");
						in(delay, action);
					}, () -> {
						reach("clock");
						return this.nanos;
					}, () -> 0.5);
			this.store.start("one", new Nobody());
			this.other = new RecordLockStore(this.place.newRecords(), settings,
					RecordLockStore.rules(records.traits(), settings), this::in, () -> this.nanos, () -> 0.5);
			this.other.start("other", new Nobody());
			this.place.beforeWrite((key) -> disturb());
		}

		void failAt(int point) {
			this.pointsLeft = point;
		}

		boolean hasFailed() {
			return !this.failed.isEmpty();
		}

		void runAtMost(int tasks) {
			this.tasksLeft = tasks;
		}

		void answerAtMost(int calls) {
			this.answersLeft = calls;
		}

		void look() {
			caught((caller) -> this.results.add(this.store.inspect(LOCK)));
		}

		void acquire() {
			this.number++;
			caught((caller) -> this.results.add(this.store.acquire(command(), caller)));
		}

		/** Nothing fails from now on, and what was lost is over. */
		void heal() {
			this.pointsLeft = 0;
			this.tasksLeft = Integer.MAX_VALUE;
			this.answersLeft = Integer.MAX_VALUE;
			passDespiteErrors(TIMEOUT.multipliedBy(3));
		}

		/** Executes the calls that were never answered. */
		int arrive() {
			int calls = this.late.size();
			while (!this.late.isEmpty()) {
				this.late.remove().run();
			}
			return calls;
		}

		/** Throws an error if this point is the one. */
		private void reach(String what) {
			if (this.pointsLeft > 0 && --this.pointsLeft == 0) {
				this.failed = what;
				throw new InternalError("made up at " + what);
			}
		}

		/** Acquires and releases the lock, beside two commands of other callers. */
		void usePair() {
			acquire();
			caught((caller) -> this.results.add(this.store.inspect(LOCK)));
			passDespiteErrors(Duration.ofMillis(100));
			this.disturbances = 3;
			caught((caller) -> {
				this.results.add(this.store.finish(LOCK, request(), Duration.ZERO, caller));
				this.results.add(this.store.inspect(LOCK));
			});
			caught((caller) -> this.results.add(this.store.inspect(LOCK)));
			passDespiteErrors(Duration.ofMillis(100));
			this.disturbances = 0;
		}

		/** Lets writes of the store lose against those of another process. */
		private void disturb() {
			if (this.disturbances > 0 && !this.disturbing) {
				this.disturbances--;
				this.disturbing = true;
				RequestId request = new RequestId("other", ++this.others);
				this.other.acquire(command(request, true));
				this.other.finish(LOCK, request, Duration.ZERO);
				this.disturbing = false;
			}
		}

		/** Like the engine, which runs what it accepted after it has left its monitor. */
		private void caught(Consumer<CallingThread> commands) {
			Caller caller = new Caller();
			despiteErrors(() -> commands.accept(caller));
			caller.run();
		}

		private static void despiteErrors(Runnable action) {
			try {
				action.run();
			}
			catch (InternalError ex) {
				// The error is made up.
			}
		}

		void assertUsable(String when) {
			heal();
			this.number++;
			List<CompletionStage<?>> results = new ArrayList<>();
			caught((caller) -> results.add(this.store.acquire(command(), caller)));
			pass(Duration.ofMillis(500));
			assertThat(results.get(0).toCompletableFuture()).as("acquired %s", when)
				.isCompletedWithValueMatching(AcquireResult.Granted.class::isInstance);
			caught((caller) -> results.add(this.store.finish(LOCK, request(), Duration.ZERO, caller)));
			pass(Duration.ofMillis(500));
			assertThat(results.get(1).toCompletableFuture()).as("released %s", when)
				.isCompletedWithValueMatching(FinishResult.RELEASED::equals);
			pass(Duration.ofMinutes(3));
			assertThat(this.store.remembered()).as("remembered %s", when).isZero();
		}

		/** Also a failure is an answer. */
		void assertAnswered(String when) {
			assertThat(this.results).as("answered %s", when)
				.allMatch((result) -> result.toCompletableFuture().isDone());
		}

		private AcquireCommand command() {
			return command(request(), false);
		}

		private static AcquireCommand command(RequestId request, boolean queue) {
			return new AcquireCommand(LOCK, request, LEASE, Sharing.EXCLUSIVE, queue, 1, TIMEOUT,
					new Holder("app", "host", request.engine(), "", "", Instant.EPOCH));
		}

		private RequestId request() {
			return new RequestId("one", this.number);
		}

		private void in(Duration delay, Runnable action) {
			this.timers.add(new Timer(this.nanos + delay.toNanos(), this.order++, action));
		}

		private void pass(Duration time) {
			long end = this.nanos + time.toNanos();
			while (!this.timers.isEmpty() && this.timers.peek().at() <= end) {
				Timer timer = this.timers.remove();
				this.nanos = Math.max(this.nanos, timer.at());
				timer.action().run();
			}
			this.nanos = end;
		}

		private void passDespiteErrors(Duration time) {
			long end = this.nanos + time.toNanos();
			while (this.nanos < end) {
				caught((caller) -> pass(Duration.ofNanos(end - this.nanos)));
			}
		}

		private Instant instant() {
			return Instant.ofEpochSecond(1_795_225_522L).plusNanos(this.nanos);
		}

		private LockRecords records(LockRecords known) {
			return (LockRecords) Proxy.newProxyInstance(LockRecords.class.getClassLoader(),
					new Class<?>[] { LockRecords.class }, (proxy, method, arguments) -> {
						boolean call = method.getName().equals("read") || method.getName().equals("write");
						reach(method.getName());
						if (call) {
							boolean read = method.getName().equals("read");
							CallingThread caller = (CallingThread) arguments[1];
							CompletionStage<?> answer = answer(() -> read ? known.read((String) arguments[0])
									: known.write((LockRecords.Change) arguments[0]), caller);
							reach("after " + method.getName());
							return answer;
						}
						try {
							return method.invoke(known, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

		private CompletionStage<?> answer(Call call, CallingThread caller) {
			CompletableFuture<Object> answer = new Answer<>(this::reach);
			boolean answered = this.answersLeft-- > 0;
			if (!answered) {
				this.late.add(call::join);
				return answer;
			}
			Runnable execution = () -> answer.complete(call.join());
			if (this.answers == Answers.ON_THE_THREAD_OF_THE_CALLER && caller.offer(execution)) {
				return answer;
			}
			if (this.answers == Answers.AT_ONCE) {
				execution.run();
			}
			else {
				in(Duration.ofMillis(1), execution);
			}
			return answer;
		}

		/** What a place does for one call. */
		private interface Call {

			CompletionStage<?> execute();

			default Object join() {
				return execute().toCompletableFuture().join();
			}

		}

		/** Runs one task after the other, unless it dies first. */
		private final class Caller implements CallingThread {

			private final Queue<Runnable> tasks = new ArrayDeque<>();

			private boolean closed;

			@Override
			public boolean offer(Runnable task) {
				reach("offer");
				boolean accepted = this.tasks.isEmpty() && !this.closed;
				if (accepted) {
					this.tasks.add(task);
				}
				return accepted;
			}

			/** Like the engine, this runs the next task after one that failed. */
			void run() {
				while (!this.tasks.isEmpty()) {
					Runnable task = this.tasks.remove();
					if (World.this.tasksLeft-- > 0) {
						despiteErrors(() -> {
							reach(ACCEPTED);
							task.run();
						});
					}
				}
				this.closed = true;
			}

		}

		private record Timer(long at, long order, Runnable action) implements Comparable<Timer> {

			@Override
			public int compareTo(Timer other) {
				int byTime = Long.compare(this.at, other.at);
				return (byTime != 0) ? byTime : Long.compare(this.order, other.order);
			}

		}

	}

	/** A stage to which nothing can be attached at the point that fails. */
	private static final class Answer<T> extends CompletableFuture<T> {

		private final Consumer<String> reach;

		private Answer(Consumer<String> reach) {
			this.reach = reach;
		}

		@Override
		public <U> CompletableFuture<U> newIncompleteFuture() {
			this.reach.accept("stage");
			return new Answer<>(this.reach);
		}

	}

	/** A process that no message reaches. */
	private static final class Nobody implements StoreListener {

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			// Nobody waits.
		}

		@Override
		public void contended(String key) {
			// Nobody waits.
		}

		@Override
		public void reconnected() {
			// Nothing is missed.
		}

	}

}
