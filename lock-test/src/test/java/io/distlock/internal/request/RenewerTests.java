package io.distlock.internal.request;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.LockSettings;
import io.distlock.LossReason;
import io.distlock.internal.ModelClock;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.waiting.AsyncWaiter;
import io.distlock.internal.waiting.Extension;
import io.distlock.internal.waiting.Waiter;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreSession;
import io.distlock.spi.TransientStoreException;
import io.distlock.stores.LockTemplates;
import io.distlock.test.VirtualClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What renewals and their answers do to holds. */
class RenewerTests {

	private static final LeaseTerm RENEWED = new LeaseTerm(Duration.ofSeconds(30), true);

	private static final long STORE_TIME = 1_000_000;

	private final ModelClock clock = new ModelClock();

	private final Recorded store = new Recorded();

	private final EngineContext engine = new EngineContext(this.store, LockSettings.DEFAULTS, this.clock, "one",
			LockTemplates.DEFAULT, LockObserver.NONE, Runnable::run, () -> 0.5);

	private final LockEntry entry = new LockEntry("stock", 0, this.engine, (dropped) -> {
	}, null, () -> null);

	private static AcquireOptions options(LeaseTerm term) {
		return new AcquireOptions(term, Sharing.EXCLUSIVE, TimeUnit.MINUTES.toNanos(10), "",
				LockSettings.DEFAULTS.options());
	}

	private AsyncWaiter waiter(LeaseTerm term) {
		return new AsyncWaiter(options(term), this.clock.nanoTime(), (ended, outcome) -> {
		});
	}

	private AsyncWaiter join(LeaseTerm term) {
		AsyncWaiter waiter = waiter(term);
		this.entry.join(waiter);
		return waiter;
	}

	private static Hold held(Waiter waiter) {
		assertThat(waiter.outcome()).isInstanceOf(Hold.class);
		return (Hold) waiter.outcome();
	}

	private void pass(Duration time) {
		this.clock.moveTo(this.clock.nanoTime() + time.toNanos());
		this.entry.tick();
	}

	private void release(Hold hold) {
		this.entry.release(new Release(hold, false, Release.Mode.SENT, this.engine, new CompletableFuture<>()));
	}

	private RequestId lastRequest() {
		return this.store.requests.get(this.store.requests.size() - 1);
	}

	/** A claim may be longer than that, and was requested for a waiter that has gone. */
	@Test
	void pushedWhenAWaiterWithAShortLeaseGetsItThenNoLongerThanThatLease() {
		long now = this.clock.nanoTime();
		AcquireRequest request = new AcquireRequest(new RequestId("one", 1), waiter(RENEWED), true, 1,
				new Backoff(() -> 0.5));
		Acquirer.Verdict.Won pushed = new Acquirer.Verdict.Won(request, new Grant(7, 64, STORE_TIME + 1500, STORE_TIME),
				now + TimeUnit.MILLISECONDS.toNanos(1500), false, false);
		LeaseTerm brief = new LeaseTerm(Duration.ofMillis(500), false);
		StoreLease lease = pushed.lease(waiter(brief), this.engine);
		assertThat(lease.deadline()).isEqualTo(LocalDeadline.after(now, 500));
	}

	@Test
	void answeredWhenItIsAboutAnEarlierLeaseThenTheNextOneStays() {
		this.store.acquired = new AcquireResult.Granted(new Grant(7, 64, STORE_TIME + 30_000, STORE_TIME), 0);
		Waiter first = join(RENEWED);
		pass(Duration.ofSeconds(10));
		assertThat(this.store.renewals).hasSize(1);
		Waiter second = join(new LeaseTerm(Duration.ofSeconds(30), false));
		release(held(first));
		Hold hold = held(second);
		assertThat(hold.request()).as("another lease").isNotEqualTo(held(first).request());
		this.store.answers.get(0).complete(new RenewResult.Gone(false));
		assertThat(hold.isHeld()).isTrue();
	}

	/**
	 * The store grants a claim that is longer than the lease of the waiter that gets it,
	 * because the waiter for which the request was made has gone. The renewal that
	 * confirms the claim shortens it.
	 */
	@Test
	void sentWhenItShortensAClaimThenNoLongerBelievedInThanThat() {
		this.store.acquired = new AcquireResult.Queued(STORE_TIME, Duration.ofSeconds(1), null);
		Waiter first = join(RENEWED);
		Waiter second = join(new LeaseTerm(Duration.ofSeconds(2), false));
		this.entry.cancel(first);
		this.entry.pushed(lastRequest(), new Grant(7, 64, STORE_TIME + 20_000, STORE_TIME));
		long sentAt = this.clock.nanoTime();
		this.entry.tick();
		assertThat(this.store.renewals).singleElement().returns(Duration.ofSeconds(2), RenewCommand::lease);
		assertThat(held(second).deadline()).isEqualTo(LocalDeadline.after(sentAt, 2000));
		this.store.answers.get(0).complete(new RenewResult.Renewed(new Grant(7, 64, STORE_TIME + 2000, STORE_TIME), 0));
		assertThat(held(second).deadline()).isEqualTo(LocalDeadline.after(sentAt, 2000));
	}

	/** A majority of stores is sure of less. */
	@Test
	void grantedWhenForLessThanTheLeaseThenRenewedAtAThirdOfThat() {
		this.store.acquired = granted(6000);
		Hold hold = held(join(RENEWED));
		pass(Duration.ofSeconds(2));
		assertThat(this.store.renewals).singleElement().returns(RENEWED.duration(), RenewCommand::lease);
		answer(6000);
		assertThat(hold.remaining()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(5900));
	}

	@Test
	void grantedOnASessionThenAFixedLeaseIsHeldUntilItsEndWithoutARenewal() {
		this.store.acquired = granted(20_000, () -> in(Duration.ofSeconds(6)));
		Hold hold = held(join(fixed(Duration.ofSeconds(20))));
		long end = LocalDeadline.after(this.clock.nanoTime(), 20_000);
		assertThat(hold.remaining()).isEqualTo(TimeUnit.SECONDS.toNanos(6));
		while (this.clock.nanoTime() < end - TimeUnit.MILLISECONDS.toNanos(500)) {
			assertThat(hold.isHeld()).isTrue();
			pass(Duration.ofMillis(500));
		}
		pass(Duration.ofMillis(500));
		assertThat(hold.isHeld()).isFalse();
		assertThat(this.store.renewals).isEmpty();
	}

	@Test
	void extendedWithinALeaseOnAShortSessionThenNothingIsAskedFor() {
		this.store.acquired = granted(20_000, () -> in(Duration.ofSeconds(6)));
		Hold hold = held(join(fixed(Duration.ofSeconds(20))));
		Extension extension = new Extension(hold, Duration.ofSeconds(15), null, this.engine);
		this.entry.tell((holds) -> holds.extend(extension));
		assertThat(this.store.renewals).isEmpty();
		assertThat(extension.done()).isCompleted();
	}

	/** It needs no confirmation only to be believed in. */
	@Test
	void grantedOnAShortSessionThenRenewedAtAThirdOfTheLease() {
		this.store.acquired = granted(30_000, () -> in(Duration.ofSeconds(2)));
		Hold hold = held(join(RENEWED));
		for (int i = 0; i < 9; i++) {
			pass(Duration.ofSeconds(1));
			assertThat(this.store.renewals).isEmpty();
		}
		pass(Duration.ofSeconds(1));
		assertThat(this.store.renewals).hasSize(1);
		assertThat(hold.isHeld()).isTrue();
	}

	@Test
	void grantedOnASessionWhenThatMayBeOverThenLostForGood() {
		AtomicLong proved = new AtomicLong(in(Duration.ofSeconds(6)));
		this.store.acquired = granted(30_000, proved::get);
		Hold hold = held(join(fixed(Duration.ofSeconds(30))));
		pass(Duration.ofMillis(5900));
		assertThat(hold.isHeld()).isTrue();
		pass(Duration.ofMillis(100));
		assertThat(hold.isHeld()).isFalse();
		proved.addAndGet(TimeUnit.SECONDS.toNanos(6));
		assertThat(hold.isHeld()).isFalse();
		assertThat(hold.lostException().loss().reason()).isEqualTo(LossReason.EXPIRED);
	}

	/** The machine slept, and its monotonic clock, by which sessions are counted, too. */
	@Test
	void deadlineWhenTheClockHasSkippedSomeTimeThenThatHasPassedForTheSession() {
		VirtualClock machine = new VirtualClock();
		EngineContext context = context(machine);
		long begun = context.now();
		StoreLease lease = new StoreLease(new RequestId("one", 1),
				new Grant(7, 64, 300_000, 0, () -> machine.nanoTime() + TimeUnit.SECONDS.toNanos(20)),
				fixed(Duration.ofMinutes(5)), begun, begun + TimeUnit.MINUTES.toNanos(5), 0, context.clock(),
				context.backoff());
		sleep(machine, context, Duration.ofSeconds(15));
		assertThat(lease.deadline() - context.now()).isEqualTo(TimeUnit.SECONDS.toNanos(5));
		lease.suspect();
		assertThat(lease.renewals().due(context.now())).isTrue();
		lease.confirmed(context.now(), context.clock().skipped(),
				new RenewResult.Renewed(new Grant(7, 64, 285_000, 0), 0));
		assertThat(lease.deadline() - context.now()).isEqualTo(TimeUnit.SECONDS.toNanos(20));
		sleep(machine, context, Duration.ofSeconds(25));
		assertThat(lease.deadline() - context.now()).isEqualTo(TimeUnit.SECONDS.toNanos(-5));
		assertThat(lease.whyExpired(lease.deadline(), context.now())).isEqualTo(LossReason.SUSPENDED);
	}

	/** The process stopped between the answer and the waiter that is to get the lock. */
	@Test
	void grantedWhenTheSessionMayBeOverThenNobodyGetsIt() {
		this.store.acquired = new AcquireResult.Queued(STORE_TIME, Duration.ofSeconds(1), null);
		Waiter waiter = join(RENEWED);
		this.entry.pushed(lastRequest(),
				new Grant(7, 64, STORE_TIME + 30_000, STORE_TIME, () -> in(Duration.ofMillis(-1))));
		assertThat(waiter.outcome()).isNull();
		this.store.acquired = granted(30_000, () -> in(Duration.ofSeconds(6)));
		pass(Duration.ofSeconds(1));
		assertThat(held(waiter).isHeld()).isTrue();
	}

	/**
	 * The answer was on its way while the machine slept, and the session was not kept.
	 */
	@Test
	void grantedWhenTheClockHasSkippedTimeSinceTheRequestThenThatHasPassedForTheSession() {
		VirtualClock machine = new VirtualClock();
		EngineContext context = context(machine);
		LockEntry slept = entry(context);
		this.store.acquisition = new CompletableFuture<>();
		long until = machine.nanoTime() + TimeUnit.SECONDS.toNanos(10);
		Waiter waiter = new AsyncWaiter(options(RENEWED), context.now(), (ended, outcome) -> {
		});
		slept.join(waiter);
		CompletableFuture<AcquireResult> answer = this.store.acquisition;
		this.store.acquisition = new CompletableFuture<>();
		sleep(machine, context, Duration.ofSeconds(20));
		answer.complete(granted(30_000, () -> until));
		assertThat(waiter.outcome()).isNull();
	}

	@Test
	void renewedWhenTheClockHasSkippedTimeSinceTheRenewalThenThatHasPassedForTheSession() {
		VirtualClock machine = new VirtualClock();
		EngineContext context = context(machine);
		LockEntry slept = entry(context);
		long until = machine.nanoTime() + TimeUnit.SECONDS.toNanos(10);
		this.store.acquired = granted(300_000, () -> until);
		Waiter waiter = new AsyncWaiter(options(new LeaseTerm(Duration.ofMinutes(5), true)), context.now(),
				(ended, outcome) -> {
				});
		slept.join(waiter);
		slept.suspect();
		slept.tick();
		sleep(machine, context, Duration.ofSeconds(6));
		answer(300_000);
		assertThat(held(waiter).remaining()).isEqualTo(TimeUnit.SECONDS.toNanos(4));
	}

	/** The store was away for a while, and the lock ends by itself after its lease. */
	@Test
	void confirmedLateWhenTheLeaseIsFixedThenItEndsWhenItWouldHave() {
		this.store.acquired = granted(30_000);
		Hold hold = held(join(fixed(Duration.ofSeconds(30))));
		long end = hold.deadline();
		pass(Duration.ofSeconds(1));
		this.entry.failedOver();
		this.entry.tick();
		while (this.clock.nanoTime() < TimeUnit.SECONDS.toNanos(20)) {
			this.store.answers.get(this.store.answers.size() - 1)
				.completeExceptionally(new TransientStoreException("stock", "away", null));
			pass(Duration.ofMillis(500));
		}
		RenewCommand last = this.store.renewals.get(this.store.renewals.size() - 1);
		assertThat(last.lease()).isLessThanOrEqualTo(Duration.ofSeconds(11));
		answer(last.lease().toMillis());
		assertThat(hold.deadline()).isEqualTo(end);
	}

	/** It was not noticed yet that the readers have lost the lock. */
	@Test
	void joinedWhenTheSessionOfTheReadersMayBeOverThenNoReaderJoins() {
		this.store.acquired = granted(30_000, () -> TimeUnit.SECONDS.toNanos(6));
		AsyncWaiter first = reader();
		this.entry.join(first);
		pass(Duration.ofMillis(5900));
		AsyncWaiter second = reader();
		this.entry.join(second);
		assertThat(second.outcome()).isNull();
		this.clock.moveTo(TimeUnit.SECONDS.toNanos(7));
		this.store.acquisition = new CompletableFuture<>();
		assertThat(held(first).isHeld()).isFalse();
		this.entry.contended();
		assertThat(second.outcome()).isNull();
	}

	private AsyncWaiter reader() {
		return new AsyncWaiter(new AcquireOptions(RENEWED, Sharing.SHARED, TimeUnit.MINUTES.toNanos(10), "",
				LockSettings.DEFAULTS.options()), this.clock.nanoTime(), (ended, outcome) -> {
				});
	}

	private EngineContext context(VirtualClock machine) {
		return new EngineContext(this.store, LockSettings.DEFAULTS, machine, "one", LockTemplates.DEFAULT,
				LockObserver.NONE, Runnable::run, () -> 0.5);
	}

	private static LockEntry entry(EngineContext context) {
		return new LockEntry("stock", 0, context, (dropped) -> {
		}, null, () -> null);
	}

	private long in(Duration time) {
		return this.clock.nanoTime() + time.toNanos();
	}

	private static void sleep(VirtualClock machine, EngineContext context, Duration time) {
		machine.stepWallClock(time);
		context.watch().check();
	}

	private static AcquireResult granted(long millis) {
		return granted(millis, StoreSession.NONE);
	}

	private static AcquireResult granted(long millis, StoreSession session) {
		return new AcquireResult.Granted(new Grant(7, 64, STORE_TIME + millis, STORE_TIME, session), 0);
	}

	private static LeaseTerm fixed(Duration duration) {
		return new LeaseTerm(duration, false);
	}

	private void answer(long millis) {
		this.store.answers.get(this.store.answers.size() - 1)
			.complete(new RenewResult.Renewed(new Grant(7, 64, STORE_TIME + millis, STORE_TIME), 0));
	}

	/** Answers acquisitions as the test says, and nothing else by itself. */
	private static final class Recorded extends DelegatingLockStore {

		private final List<RequestId> requests = new ArrayList<>();

		private final List<RenewCommand> renewals = new ArrayList<>();

		private final List<CompletableFuture<RenewResult>> answers = new ArrayList<>();

		private AcquireResult acquired = new AcquireResult.Ended();

		private @Nullable CompletableFuture<AcquireResult> acquisition;

		Recorded() {
			super(new InMemoryLockStore());
		}

		@Override
		public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
			this.requests.add(command.request());
			return (this.acquisition != null) ? this.acquisition : CompletableFuture.completedFuture(this.acquired);
		}

		@Override
		public CompletionStage<RenewResult> renew(RenewCommand command) {
			CompletableFuture<RenewResult> answer = new CompletableFuture<>();
			this.renewals.add(command);
			this.answers.add(answer);
			return answer;
		}

		@Override
		public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor,
				CallingThread caller) {
			return new CompletableFuture<>();
		}

	}

}
