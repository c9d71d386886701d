package io.distlock.leader;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

import ch.qos.logback.classic.Level;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.leader.LeaderElection.State;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.operations.HeldLock;
import io.distlock.operations.LockOperations;
import io.distlock.output.LogLines;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.Grant;
import io.distlock.spi.LockClock;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import io.distlock.test.Pause;
import io.distlock.test.VirtualClock;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.distlock.test.TestThreads.runInThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Leader elections of several processes on one store, on virtual time. */
@Timeout(120)
class LeaderElectionTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration A_WHILE = LEASE.multipliedBy(3);

	/**
	 * Enough for threads of a busy machine. A mistake after which they hang takes it
	 * twice.
	 */
	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final VirtualClock clock = new VirtualClock();

	private final InMemoryLockServer server = new InMemoryLockServer(this.clock, this.clock::deliver);

	/** A mistake that was tried before may go on in its election, and log. */
	private final String indexer = "indexer-" + System.nanoTime();

	/** What happened, in this order. */
	private final Queue<String> events = new ConcurrentLinkedQueue<>();

	private final List<Process> processes = new ArrayList<>();

	private final Process a = new Process("a");

	private final Process b = new Process("b");

	@AfterEach
	void end() {
		this.processes.forEach((process) -> process.store.heal());
		this.processes.forEach(Process::stop);
		this.processes.forEach((process) -> advanceUntilDone(runInThread(process.template::close)));
	}

	private void advanceUntilDone(Future<?> future) {
		advanceUntil(future::isDone);
	}

	@Test
	void oneLeadsAndTheOtherFollowsOnceTheFirstHasStopped() {
		this.a.leads();
		this.b.stands();
		this.clock.advance(A_WHILE);
		assertThat(this.a.election.state()).isEqualTo(State.LEADER);
		assertThat(this.b.election.state()).isEqualTo(State.CANDIDATE);
		assertThat(this.b.election.fencingToken()).isEmpty();
		long first = this.a.election.fencingToken().getAsLong();
		this.a.stop();
		assertThat(this.a.election.state()).isEqualTo(State.STOPPED);
		this.b.awaitLeader();
		assertThat(this.b.election.fencingToken().getAsLong()).isGreaterThan(first);
		awaitEvents("a granted", "a revoked", "b granted");
	}

	@Test
	void revokedWhenTheStoreIsAwayThenBeforeTheLeaseIsOver() {
		Moments revoked = new Moments();
		this.a.election.onRevoked((token) -> revoked.now());
		this.a.leads();
		this.b.stands();
		this.a.store.injectAll(Fault.LOSE_COMMAND);
		Instant away = this.clock.instant();
		advanceUntil(() -> !this.a.election.isLeader());
		advanceUntil(this.b.election::isLeader);
		awaitEvents("a granted", "a revoked", "b granted");
		// The last confirmed renewal was at most a third of the lease before.
		assertThat(revoked.only()).isBetween(away.plus(LEASE.dividedBy(3)).minusSeconds(1),
				away.plus(LEASE.multipliedBy(2).dividedBy(3)).plusSeconds(1));
		assertThat(Duration.between(revoked.only(), this.clock.instant())).as("before the next leader")
			.isGreaterThan(LEASE.dividedBy(4));
		assertThat(this.a.election.state()).isNotEqualTo(State.LEADER);
	}

	/** A frozen process, or one that was busy with its garbage. */
	@Test
	void leaderWhenNothingOfTheElectionRunsThenItsTimeIsOverByTheClock() {
		UnparkedClock frozen = new UnparkedClock();
		Process c = new Process("c", frozen);
		c.leads();
		c.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		this.clock.skip(LEASE);
		assertThat(c.election.isLeader()).isFalse();
		assertThat(c.election.fencingToken()).isEmpty();
	}

	@Test
	void leaderWhenItWaitsThenUntilAThirdOfItsLeaseIsLeft() {
		UnparkedClock unparked = new UnparkedClock();
		new Process("c", unparked).leads();
		Awaitility.await().until(() -> unparked.longest > 0);
		assertThat(Duration.ofNanos(unparked.longest)).isBetween(LEASE.dividedBy(2),
				LEASE.multipliedBy(2).dividedBy(3));
	}

	@Test
	void grantedWhenItHangsThenRevokedInTimeNevertheless() {
		Moments revoked = new Moments();
		CountDownLatch hanging = new CountDownLatch(1);
		this.a.election.onGranted((token) -> awaitUninterruptibly(hanging)).onRevoked((token) -> revoked.now());
		this.a.leads();
		this.b.stands();
		this.a.store.injectAll(Fault.LOSE_COMMAND);
		try (LogLines lines = LogLines.of(Candidacy.class.getName(), Level.WARN)) {
			advanceUntil(this.b.election::isLeader);
			awaitEvents("a granted", "a revoked", "b granted");
			assertThat(warnings(lines)).containsExactly("A granted callback of leader election '" + this.indexer
					+ "' does not return although it was interrupted");
		}
		assertThat(Duration.between(revoked.only(), this.clock.instant())).isGreaterThan(LEASE.dividedBy(10));
		this.a.store.heal();
		this.b.stop();
		this.clock.advance(A_WHILE);
		assertThat(this.a.election.state()).as("while it hangs").isEqualTo(State.REVOKING);
		hanging.countDown();
		advanceUntil(this.a.election::isLeader);
	}

	@Test
	void grantedWhenItDoesTheWorkThenInterruptedAndRevokedComesAfterIt() {
		CountDownLatch never = new CountDownLatch(1);
		this.a.election.onGranted((token) -> {
			try {
				never.await();
			}
			catch (InterruptedException ex) {
				Pause.of(Duration.ofMillis(50));
				this.events.add("a interrupted");
			}
		});
		this.a.leads();
		this.b.stands();
		this.a.election.handOver();
		this.b.awaitLeader();
		awaitEvents("a granted", "a interrupted", "a revoked", "b granted");
	}

	@Test
	void grantedWhenItFailsThenHandedOver() {
		this.a.election.onGranted((token) -> {
			throw new IllegalStateException("no disk");
		});
		this.a.stands();
		Awaitility.await().until(() -> this.events.contains("a revoked"));
		this.b.leads();
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.a.election.state()).isEqualTo(State.CANDIDATE);
		awaitEvents("a granted", "a revoked", "b granted");
	}

	@Test
	void grantedWhenTheLeaseEndedBeforeItThenNotCalled() {
		CountDownLatch over = new CountDownLatch(1);
		this.a.election.onGranted((token) -> {
			this.a.store.injectAll(Fault.LOSE_COMMAND);
			// The process stood still.
			this.clock.skip(LEASE);
			over.countDown();
		}).onGranted((token) -> this.events.add("too late"));
		this.a.stands();
		Awaitility.await().until(() -> this.events.contains("a revoked"));
		assertThat(over.getCount()).isZero();
		assertThat(this.events).doesNotContain("too late");
	}

	@Test
	void revokedWhenItTakesLongThenNobodyElseLeadsMeanwhile() {
		CountDownLatch hanging = new CountDownLatch(1);
		this.a.election.onRevoked((token) -> awaitUninterruptibly(hanging));
		this.a.leads();
		this.b.stands();
		this.a.election.handOver();
		Awaitility.await().until(() -> this.events.contains("a revoked"));
		this.clock.advance(A_WHILE);
		assertThat(this.a.election.state()).isEqualTo(State.REVOKING);
		assertThat(this.b.election.state()).isEqualTo(State.CANDIDATE);
		hanging.countDown();
		this.b.awaitLeader();
	}

	@Test
	void revokedWhenItFailsThenTheOthersAreCalledAndTheLockIsReleased() {
		this.a.election.onRevoked((token) -> {
			throw new NoClassDefFoundError("a class that is missing");
		}).onRevoked((token) -> this.events.add("a told"));
		this.a.leads();
		this.b.stands();
		this.a.election.handOver();
		this.b.awaitLeader();
		awaitEvents("a granted", "a revoked", "a told", "b granted");
	}

	@Test
	void callbackWhenItInterruptsItsThreadThenTheElectionGoesOn() {
		UnparkedClock unparked = new UnparkedClock();
		Process c = new Process("c", unparked);
		c.election.onGranted((token) -> Thread.currentThread().interrupt())
			.onRevoked((token) -> Thread.currentThread().interrupt());
		c.leads();
		c.election.handOver();
		Awaitility.await().until(() -> c.election.state() == State.CANDIDATE);
		int parks = unparked.parks.get();
		Pause.of(Duration.ofMillis(100));
		assertThat(unparked.parks.get()).as("turns while nothing happens").isLessThan(parks + 10);
	}

	@Test
	void handOverWhenNobodyElseStandsThenLeadsAgainWithAHigherToken() {
		this.a.leads();
		long first = this.a.election.fencingToken().getAsLong();
		this.a.election.handOver();
		assertThat(this.a.election.isLeader()).isFalse();
		Awaitility.await().until(() -> this.a.election.state() == State.CANDIDATE);
		assertThat(this.a.election.isLeader()).as("at once").isFalse();
		advanceUntil(this.a.election::isLeader);
		assertThat(this.a.election.fencingToken().getAsLong()).isGreaterThan(first);
		awaitEvents("a granted", "a revoked", "a granted");
	}

	@Test
	void handOverWhenItDoesNotLeadThenNothing() {
		this.a.leads();
		this.b.stands();
		this.b.election.handOver();
		this.clock.advance(A_WHILE);
		assertThat(this.a.election.isLeader()).isTrue();
		assertThat(this.b.election.state()).isEqualTo(State.CANDIDATE);
		awaitEvents("a granted");
	}

	@Test
	void candidateWhenTheStoreIsAwayForHoursThenStandsAgain() {
		this.a.store.injectAll(Fault.LOSE_COMMAND);
		this.a.stands();
		for (Fault fault : List.of(Fault.BREAK_BEFORE, Fault.REFUSE, Fault.THROW, Fault.ANSWER_NOTHING)) {
			this.clock.advance(Duration.ofSeconds(10));
			this.a.store.injectAll(fault);
		}
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.a.election.state()).isEqualTo(State.CANDIDATE);
		// One attempt a second, and its repetitions.
		assertThat(this.a.store.count()).isLessThan(1000);
		this.a.store.heal();
		advanceUntil(this.a.election::isLeader);
	}

	@Test
	void leaderWhenItsLockIsReleasedByForceThenRevokedAtOnce() {
		Process c = new Process("c", new UnparkedClock());
		c.leads();
		LockOperations.of(this.b.template).forceRelease("leader:" + this.indexer, "test");
		Awaitility.await().until(() -> c.store.revocations() > 0);
		this.clock.advance(Duration.ofSeconds(1));
		Awaitility.await().until(() -> this.events.contains("c revoked"));
		assertThat(c.election.isLeader()).isFalse();
	}

	/**
	 * Nobody else leads in time anyway, but what was begun is ended before it is undone.
	 */
	@Test
	void revokedWhenTheLockIsLostThenComesAfterTheGrantedOne() {
		CountDownLatch never = new CountDownLatch(1);
		Process c = new Process("c", new UnparkedClock());
		c.election.onGranted((token) -> {
			try {
				never.await();
			}
			catch (InterruptedException ex) {
				Pause.of(Duration.ofMillis(100));
				this.events.add("c interrupted");
			}
		});
		c.leads();
		try (LogLines lines = LogLines.of(Candidacy.class.getName(), Level.WARN)) {
			LockOperations.of(this.b.template).forceRelease("leader:" + this.indexer, "test");
			Awaitility.await().until(() -> c.store.revocations() > 0);
			this.clock.advance(Duration.ofMillis(500));
			awaitEvents("c granted", "c interrupted", "c revoked");
			assertThat(warnings(lines)).as("it returned soon after its interrupt").isEmpty();
		}
	}

	@Test
	void stopWhenStartFollowsThenItsStageCompletes() {
		this.a.leads();
		for (int round = 0; round < 3; round++) {
			CompletableFuture<?> stopped = this.a.election.stop().toCompletableFuture();
			this.a.election.start();
			Awaitility.await().until(stopped::isDone);
			advanceUntil(this.a.election::isLeader);
		}
	}

	@Test
	void stopWhenStartFollowsWhileItWaitsThenItsStageCompletes() {
		this.a.leads();
		this.b.stands();
		CompletableFuture<?> stopped = this.b.election.stop().toCompletableFuture();
		this.b.election.start();
		Awaitility.await().until(stopped::isDone);
		this.a.stop();
		advanceUntil(this.b.election::isLeader);
	}

	@Test
	void stopWhenAContinuationBlocksThenNothingElseDoes() {
		CountDownLatch attached = new CountDownLatch(1);
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch hanging = new CountDownLatch(1);
		this.a.election.onRevoked((token) -> awaitUninterruptibly(attached));
		this.a.leads();
		this.a.election.stop().thenRun(() -> {
			begun.countDown();
			awaitUninterruptibly(hanging);
		});
		attached.countDown();
		Awaitility.await().until(() -> begun.getCount() == 0);
		Future<?> started = runInThread(() -> {
			this.a.election.start();
			this.a.election.stop();
			this.a.election.start();
		});
		Awaitility.await().until(started::isDone);
		hanging.countDown();
		advanceUntil(this.a.election::isLeader);
	}

	/** The leadership ends between two looks of the thread that calls the callbacks. */
	@Test
	void revokedWhenTheLeadershipEndsAtOnceThenOnlyAfterTheGrantedOne() {
		for (int looks = 0; looks < 4; looks++) {
			List<String> told = toldAfter(looks);
			assertThat(told).as("%s looks", looks).isIn(List.of(), List.of("granted", "revoked"));
		}
	}

	private List<String> toldAfter(int looks) {
		Queue<String> told = new ConcurrentLinkedQueue<>();
		AtomicInteger looked = new AtomicInteger();
		LockTemplate ending = whoseLocks(this.a.template,
				() -> !Thread.currentThread().getName().endsWith("-granted") || looked.incrementAndGet() <= looks);
		LeaderElection election = new LeaderElection(ending, "after" + looks, this.clock)
			.onGranted((token) -> told.add("granted"))
			.onRevoked((token) -> told.add("revoked"));
		election.start();
		Awaitility.await().until(() -> looked.get() > 0);
		advanceUntilDone(election.stop().toCompletableFuture());
		return List.copyOf(told);
	}

	/** Returns a template whose locks are held as long as a condition says so too. */
	private static LockTemplate whoseLocks(LockTemplate template, BooleanSupplier areHeld) {
		return proxy(LockTemplate.class, template, "acquireAsync",
				(acquired) -> ((CompletionStage<?>) acquired).thenApply((lock) -> proxy(LockHandle.class,
						(LockHandle) lock, "isHeld", (held) -> areHeld.getAsBoolean() && (boolean) held)));
	}

	private static <T> T proxy(Class<T> type, T target, String method, UnaryOperator<Object> change) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (self, called, args) -> {
				Object result = called.invoke(target, args);
				return called.getName().equals(method) ? change.apply(result) : result;
			}));
	}

	@Test
	void stopWhenItWaitsThenLeavesTheQueue() {
		this.a.leads();
		this.b.stands();
		Process c = new Process("c", new UnparkedClock());
		c.stands();
		for (Process waiting : List.of(this.b, c)) {
			waiting.stop();
			assertThat(waiting.election.state()).isEqualTo(State.STOPPED);
			Awaitility.await().until(waiting.template::isIdle);
		}
		this.a.stop();
		this.clock.advance(A_WHILE);
		awaitEvents("a granted", "a revoked");
	}

	@Test
	void stopWhenGrantedRunsThenItIsInterruptedAndTheLockReleased() {
		CompletableFuture<Boolean> leader = new CompletableFuture<>();
		this.a.election.onGranted((token) -> {
			LockSupport.park();
			leader.complete(this.a.election.isLeader());
		});
		this.a.leads();
		this.a.stop();
		assertThat(leader).isCompletedWithValue(false);
		assertThat(this.a.template.isIdle()).isTrue();
		awaitEvents("a granted", "a revoked");
	}

	@Test
	void startWhenItIsStillStoppingThenGoesOn() {
		CountDownLatch hanging = new CountDownLatch(1);
		this.a.election.onRevoked((token) -> awaitUninterruptibly(hanging));
		this.a.leads();
		this.a.election.stop();
		Awaitility.await().until(() -> this.events.contains("a revoked"));
		assertThat(threadsLeftBy(() -> {
			this.a.election.start();
			this.a.election.start();
		})).as("threads beside the one that hangs").isZero();
		hanging.countDown();
		advanceUntil(this.a.election::isLeader);
		awaitEvents("a granted", "a revoked", "a granted");
		this.a.stop();
		this.a.leads();
		awaitEvents("a granted", "a revoked", "a granted", "a revoked", "a granted");
	}

	/** Threads belong to the group of the thread that starts them. */
	private static int threadsLeftBy(Runnable body) {
		ThreadGroup group = new ThreadGroup("of a body");
		Thread thread = new Thread(group, body);
		thread.start();
		Awaitility.await().until(() -> !thread.isAlive());
		return group.activeCount();
	}

	@Test
	void closeWhenACallbackRunsThenWaitsForIt() {
		this.a.election.onRevoked((token) -> {
			Pause.of(Duration.ofMillis(50));
			this.events.add("a closed");
		});
		this.a.leads();
		this.a.election.close();
		assertThat(this.events).containsExactly("a granted", "a revoked", "a closed");
		assertThat(this.a.election.state()).isEqualTo(State.STOPPED);
	}

	@Test
	void closeWhenACallbackCallsItThenDoesNotWaitForThatCallback() {
		CompletableFuture<Duration> took = new CompletableFuture<>();
		this.a.election.onRevoked((token) -> {
			long begun = System.nanoTime();
			this.a.election.close();
			took.complete(Duration.ofNanos(System.nanoTime() - begun));
		});
		this.a.leads();
		this.a.election.handOver();
		assertThat(took.join()).isLessThan(Duration.ofSeconds(8));
	}

	@Test
	@Tag("ci")
	void leadershipsWhenSomeFaultsComeAtRandomThenNeverOverlap() {
		faultsAtRandom(1, 20);
	}

	@ParameterizedTest
	@ValueSource(longs = { 2, 3 })
	@Tag("ci")
	void leadershipsWhenManyFaultsComeAtRandomThenNeverOverlap(long seed) {
		faultsAtRandom(seed, 50);
	}

	/**
	 * A leadership lasts from the beginning of the granted callback to the end of the
	 * revoked one.
	 */
	private void faultsAtRandom(long seed, int steps) {
		Random random = new Random(seed);
		new Process("c");
		Queue<String> overlaps = new ConcurrentLinkedQueue<>();
		AtomicReference<String> leader = new AtomicReference<>();
		AtomicLong highest = new AtomicLong();
		for (Process process : this.processes) {
			process.election.onGranted((token) -> {
				String other = leader.getAndSet(process.name);
				if (other != null || highest.getAndSet(token) >= token) {
					overlaps.add(process.name + " with " + token + " beside " + other + " after " + highest);
				}
			}).onRevoked((token) -> leader.compareAndSet(process.name, null));
			process.election.start();
		}
		for (int step = 0; step < steps; step++) {
			Process victim = this.processes.get(random.nextInt(this.processes.size()));
			switch (random.nextInt(6)) {
				case 0 -> victim.election.handOver();
				case 1 -> victim.election.stop();
				case 2 -> victim.store.injectAll(random.nextBoolean() ? Fault.LOSE_COMMAND : Fault.LOSE_ANSWER);
				case 3 -> victim.store.inject(Verb.RENEW, Fault.BREAK_BEFORE);
				default -> this.processes.forEach((process) -> process.store.heal());
			}
			this.clock.advance(Duration.ofMillis(random.nextInt((int) LEASE.toMillis())));
			assertThat(this.processes.stream().filter((process) -> process.election.isLeader()).count())
				.isLessThanOrEqualTo(1);
			victim.election.start();
		}
		assertThat(overlaps).isEmpty();
		assertThat(highest.get()).isPositive();
	}

	/** A grant that was pushed is short until it is confirmed. */
	@Test
	void leaderWhenItsFirstLeaseWasShortThenRevokedWithTheMarginOfTheWholeLease() {
		this.a.firstLease = LEASE.dividedBy(5);
		Moments revoked = new Moments();
		this.a.election.onRevoked((token) -> revoked.now());
		this.a.leads();
		this.b.stands();
		this.clock.advance(LEASE);
		assertThat(this.a.election.isLeader()).isTrue();
		this.a.store.injectAll(Fault.LOSE_COMMAND);
		advanceUntil(this.b.election::isLeader);
		assertThat(Duration.between(revoked.only(), this.clock.instant())).isGreaterThan(LEASE.dividedBy(4));
	}

	@Test
	void operatorsSeeTheLockAndWhoWaits() {
		this.a.leads();
		this.b.stands();
		assertThat(LockOperations.of(this.a.template).heldHere()).singleElement()
			.returns("leader:" + this.indexer, HeldLock::key)
			.returns("LeaderElection", HeldLock::caller);
		assertThat(LockOperations.of(this.b.template).waitingHere()).hasSize(1);
	}

	@Test
	void nameWhenBlankThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> LeaderElection.of(this.a.template, " "));
	}

	@Test
	void nameWhenItHasLineBreaksThenEscaped() {
		assertThat(LeaderElection.of(this.a.template, "a\nb")).asString()
			.isEqualTo("LeaderElection[name=a\\nb, state=STOPPED]");
	}

	private void advanceUntil(BooleanSupplier condition) {
		for (int i = 0; i < 120 && !condition.getAsBoolean(); i++) {
			this.clock.advance(Duration.ofMillis(500));
			// Callbacks and answers come on threads that do not use the clock.
			Pause.atMost(Duration.ofMillis(5), condition);
		}
		assertThat(Pause.atMost(LIMIT, condition)).isTrue();
	}

	private void awaitEvents(String... expected) {
		Awaitility.await().until(() -> this.events.size() >= expected.length);
		assertThat(this.events).containsExactly(expected);
	}

	private List<String> warnings(LogLines lines) {
		return lines.messages(Level.WARN).stream().filter((line) -> line.contains(this.indexer)).toList();
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				// It hangs, whatever happens.
			}
		}
	}

	/** A process with its own connection to the store. */
	private final class Process {

		private final FaultyLockStore store = new FaultyLockStore(
				new DelegatingLockStore(new InMemoryLockStore(LeaderElectionTests.this.server)) {
					@Override
					public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
						return super.acquire(command, caller).thenApply(Process.this::shortened);
					}
				});

		private final CloseableLockTemplate template = LockTemplateBuilder.forStore(this.store)
			.settings(LockSettings.builder().leaseTime(LEASE).commandTimeout(Duration.ofSeconds(1)).build())
			.clock(LeaderElectionTests.this.clock)
			.build();

		private final LeaderElection election;

		private final String name;

		private volatile @Nullable Duration firstLease;

		Process(String name) {
			this(name, LeaderElectionTests.this.clock);
		}

		Process(String name, LockClock clock) {
			this.name = name;
			this.election = new LeaderElection(this.template, LeaderElectionTests.this.indexer, clock);
			this.election.onGranted((token) -> LeaderElectionTests.this.events.add(name + " granted"))
				.onRevoked((token) -> LeaderElectionTests.this.events
					.add(name + (this.election.isLeader() ? " revoked while it leads" : " revoked")));
			LeaderElectionTests.this.processes.add(this);
		}

		private AcquireResult shortened(AcquireResult result) {
			Duration lease = this.firstLease;
			if (lease == null || !(result instanceof AcquireResult.Granted granted)) {
				return result;
			}
			Grant grant = granted.grant();
			return new AcquireResult.Granted(new Grant(grant.fencingToken(), grant.tokens(),
					grant.storeTime() + lease.toMillis(), grant.storeTime()), granted.waiters());
		}

		void leads() {
			long before = granted();
			this.election.start();
			awaitLeader();
			Awaitility.await().until(() -> granted() > before);
		}

		private long granted() {
			return LeaderElectionTests.this.events.stream().filter((this.name + " granted")::equals).count();
		}

		void stands() {
			this.election.start();
			Awaitility.await()
				.until(() -> this.store.count(Verb.ACQUIRE) > 0 && this.election.state() != State.STOPPED);
		}

		void awaitLeader() {
			Awaitility.await().until(this.election::isLeader);
		}

		void stop() {
			advanceUntilDone(this.election.stop().toCompletableFuture());
		}

	}

	/** Moments of the virtual clock. */
	private final class Moments {

		private final Queue<Instant> all = new ConcurrentLinkedQueue<>();

		void now() {
			this.all.add(LeaderElectionTests.this.clock.instant());
		}

		Instant only() {
			assertThat(this.all).hasSize(1);
			return this.all.element();
		}

	}

	/** A clock on which threads wake only if they are unparked or interrupted. */
	private final class UnparkedClock implements LockClock {

		private final AtomicInteger parks = new AtomicInteger();

		private volatile long longest;

		@Override
		public long nanoTime() {
			return LeaderElectionTests.this.clock.nanoTime();
		}

		@Override
		public Instant instant() {
			return LeaderElectionTests.this.clock.instant();
		}

		@Override
		public void park(long nanos) {
			this.parks.incrementAndGet();
			this.longest = (nanos < A_WHILE.toNanos()) ? Math.max(this.longest, nanos) : this.longest;
			LockSupport.park(this);
		}

	}

}
