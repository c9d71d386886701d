package io.distlock.internal.key;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.distlock.Holder;
import io.distlock.LockLostException;
import io.distlock.LockStoreException;
import io.distlock.LossReason;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.time.StoreClock;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mediator of one key: the only class that moves the key from one state to the next.
 * It knows the waiters of this process, the one request or lease in the store, and what
 * is still to be ended there. Waiters queue here in arrival order, and only the process
 * competes in the store.
 * <p>
 * Events (a caller, an answer, a message, the housekeeper) are handled under the monitor
 * and never block there. Commands are sent under the monitor, so that they arrive in the
 * order of the states. The entry is dropped when nothing is left.
 * <p>
 * Invariant: while a waiter is queued there is a request or a lease. There are both only
 * while readers hold the lock and a writer is next: its request makes the store keep out
 * readers of other processes.
 */
public final class LockEntry extends Monitor implements Scheduled, Waiter.QueueOwner {

	private static final Logger logger = LoggerFactory.getLogger(LockEntry.class);

	private final String key;

	private final EngineContext engine;

	private final Consumer<LockEntry> dropped;

	private final @Nullable Consumer<SlotNews> slotListener;

	private final WaitQueue queue = new WaitQueue(this);

	private final LocalHolds holds = new LocalHolds();

	private final Finisher finisher;

	private final Acquirer acquirer;

	private final StoreClock storeClock;

	private boolean vacancyReported;

	private boolean retired;

	private volatile long due;

	/**
	 * Creates the entry of a lock.
	 * @param key the key
	 * @param engine what all keys share
	 * @param dropped called under the monitor when nothing is left
	 */
	public LockEntry(String key, EngineContext engine, Consumer<LockEntry> dropped) {
		this(key, 0, engine, dropped, null);
	}

	/**
	 * Creates the entry of a permit.
	 * @param key the key of the semaphore
	 * @param slot which permit, from 1; 0 for a lock
	 * @param engine what all keys share
	 * @param dropped called under the monitor when nothing is left
	 * @param slotListener notified, outside the monitor, of what other waiters may wait
	 * for
	 */
	public LockEntry(String key, int slot, EngineContext engine, Consumer<LockEntry> dropped,
			@Nullable Consumer<SlotNews> slotListener) {
		this.key = key;
		this.engine = engine;
		this.dropped = dropped;
		this.slotListener = slotListener;
		this.finisher = new Finisher(key, engine, this);
		this.storeClock = new StoreClock(engine.watch());
		this.acquirer = new Acquirer(key, slot, engine, this.storeClock, this, this::on);
		this.due = engine.never();
	}

	/** Returns the key. */
	public String key() {
		return this.key;
	}

	// What callers want

	/**
	 * Queues a waiter, or lets it enter the hold that its thread has.
	 * @param waiter the waiter
	 * @return {@code false} if this entry was dropped and another one is to be used
	 */
	public boolean join(Waiter waiter) {
		return call(() -> {
			// mutant: dropped-join
			if (this.retired) {
				return false;
			}
			this.vacancyReported = false;
			long now = this.engine.now();
			loseExpired(now);
			Hold own = waiter.nests() ? this.holds.liveOf(waiter.thread()) : null;
			if (own != null) {
				reenter(own, waiter, now);
			}
			else if (this.queue.length() >= waiter.maxWaiters()) {
				waiter.end(new Waiter.Outcome.TooManyWaiters(knownHolder()), this);
			}
			else {
				// mutant: enqueue
				enqueue(waiter);
				contend();
				admitReaders();
				reserveTokens();
				if (!waiter.patient()) {
					timeIsOver(waiter);
				}
			}
			return true;
		});
	}

	@Override
	public void overdue(Waiter waiter) {
		run(() -> timeIsOver(waiter));
	}

	@Override
	public boolean cancel(Waiter waiter) {
		return call(() -> {
			// mutant: cancel-ended
			if (waiter.ended()) {
				return false;
			}
			this.queue.remove(waiter);
			this.holds.all().forEach((hold) -> hold.reentry(hold.reentry().without(waiter)));
			waiter.end(new Waiter.Outcome.Cancelled(), this);
			withdrawIfUnwanted();
			return true;
		});
	}

	/**
	 * Releases one acquisition. The hold may have been lost; a renewal without an answer
	 * may have extended it in the store, so it is ended there too.
	 * @param release what to release
	 * @return {@code false} if this entry was dropped and another one is to be used
	 */
	public boolean release(Release release) {
		return call(() -> {
			if (this.retired) {
				return false;
			}
			Hold hold = release.hold();
			long now = this.engine.now();
			loseIfExpired(hold, now);
			LocalHolds.Left left = this.holds.leave(hold, release.shared());
			if (left == LocalHolds.Left.ENTERED && this.holds.onlyReads(hold) && !this.engine.stopped()) {
				renew(this.holds.open(hold, this.engine.never(), now));
			}
			if (left != LocalHolds.Left.ENTERED) {
				// Threads about to nest, whose hold another thread closed, need a new
				// one.
				hold.takeReentering().forEach(this::rejoin);
			}
			if (hold.state() == Hold.State.LOST) {
				release.begun(Release.Progress.LOST);
			}
			if (left == LocalHolds.Left.LOSS && !endedAtLoss(hold)) {
				this.finisher.beginUnlessPending(hold.request(), hold.renewer().longest());
			}
			if (left == LocalHolds.Left.LEASE && !keep(hold, now) && !handOff(hold, now)) {
				release.begun(Release.Progress.SENT);
				this.holds.end(hold);
				this.finisher.begin(hold.request(), hold.renewer().longest(), release);
				// Of a writer behind these readers, in case the message is lost.
				this.acquirer.hurry();
			}
			contend();
			return true;
		});
	}

	/**
	 * Extends the lease of a hold, if it would end too soon. The extension ends with the
	 * answer of the store, or with the hold.
	 * @param extension what to extend
	 */
	public void extend(Extension extension) {
		run(() -> {
			Hold hold = extension.hold();
			long now = this.engine.now();
			loseIfExpired(hold, now);
			Hold stored = this.holds.stored();
			if (stored == null || !this.holds.isOfCurrentLease(hold) || hold.state() != Hold.State.HELD) {
				extension.fail((hold.state() == Hold.State.LOST) ? hold.lostException()
						: this.engine.messages().released(this.key), this);
			}
			else if (this.engine.stopped()) {
				extension.fail(this.engine.messages().notExtended(this.key), this);
			}
			else if (stored.renewer().extend(extension.term(), stored.remaining(), now)) {
				hold.reentry(hold.reentry().with(extension, now));
				renew(stored);
			}
			else {
				enter(hold, extension);
			}
		});
	}

	/** Returns how often a thread holds the lock: zero once it is lost. */
	public int holdCount(Thread thread) {
		return call(() -> {
			loseExpired(this.engine.now());
			Hold hold = this.holds.liveOf(thread);
			return (hold != null) ? hold.handles() : 0;
		});
	}

	/** Returns the hold of a thread. */
	public Optional<Hold> holdOf(Thread thread, boolean shared) {
		return call(() -> Optional.ofNullable(this.holds.ownedBy(thread, shared)));
	}

	/**
	 * Adds an acquisition to a hold, unless it is over.
	 * @param hold the hold
	 * @param shared whether the acquisition is a shared one
	 * @return whether it was added
	 */
	public boolean enter(Hold hold, boolean shared) {
		return call(() -> {
			loseIfExpired(hold, this.engine.now());
			boolean held = this.holds.isOfCurrentLease(hold) && hold.state() == Hold.State.HELD;
			boolean entered = held && (shared || !hold.shared());
			if (entered) {
				hold.enter(shared);
			}
			return entered;
		});
	}

	/**
	 * Registers what to call when a hold is lost; at once if it is.
	 * @param hold the hold
	 * @param callback the callback
	 */
	public void onLost(Hold hold, Runnable callback) {
		run(() -> {
			loseIfExpired(hold, this.engine.now());
			if (!hold.onLost(callback)) {
				afterwards(() -> this.engine.callBack(callback));
			}
		});
	}

	/**
	 * Forgets callbacks of a hold.
	 * @param hold the hold
	 * @param which selects the callbacks
	 */
	public void forgetCallbacks(Hold hold, Predicate<Runnable> which) {
		run(() -> hold.forgetCallbacks(which));
	}

	/**
	 * Returns whether a hold is still held. If its deadline has passed it is lost from
	 * here on.
	 */
	public boolean confirmHeld(Hold hold) {
		return call(() -> {
			loseIfExpired(hold, this.engine.now());
			return this.holds.isOfCurrentLease(hold) && hold.state() == Hold.State.HELD;
		});
	}

	/** Refuses all waiters, because the engine shuts down. */
	public void refuseWaiters() {
		run(() -> {
			this.queue.failAll(this.engine.messages().shuttingDown(this.key));
			withdrawIfUnwanted();
		});
	}

	/** Gives up what is still to be ended in the store, because the store is stopped. */
	public void abandon() {
		run(() -> {
			this.finisher.abandonAll();
			this.holds.all().forEach((hold) -> hold.takeReentering().forEach(this::refuse));
		});
	}

	/** Returns whether the lock has an owner in this process. */
	public boolean held() {
		return call(this.holds::isOwned);
	}

	/** Returns whether the lock has neither waiters nor an owner in this process. */
	public boolean vacant() {
		return call(this::isVacant);
	}

	/** Whether the store owes an answer that decides whether the lock is free. */
	boolean answerOwed() {
		return call(this.acquirer::answerOwed);
	}

	/** The holder of the lock, as far as known here. */
	@Nullable Holder holder() {
		return call(this::knownHolder);
	}

	/** Returns whether a command must still reach the store before it is stopped. */
	public boolean unsettled() {
		return call(() -> {
			MinimumHold minimum = this.holds.minimum();
			return !this.finisher.isEmpty() || (minimum != null && minimum.unconfirmed());
		});
	}

	// What the store reports unasked, and the housekeeper

	/**
	 * A request was granted. Only the current one counts: whatever became of an earlier
	 * one, its end is sent until the store confirms it, without this message.
	 * @param request the request
	 * @param grant the hold
	 */
	public void pushed(RequestId request, Grant grant) {
		run(() -> {
			if (this.acquirer.isCurrent(request)) {
				loseExpired(this.engine.now());
			}
			Hold hold = this.holds.stored();
			if (this.acquirer.isCurrent(request) && hold != null) {
				// Readers here hold the lock: only an answer of the store can mean that
				// it has forgotten them.
				this.acquirer.hurry();
			}
			else if (this.acquirer.isCurrent(request)) {
				this.acquirer.pushed(grant);
			}
		});
	}

	/** Another process began to wait for the lock. */
	public void contended() {
		run(() -> {
			// While readers here hold the lock, a waiter is behind them, and so is the
			// request of a writer, or is that waiter itself.
			boolean concernsRequest = this.holds.isFree();
			this.holds.contended(this.engine.now());
			if (concernsRequest) {
				this.acquirer.contended();
			}
		});
	}

	/** Pushed grants may have been missed. */
	public void reconnected() {
		run(this.acquirer::hurry);
	}

	/**
	 * Another server goes on, which may not know the lease: it is confirmed now, also a
	 * fixed one.
	 */
	public void failedOver() {
		run(() -> {
			long now = this.engine.now();
			loseExpired(now);
			this.acquirer.hurry();
			Hold hold = this.holds.stored();
			if (hold != null && hold.state() != Hold.State.KEPT) {
				hold.renewer().confirm(hold.remaining(), now);
			}
		});
	}

	/** A clock jumped: what is left of the lease is not certain until it is renewed. */
	public void suspect() {
		run(() -> {
			long now = this.engine.now();
			loseExpired(now);
			Hold hold = this.holds.stored();
			if (hold != null && hold.renewer().term().renewed() && hold.renewer().scheduled()) {
				hold.renewer().hurry(now);
			}
		});
	}

	@Override
	public void tick() {
		run(() -> {
			long now = this.engine.now();
			loseExpired(now);
			// mutant: minimum-tick
			endMinimum(now);
			this.queue.alarmed(now).forEach(this::timeIsOver);
			this.acquirer.tick(now);
			tickHolds(now);
			this.finisher.tick(now);
		});
	}

	@Override
	public long due() {
		return this.due;
	}

	// The queue

	private void enqueue(Waiter waiter) {
		if (this.engine.accepting()) {
			this.queue.add(waiter);
		}
		else {
			refuse(waiter);
		}
	}

	/** The hold that it was about to enter is over. */
	private void rejoin(Waiter nested) {
		// mutant: extend-rejoins
		if (nested.entersHold()) {
			enqueue(nested);
		}
		else {
			nested.fail(this.engine.messages().released(this.key), this);
		}
	}

	private void refuse(Waiter waiter) {
		waiter.fail(waiter.entersHold() ? this.engine.messages().shuttingDown(this.key)
				: this.engine.messages().notExtended(this.key), this);
	}

	private void refuseOverdue(@Nullable Holder holder) {
		this.queue.refuseOverdue(this.engine.now(), holder);
	}

	private void failOverdue(RuntimeException cause) {
		this.queue.failOverdue(this.engine.now(), cause);
	}

	/**
	 * Waiters whose time is over get no second attempt, and the store did not say busy.
	 */
	private void failOverdueUnanswered() {
		LockStoreException unanswered = this.engine.messages().unanswered(this.key, null);
		failOverdue(unanswered);
		report(new SlotNews.Answered(unanswered));
	}

	/** The waiter waits no longer, except for an answer that the store owes. */
	private void timeIsOver(Waiter waiter) {
		waiter.markOverdue();
		// mutant: time-is-over
		boolean decided = this.holds.isFree() ? !this.acquirer.answerOwed() : !this.holds.answerOwed();
		if (decided && this.queue.remove(waiter)) {
			waiter.end(new Waiter.Outcome.Busy(knownHolder()), this);
			withdrawIfUnwanted();
		}
	}

	/** Readers at the head of the queue join the readers that hold the lock. */
	private void admitReaders() {
		Waiter first = this.queue.first();
		// mutant: reader-first
		while (first != null && first.shared() && admit(first)) {
			this.queue.remove(first);
			first = this.queue.first();
		}
	}

	private boolean admit(Waiter next) {
		ReaderGroup readers = this.holds.readers();
		Hold stored = this.holds.stored();
		long now = this.engine.now();
		if (readers == null || stored == null) {
			return false;
		}
		if (readers.mayJoin(next, now)) {
			stored.lease().handedOff();
			next.grant(readers.admit(next, now), this);
			return true;
		}
		if (!this.engine.stopped() && readers.ask(next, now)) {
			renew(stored);
		}
		return false;
	}

	/** The next reader in the queue waited for an answer, and it is there. */
	private void probed() {
		admitReaders();
		if (!this.holds.answerOwed() && !this.queue.isEmpty()) {
			refuseOverdue(knownHolder());
		}
	}

	// The request in the store

	/**
	 * Asks the store for the first waiter, if there is neither a request nor a lease; for
	 * a writer also if readers of this process hold the lock.
	 */
	private void contend() {
		Waiter first = this.queue.first();
		if (first == null || !this.acquirer.isIdle()) {
			return;
		}
		Hold stored = this.holds.stored();
		if (stored == null || isBehindReaders(first)) {
			RequestId readers = (stored != null) ? stored.request() : null;
			this.acquirer.begin(first, this.queue.anyPatient(), readers, this.finisher);
		}
	}

	private boolean isBehindReaders(Waiter first) {
		// mutant: writer-behind-readers
		boolean writer = this.holds.readers() != null && !first.shared() && first.patient();
		return writer && this.engine.queuesInStore();
	}

	private void on(Acquirer.Answer answer) {
		if (answer instanceof Acquirer.Answer.Won won) {
			won(won);
		}
		else if (answer instanceof Acquirer.Answer.NotGranted answered) {
			report(SlotNews.KNOWN);
			refuseOverdue(answered.holder());
			withdrawIfUnwanted();
			contend();
		}
		else if (answer instanceof Acquirer.Answer.Ended) {
			failOverdueUnanswered();
			contend();
		}
		else if (answer instanceof Acquirer.Answer.Failed failed) {
			report(new SlotNews.Failed(failed.cause()));
			this.queue.failAll(failed.cause());
			withdrawIfUnwanted();
		}
	}

	private void won(Acquirer.Answer.Won won) {
		Waiter next = this.queue.first();
		Waiter speaker = won.request().speaker();
		Hold stored = this.holds.stored();
		if (next == null) {
			giveBack(won);
		}
		else if (won.deadline() - this.engine.now() <= 0) {
			failOverdueUnanswered();
			giveBack(won);
		}
		else if (!next.sharing().equals(speaker.sharing())) {
			giveBack(won);
		}
		else if (stored != null) {
			// The store has forgotten the readers here: it will say so when they are
			// renewed.
			renew(stored);
			giveBack(won);
		}
		else if (won.confirmed() && next.term().nanos() < speaker.term().nanos()) {
			// Requested for a waiter that has gone. The store would not shorten the
			// lease.
			refuseOverdue(knownHolder());
			report(SlotNews.KNOWN);
			giveBack(won);
		}
		else {
			this.queue.remove(next);
			report(SlotNews.KNOWN);
			Hold hold = won.firstHold(this.key, next, this.engine);
			next.grant(this.holds.begin(hold, won.confirmed(), this.engine.never(), this.engine.now()), this);
			probed();
		}
	}

	/** Ends what was won, and asks again for the waiters that are left. */
	private void giveBack(Acquirer.Answer.Won won) {
		this.finisher.begin(won.request().id(), won.request().speaker().term());
		contend();
	}

	/** Ends the request if no waiter wants it, or the first waiter wants another kind. */
	private void withdrawIfUnwanted() {
		// mutant: withdraw-unwanted
		boolean unwanted = this.queue.isEmpty();
		boolean otherKind = !this.acquirer.isFor(this.queue.first());
		AcquireRequest request = (unwanted || otherKind) ? this.acquirer.takeCurrent() : null;
		if (request != null) {
			// mutant: withdraw-finish
			this.finisher.begin(request.id(), request.speaker().term());
			this.holds.writerHasGone(this.engine.now());
			contend();
		}
	}

	// The lease

	private void reenter(Hold own, Waiter nested, long now) {
		Hold stored = this.holds.stored();
		if (own.shared() && !nested.shared()) {
			nested.fail(this.engine.messages().noUpgrade(this.key), this);
		}
		else if (stored != null && stored.renewer().lengthen(nested.term(), stored.remaining(), now)) {
			own.reentry(own.reentry().with(nested, now));
			renew(stored);
		}
		else {
			enter(own, nested);
		}
	}

	private void enter(Hold own, Waiter nested) {
		this.holds.enter(own, nested, this.engine.now());
		nested.grant(own, this);
	}

	private void failReentering(RuntimeException cause) {
		this.holds.all().forEach((hold) -> hold.failReentering(cause, this));
	}

	/** Keeps the lock without an owner for the rest of its minimum hold. */
	private boolean keep(Hold hold, long now) {
		boolean kept = this.holds.keep(hold, now);
		if (kept && hold.renewer().scheduled() && !this.engine.stopped()) {
			renew(hold);
		}
		return kept;
	}

	private void endMinimum(long now) {
		Hold over = this.engine.stopped() ? null : this.holds.endMinimum(now);
		if (over != null) {
			this.finisher.begin(over.request(), over.renewer().longest());
			contend();
		}
	}

	/** Hands the lock to the next waiter without a command, if it may stay here. */
	private boolean handOff(Hold hold, long now) {
		Waiter next = this.queue.first();
		if (next == null || !this.holds.mayHandOff(hold, next, now)) {
			boolean ranOut = next != null && hold.lease().ranOut();
			this.acquirer.reserve(ranOut ? TokenBlock.MORE : TokenBlock.FIRST);
			return false;
		}
		this.queue.remove(next);
		next.grant(this.holds.handOff(hold, next, now), this);
		reserveTokens();
		return true;
	}

	private void reserveTokens() {
		Hold stored = this.holds.stored();
		if (stored != null && this.holds.needsTokens(this.queue)) {
			renew(stored);
		}
	}

	private void loseIfExpired(Hold hold, long now) {
		if (this.holds.isOfCurrentLease(hold)) {
			loseExpired(now);
		}
	}

	private void loseExpired(long now) {
		List<? extends Hold> expired = this.holds.expired(now);
		if (!expired.isEmpty()) {
			expired.forEach((hold) -> lose(hold, hold.whyExpired(now)));
		}
	}

	private void lose(Hold hold, LossReason why) {
		this.holds.lose(hold);
		List<Runnable> callbacks = hold.lose(why);
		LockLostException loss = hold.lostException();
		hold.failReentering(loss, this);
		afterwards(() -> {
			logger.warn("{}", loss.getMessage());
			this.engine.notifier().lost(loss.loss());
			callbacks.forEach(this.engine::callBack);
		});
		if (this.holds.isFree()) {
			if (endedAtLoss(hold)) {
				this.finisher.begin(hold.request(), hold.renewer().longest());
			}
			this.acquirer.hurry();
			contend();
		}
	}

	/** Only the last loss of a group shows that the store need not keep the lease. */
	private static boolean endedAtLoss(Hold hold) {
		return hold.shared();
	}

	private void tickHolds(long now) {
		this.holds.forgetOrphans();
		if (this.holds.isOwned()) {
			this.holds.all()
				.stream()
				.filter((owned) -> owned.becomesOverrun(now))
				.forEach(this.engine.notifier()::heldTooLong);
		}
		for (Hold own : this.holds.all()) {
			own.reentry().overdue(now).forEach((extension) -> {
				own.reentry(own.reentry().without(extension));
				extension.fail(this.engine.messages().unanswered(this.key, null), this);
			});
			if (own.reentry().unanswered(now, this.engine.timeoutNanos())) {
				own.failReentering(this.engine.messages().unanswered(this.key, null), this);
			}
		}
		ReaderGroup readers = this.holds.readers();
		if (readers != null && readers.probe().missesAnswer(now, this.engine.timeoutNanos())) {
			// mutant: probe-unanswered
			this.queue.failAll(this.engine.messages().unanswered(this.key, null));
		}
		Hold hold = this.holds.stored();
		if (hold != null && hold.renewer().due(now) && !this.engine.stopped()) {
			renewalDue(hold, now);
		}
	}

	private void renewalDue(Hold hold, long now) {
		hold.lease().notConfirmed();
		MinimumHold minimum = this.holds.minimum();
		if (minimum != null) {
			if (minimum.mayStillExtend(now)) {
				renew(hold);
			}
		}
		else if (this.holds.isOrphaned()) {
			hold.renewer().stop();
			logger.warn("Lock '{}': thread '{}' ended without releasing it; it is not renewed any more",
					KeyText.of(this.key), hold.taker().ownerName());
		}
		else {
			hold.renewer().checkLag(this.key, now, this.engine.renewalLag(), this);
			renew(hold);
		}
	}

	private void renew(Hold stored) {
		this.engine.watch().check();
		long sentAt = this.engine.now();
		StoreLease lease = stored.lease();
		LeaseTerm term = stored.renewer().term();
		int tokens = this.holds.renewing(stored, sentAt, this.engine.timeoutNanos());
		boolean last = stored.state() == Hold.State.KEPT;
		this.engine.commands()
			.renew(new RenewCommand(this.key, stored.request(), term.duration(), tokens, last, stored.shared()))
			.whenComplete((answer, failure) -> {
				this.engine.commandEnded(failure);
				run(() -> renewed(lease, term, sentAt, answer, failure));
			});
	}

	/** The answer is about the lease; the lock may have been handed off since. */
	private void renewed(StoreLease lease, LeaseTerm term, long sentAt, @Nullable RenewResult answer,
			@Nullable Throwable failure) {
		if (answer instanceof RenewResult.Renewed renewed) {
			this.storeClock.observe(sentAt, renewed.grant().storeTime());
		}
		else if (answer instanceof RenewResult.Gone gone) {
			gone.storeTime().ifPresent((storeMillis) -> this.storeClock.observe(sentAt, storeMillis));
		}
		loseExpired(this.engine.now());
		Hold hold = this.holds.stored();
		if (hold == null || hold.lease() != lease) {
			return;
		}
		if (answer instanceof RenewResult.Renewed renewed) {
			confirmed(hold, term, sentAt, renewed);
		}
		else if (answer instanceof RenewResult.Gone) {
			boolean early = this.engine.watch().storeJumpedSince(hold.confirmedAt());
			this.holds.all().forEach((lost) -> lose(lost, early ? LossReason.CLOCK_JUMP : LossReason.TAKEN));
		}
		else {
			renewalFailed(hold, failure);
		}
	}

	private void confirmed(Hold hold, LeaseTerm term, long sentAt, RenewResult.Renewed answer) {
		long now = this.engine.now();
		long certain = hold.renewer().certainMillis(term, answer.grant().remainingMillis());
		hold.confirmed(LocalDeadline.after(sentAt, certain));
		hold.lease().confirmed(answer.grant(), answer.waiters(), sentAt, now);
		boolean probed = this.holds.confirmed(hold, term, sentAt, answer.waiters(), now);
		// An older answer does not concern those who nest since then.
		for (Hold own : this.holds.all()) {
			if (!own.reentry().unansweredBy(sentAt, term)) {
				own.takeReentering().forEach((nested) -> enter(own, nested));
			}
		}
		if (probed) {
			probed();
		}
	}

	private void renewalFailed(Hold hold, @Nullable Throwable failure) {
		hold.lease().notConfirmed();
		boolean first = hold.renewer().failed(this.engine.now());
		LockStoreException cause = this.engine.messages().ofStore(this.key, failure);
		// A minimum hold at worst ends early, and that is logged then.
		if (first && hold.state() != Hold.State.KEPT) {
			logRenewalFailure(hold, cause);
		}
		boolean longer = this.holds.answerOwed() || this.holds.all().stream().anyMatch(Hold::isReentered)
				|| (hold.state() != Hold.State.KEPT && hold.renewer().isLengthening());
		if (longer && !(cause instanceof TransientStoreException)) {
			failReentering(cause);
			hold.renewer().refused();
		}
		if (this.holds.answerOwed()) {
			failOverdue(cause);
		}
	}

	/** That the store does not answer is logged once, not for each lock. */
	private void logRenewalFailure(Hold hold, LockStoreException cause) {
		String message = "Lock '{}': renewal failed, repeating it for the {} ms left of the lease: {}";
		Object[] values = { KeyText.of(this.key), TimeUnit.NANOSECONDS.toMillis(hold.remaining()), cause.getMessage() };
		if (cause instanceof TransientStoreException) {
			logger.debug(message, values);
		}
		else {
			logger.warn(message, values);
		}
	}

	// Leaving the monitor

	private boolean isVacant() {
		return this.queue.isEmpty() && this.holds.isFree();
	}

	private @Nullable Holder knownHolder() {
		Hold hold = this.holds.first();
		return (hold != null) ? this.engine.describe(hold) : this.acquirer.holder();
	}

	private void report(SlotNews news) {
		Consumer<SlotNews> listener = this.slotListener;
		if (listener != null) {
			afterwards(() -> listener.accept(news));
		}
	}

	@Override
	void settle() {
		if (this.holds.readers() != null) {
			admitReaders();
			withdrawIfUnwanted();
			contend();
		}
		if (isVacant() && !this.vacancyReported) {
			this.vacancyReported = true;
			// mutant: slot-vacant
			report(SlotNews.VACANT);
		}
		boolean over = this.queue.isEmpty() && this.acquirer.isIdle() && this.holds.isEmpty()
				&& this.finisher.isEmpty();
		if (over && !this.retired) {
			this.retired = true;
			this.dropped.accept(this);
		}
		long latest = this.queue.dueBy(this.finisher.dueBy(this.acquirer.dueBy(this.engine.never())));
		latest = this.holds.dueBy(latest, this.engine.timeoutNanos(), !this.engine.stopped());
		this.due = this.holds.hasLosses()
				? LocalDeadline.earlier(latest, this.engine.now() + EngineContext.ORPHAN_CHECK_NANOS) : latest;
	}

	@Override
	void left() {
		this.engine.wakeBy(this.due);
	}

	/** What waiters of a semaphore may wait for. */
	public sealed interface SlotNews {

		/** The store has said whether the permit is free. */
		SlotNews KNOWN = new Answered(null);

		/** Nothing of the permit is left here. */
		SlotNews VACANT = new Vacant();

		/** The permit has neither waiters nor an owner here any more. */
		record Vacant() implements SlotNews {
		}

		/**
		 * The store has said whether the permit is free, or that it ended the request.
		 *
		 * @param failure for waiters whose time is over if the request ended, or
		 * {@code null}
		 */
		record Answered(@Nullable LockStoreException failure) implements SlotNews {
		}

		/**
		 * The store gave no answer in time, or one that repeating does not change.
		 *
		 * @param cause for all waiters
		 */
		record Failed(LockStoreException cause) implements SlotNews {
		}

	}

}
