package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.output.LogLines;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * How many commands a store gets that does not answer, and that all callers go on as soon
 * as it does.
 */
class StoreOutageCommandsTests {

	private static final int KEYS = 100;

	/** Nobody waits longer for the store than the command timeout. */
	private static final Duration TIMEOUT = LockSettings.DEFAULTS.commandTimeout();

	/** The longest time between two attempts. */
	private static final Duration LONGEST_BACKOFF = Duration.ofMillis(330);

	private final ModelClock time = new ModelClock();

	private final AwayStore store = new AwayStore(
			new InMemoryLockStore(new InMemoryLockServer(this.time.elsewhere(), Runnable::run)));

	private final LockEngine engine = new LockEngine(new EngineContext(this.store, LockSettings.DEFAULTS, this.time,
			"here", LockTemplates.DEFAULT, LockObserver.NONE, Runnable::run, () -> 0.5));

	/** Lets the time pass as the housekeeper sees it. */
	private void pass(Duration duration) {
		long end = this.time.nanoTime() + duration.toNanos();
		while (end - this.time.nanoTime() > 0) {
			this.time.moveTo(this.time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10));
			this.store.failCommands();
			this.engine.housekeeper().visitDue(this.time.nanoTime());
		}
	}

	private List<CompletableFuture<LockHandle>> call(String prefix) {
		return IntStream.range(0, KEYS)
			.mapToObj((i) -> this.engine.acquireAsync(LockRequest.of(prefix + i)).toCompletableFuture())
			.toList();
	}

	/** Until it is known that nothing is answered. */
	private void goAway() {
		this.store.away = true;
		this.engine.acquireAsync(LockRequest.of("first"));
		pass(Duration.ofMillis(200));
	}

	private static long done(List<CompletableFuture<LockHandle>> calls) {
		return calls.stream().filter(CompletableFuture::isDone).count();
	}

	@Test
	void callsOfAStoreThatIsAwayThenEachSendsOneCommandAndAllShareTheRepetitions() {
		goAway();
		int earlier = this.store.acquires;
		List<CompletableFuture<LockHandle>> calls = call("a");
		pass(TIMEOUT.minusMillis(10));
		assertThat(done(calls)).isZero();
		// 10, 20, 40 ms and so on, in one second.
		assertThat(this.store.acquires - earlier - KEYS).isBetween(3, 12);
		pass(Duration.ofMillis(10));
		assertThat(done(calls)).isEqualTo(KEYS);
		assertThat(calls).allSatisfy((call) -> {
			CompletionException failure = catchThrowableOfType(CompletionException.class, call::join);
			assertThat(failure).hasCauseInstanceOf(LockStoreException.class).hasMessageContaining("Connection refused");
		});
		// What they may have got is released in the store, with one command each.
		int before = this.store.finishes;
		assertThat(before).isBetween(KEYS, KEYS + 10);
		pass(Duration.ofSeconds(10));
		assertThat(this.store.finishes - before).isBetween(20, 60);
	}

	@Test
	void storeThatComesBackThenAllCallsGoOnWithTheFirstThatItAnswers() {
		goAway();
		List<CompletableFuture<LockHandle>> calls = call("a");
		pass(TIMEOUT.minus(LONGEST_BACKOFF).minusMillis(20));
		this.store.away = false;
		List<Long> finished = new ArrayList<>();
		for (Duration waited = Duration.ZERO; done(calls) < KEYS
				&& waited.compareTo(LONGEST_BACKOFF) < 0; waited = waited.plusMillis(10)) {
			pass(Duration.ofMillis(10));
			finished.add(done(calls));
		}
		assertThat(calls).allMatch((call) -> call.isDone() && !call.isCompletedExceptionally());
		assertThat(finished.stream().filter((count) -> count > 0).findFirst()).as("at the same moment, or the next")
			.hasValueSatisfying(
					(first) -> assertThat(finished.size() - finished.indexOf(first)).isLessThanOrEqualTo(2));
	}

	/** One that answers nothing at all is no reason to ask no more. */
	@Test
	void commandThatHangsThenOthersAreSentAfterTheBackoff() {
		goAway();
		List<CompletableFuture<LockHandle>> calls = call("a");
		int earlier = this.store.acquires;
		this.store.hangs = true;
		pass(Duration.ofMillis(200));
		assertThat(this.store.acquires).isGreaterThan(earlier);
		this.store.hangs = false;
		this.store.away = false;
		pass(LONGEST_BACKOFF);
		assertThat(done(calls)).isBetween((long) KEYS - 10, (long) KEYS);
	}

	/** One of several servers may be away, while the others answer. */
	@Test
	void serverThatIsAwayAmongOthersThenItsCallsKeepTheirOwnBackoff() {
		this.store.awayKeys = "a";
		List<CompletableFuture<LockHandle>> calls = new ArrayList<>();
		List<CompletableFuture<LockHandle>> others = new ArrayList<>();
		int granted = 0;
		for (Duration waited = Duration.ZERO; waited.compareTo(TIMEOUT.minusMillis(20)) < 0; waited = waited
			.plusMillis(10)) {
			if (calls.size() < KEYS) {
				calls.add(this.engine.acquireAsync(LockRequest.of("a" + granted)).toCompletableFuture());
			}
			others.add(this.engine.acquireAsync(LockRequest.of("b" + granted++)).toCompletableFuture());
			pass(Duration.ofMillis(10));
		}
		assertThat(done(calls)).isZero();
		assertThat(others).allMatch((call) -> call.isDone() && !call.isCompletedExceptionally());
		assertThat(this.store.acquires - granted).isBetween(5 * KEYS, 6 * KEYS);
	}

	@Test
	void callerThatGivesUpThenAnotherOneTries() {
		this.store.away = true;
		CompletableFuture<LockHandle> first = this.engine.acquireAsync(LockRequest.of("first")).toCompletableFuture();
		pass(Duration.ofMillis(500));
		CompletableFuture<LockHandle> second = this.engine.acquireAsync(LockRequest.of("second")).toCompletableFuture();
		first.cancel(false);
		pass(Duration.ofMillis(100));
		this.store.away = false;
		pass(LONGEST_BACKOFF);
		assertThat(second).isCompleted();
	}

	@Test
	void renewalsAndReleasesThenAreSentAsAlways() {
		LockHandle held = this.engine.acquireAsync(LockRequest.of("held")).toCompletableFuture().join();
		this.store.away = true;
		call("a");
		pass(Duration.ofSeconds(11));
		int renewals = this.store.renewals;
		assertThat(renewals).isGreaterThan(2);
		held.closeAsync();
		int finishes = this.store.finishesOf("held");
		pass(Duration.ofSeconds(2));
		assertThat(this.store.finishesOf("held") - finishes).isGreaterThanOrEqualTo(6);
	}

	@Test
	void manyLocksThatAreReleasedMeanwhileThenTwoLines() {
		List<LockHandle> held = call("a").stream().map(CompletableFuture::join).toList();
		try (LogLines log = LogLines.of("io.distlock")) {
			this.store.away = true;
			held.forEach(LockHandle::closeAsync);
			List<CompletableFuture<LockHandle>> calls = call("b");
			pass(Duration.ofSeconds(40));
			this.store.away = false;
			this.engine.acquireAsync(LockRequest.of("c"));
			assertThat(calls).allMatch(CompletableFuture::isCompletedExceptionally);
			assertThat(lines(log)).containsExactly(
					"The store does not answer: Connection refused. Commands are repeated",
					"The store answers again after 40s; 100 call(s) failed, "
							+ "100 release(s) were not confirmed in time");
		}
	}

	/** A store that hangs lets no command fail, only its callers. */
	@Test
	void hangSoonAfterAnotherOneThenItsFirstFailureIsLoggedWithinASecond() {
		try (LogLines log = LogLines.of("io.distlock")) {
			hang(log, Duration.ZERO);
			pass(Duration.ofSeconds(20));
			hang(log, Duration.ofSeconds(1));
			assertThat(lines(log)).hasSize(4);
		}
	}

	/** Lets the store hang until three groups of callers have failed. */
	private void hang(LogLines log, Duration later) {
		int before = lines(log).size();
		this.store.away = true;
		this.store.hangs = true;
		call("a");
		pass(TIMEOUT.plus(later).plusMillis(20));
		assertThat(lines(log)).hasSize(before + 1)
			.last()
			.asString()
			.startsWith("The store does not answer: The store did not answer for lock 'a");
		call("b");
		pass(TIMEOUT.multipliedBy(2));
		call("c");
		pass(TIMEOUT.multipliedBy(30));
		this.store.hangs = false;
		this.store.away = false;
		call("d").forEach((call) -> call.thenAccept(LockHandle::closeAsync));
		assertThat(lines(log)).last()
			.asString()
			.startsWith("The store answers again after ")
			.endsWith("; 300 call(s) failed");
	}

	private static List<String> lines(LogLines log) {
		// Locks of tests that ran before may still be lost, on other threads.
		String thread = Thread.currentThread().getName();
		return log.events()
			.stream()
			.filter((line) -> line.getLevel().isGreaterOrEqual(Level.INFO) && line.getThreadName().equals(thread))
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	/** Refuses connections while it is away. */
	private static final class AwayStore extends DelegatingLockStore {

		private boolean away;

		private boolean hangs;

		private String awayKeys = "";

		/** The commands that fail when their round trip is over. */
		private final List<CompletableFuture<AcquireResult>> failures = new ArrayList<>();

		private int acquires;

		private int renewals;

		private int finishes;

		private final List<String> finished = new ArrayList<>();

		AwayStore(LockStore store) {
			super(store);
		}

		private void failCommands() {
			List<CompletableFuture<AcquireResult>> now = List.copyOf(this.failures);
			this.failures.clear();
			now.forEach((command) -> command
				.completeExceptionally(new TransientStoreException("", "Connection refused", null)));
		}

		private int finishesOf(String key) {
			return (int) this.finished.stream().filter(key::equals).count();
		}

		private <T> CompletionStage<T> gone() {
			return this.hangs ? new CompletableFuture<>()
					: CompletableFuture.failedFuture(new TransientStoreException("", "Connection refused", null));
		}

		@Override
		public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
			this.acquires++;
			if (!this.awayKeys.isEmpty() && command.key().startsWith(this.awayKeys)) {
				CompletableFuture<AcquireResult> later = new CompletableFuture<>();
				this.failures.add(later);
				return later;
			}
			return this.away ? gone() : super.acquire(command, caller);
		}

		@Override
		public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor,
				CallingThread caller) {
			this.finishes++;
			this.finished.add(key);
			return this.away ? gone() : super.finish(key, request, keepFor, caller);
		}

		@Override
		public CompletionStage<RenewResult> renew(RenewCommand command) {
			this.renewals++;
			return this.away ? gone() : super.renew(command);
		}

	}

}
