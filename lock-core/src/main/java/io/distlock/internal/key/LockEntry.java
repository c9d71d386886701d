package io.distlock.internal.key;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.observe.GrantKind;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mediator of one key. Only this class moves the key from one state to the next. It
 * knows the waiters of this process, the request or lease in the store, and the requests
 * that must still be ended there. Waiters queue here in arrival order. In the store only
 * the process competes, not each waiter.
 * <p>
 * Each event (a caller, an answer, a message, the housekeeper) is handled under the
 * monitor, and its handling never blocks there. Commands are sent under the monitor, so
 * that they arrive in the order of the states. The entry is dropped when nothing is left.
 * <p>
 * Invariant: while a waiter is queued, there is a request or a lease, or the store has
 * yet to confirm that it keeps the lock for a minimum hold. There are both a request and
 * a lease only while readers hold the lock and a writer is next. The request of that
 * writer makes the store keep out readers of other processes.
 */
public final class LockEntry extends Monitor implements Waiter.QueueOwner {

	private static final Logger logger = LoggerFactory.getLogger(LockEntry.class);

	private final String key;

	private final EngineContext engine;

	private final Consumer<LockEntry> dropped;

	private final @Nullable Consumer<SlotNews> slotListener;

	private final Supplier<? extends @Nullable Monitor> semaphore;

	private final WaitQueue queue = new WaitQueue(this);

	private final LocalHolds holds;

	private final Finisher finisher;

	private final Acquirer acquirer;

	private final Renewer renewer;

	private boolean vacancyReported;

	private boolean retired;

	/**
	 * Creates the entry of a lock, or of a permit.
	 * @param key the key, also of all permits of a semaphore
	 * @param slot which permit, from 1; 0 for a lock
	 * @param engine what all keys share
	 * @param dropped called under the monitor when nothing is left
	 * @param slotListener notified, outside the monitor, of news that may concern the
	 * other waiters for permits; {@code null} for a lock
	 * @param semaphore returns the monitor of the permit's semaphore; {@code null} for a
	 * lock
	 */
	public LockEntry(String key, int slot, EngineContext engine, Consumer<LockEntry> dropped,
			@Nullable Consumer<SlotNews> slotListener, Supplier<? extends @Nullable Monitor> semaphore) {
		super(engine.wakeTime(), engine.never());
		this.key = key;
		this.engine = engine;
		this.dropped = dropped;
		this.slotListener = slotListener;
		this.semaphore = semaphore;
		this.finisher = new Finisher(key, engine, this);
		this.acquirer = new Acquirer(key, slot, engine, this, this::on);
		this.renewer = new Renewer(key, engine, this, this::renewed);
		this.holds = new LocalHolds(key, engine, this);
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
		enter();
		try {
			if (this.retired) {
				return false;
			}
			if (waits(waiter)) {
				// Now, because the answer may already decide for an impatient waiter.
				contend();
				afterAsking(waiter);
			}
			return true;
		}
		finally {
			leave();
		}
	}

	/** Queues a waiter. Returns {@code false} if the waiter already has its outcome. */
	private boolean waits(Waiter waiter) {
		this.vacancyReported = false;
		if (this.holds.reenter(waiter)) {
			return false;
		}
		if (waiter.isLimited() && this.queue.length() >= waiter.maxWaiters()) {
			waiter.end(new Outcome.TooManyWaiters(knownHolder()), this);
			return false;
		}
		enqueue(waiter);
		return true;
	}

	/** Completes the join of a waiter. The store was asked before, if that was needed. */
	private void afterAsking(Waiter waiter) {
		admitReaders();
		reserveTokens();
		if (waiter.isObserved() && !waiter.ended() && !this.holds.isFree()) {
			waiter.waitsFor(knownHolder(), this);
		}
		if (!waiter.patient()) {
			timeIsOver(waiter);
		}
	}

	@Override
	public void overdue(Waiter waiter) {
		run(() -> timeIsOver(waiter));
	}

	@Override
	public boolean cancel(Waiter waiter) {
		return call(() -> {
			if (waiter.ended()) {
				return false;
			}
			this.queue.remove(waiter);
			this.holds.forgetExtension(waiter);
			waiter.end(new Outcome.Cancelled(), this);
			return true;
		});
	}

	/**
	 * Releases one acquisition. A lost hold is ended in the store too, because a renewal
	 * without an answer may have extended it there.
	 * @param release what to release
	 * @return {@code false} if this entry was dropped and another one is to be used
	 */
	public boolean release(Release release) {
		enter();
		try {
			if (this.retired) {
				return false;
			}
			releaseOne(release);
			return true;
		}
		finally {
			leave();
		}
	}

	private void releaseOne(Release release) {
		Hold hold = release.hold();
		LocalHolds.Left left = this.holds.leave(hold, release.shared());
		if (left != LocalHolds.Left.ENTERED && this.holds.isExtending(hold)) {
			this.holds.failExtensions(hold, this.engine.messages().released(this.key));
		}
		if (hold.state() == Hold.State.LOST) {
			release.reached(Release.Progress.LOST);
		}
		if (left == LocalHolds.Left.LOST_LEASE) {
			this.finisher.beginUnlessPending(hold.request(), hold.lease().longest());
		}
		else if (left == LocalHolds.Left.LEASE && !handOff(hold)) {
			finish(release);
		}
	}

	private void finish(Release release) {
		Hold last = release.hold();
		release.reached(Release.Progress.SENT);
		this.holds.releaseLast(last);
		this.finisher.begin(last.request(), last.lease().longest(), release);
		// Repeats the request of a writer behind these readers soon, because the
		// message with its grant may be lost.
		this.acquirer.hurry();
	}

	/**
	 * Lets an owner ask about its hold or change it.
	 * @param <T> type of the answer
	 * @param question the question or the change
	 * @return the answer
	 */
	public <T extends @Nullable Object> T ask(Function<LocalHolds, T> question) {
		return call(() -> question.apply(this.holds));
	}

	/**
	 * Returns the hold of a thread, as {@link LocalHolds#ownedBy} does. Allocates nothing
	 * unless a hold has expired.
	 * @param thread the thread
	 * @param shared how it must have been acquired
	 * @return the hold, or {@code null} if it has none
	 */
	public @Nullable Hold ownedBy(Thread thread, boolean shared) {
		enter();
		try {
			return this.holds.ownedBy(thread, shared);
		}
		finally {
			leave();
		}
	}

	/**
	 * Lets an owner change its hold.
	 * @param change the change
	 */
	public void tell(Consumer<LocalHolds> change) {
		run(() -> change.accept(this.holds));
	}

	/** Refuses all waiters, because the engine shuts down. */
	public void refuseWaiters() {
		run(() -> this.queue.failAll(this.engine.messages().shuttingDown(this.key)));
	}

	/**
	 * Gives up the requests that must still be ended in the store, because the store is
	 * stopped.
	 */
	public void abandon() {
		run(() -> {
			this.finisher.abandonAll();
			this.holds.failExtensions(this.engine.messages().notExtended(this.key));
		});
	}

	/** Returns whether the lock has an owner in this process. */
	public boolean held() {
		return look(() -> !this.holds.isFree());
	}

	/** Returns whether a waiter waits here. */
	boolean awaits(Waiter waiter) {
		return look(() -> this.queue.contains(waiter));
	}

	/** Returns whether the lock has neither waiters nor an owner in this process. */
	public boolean vacant() {
		return look(this::isVacant);
	}

	/** Returns whether the store owes an answer that decides whether the lock is free. */
	boolean answerOwed() {
		return look(this.acquirer::answerOwed);
	}

	/** Returns why that answer is not waited for any longer, or {@code null}. */
	@Nullable LockStoreException lateness() {
		return look(this.acquirer::lateness);
	}

	/** Returns the holder of the lock, as far as this process knows it. */
	@Nullable Holder holder() {
		return look(this::knownHolder);
	}

	/**
	 * Shows the holds and the waiters of this process at the same moment.
	 * @param holds gets the hold of each owner
	 * @param waiters gets each waiter
	 */
	public void visit(Consumer<? super Hold> holds, Consumer<? super Waiter> waiters) {
		run(() -> {
			this.holds.visit(holds);
			this.queue.forEach(waiters);
		});
	}

	/** Returns whether a command must still reach the store before it is stopped. */
	public boolean unsettled() {
		return look(() -> !this.finisher.isEmpty());
	}

	// What the store reports unasked, and the housekeeper

	/**
	 * Handles the message that a request was granted. Only the current request counts.
	 * The end of an earlier request is sent until the store confirms it, so that request
	 * needs no message.
	 * @param request the request
	 * @param grant the hold
	 */
	public void pushed(RequestId request, Grant grant) {
		run(() -> {
			if (!this.acquirer.isCurrent(request)) {
				return;
			}
			if (this.holds.isFree()) {
				on(this.acquirer.pushed(grant));
			}
			else {
				// Readers here hold the lock. Only an answer of the store, not a
				// message, can show that it has forgotten them.
				this.acquirer.hurry();
			}
		});
	}

	/** Notes that another process began to wait for the lock. */
	public void contended() {
		run(() -> {
			// While readers here hold the lock, the reported waiter is behind them. The
			// request of a writer here is behind them too, or is itself the reported
			// waiter.
			boolean concernsRequest = this.holds.isFree();
			this.renewer.contended();
			this.holds.contended();
			if (concernsRequest) {
				this.acquirer.contended();
			}
		});
	}

	/** Repeats the request at once, because pushed grants may have been missed. */
	public void reconnected() {
		run(this.acquirer::hurry);
	}

	/** Sends the commands that were held back, because the store answers again. */
	public void recovered() {
		run(this.acquirer::resume);
	}

	/**
	 * Confirms the lease now, even a fixed one. Another server has taken over, which may
	 * not know the lease.
	 */
	public void failedOver() {
		run(() -> {
			this.acquirer.hurry();
			this.renewer.confirm();
		});
	}

	/**
	 * Renews the lease now, even a fixed one, because the store may have released the
	 * hold by force. Only the answer to that renewal counts. A hold whose grant is still
	 * under way may have been released too.
	 */
	public void revoked() {
		run(() -> {
			this.renewer.confirm();
			this.acquirer.revoked();
		});
	}

	/**
	 * Renews the lease now, because a clock jumped. Until the renewal the rest of the
	 * lease is not certain.
	 */
	public void suspect() {
		run(this.renewer::suspect);
	}

	@Override
	public void tick() {
		run(() -> {
			long now = this.engine.now();
			this.queue.timedOut(now).forEach(this::timeIsOver);
			on(this.acquirer.tick(now, this.finisher));
			if (this.acquirer.becomesLate(now)) {
				failOverdue(this.acquirer.unanswered());
			}
			if (this.holds.tick(now)) {
				failReaders();
			}
			this.finisher.tick(now);
		});
	}

	// The queue

	private void enqueue(Waiter waiter) {
		if (this.engine.accepting()) {
			this.queue.add(waiter);
		}
		else {
			waiter.fail(this.engine.messages().shuttingDown(this.key), this);
		}
	}

	private void refuseOverdue(@Nullable Holder holder) {
		this.queue.refuseOverdue(this.engine.now(), holder);
	}

	/**
	 * Fails the waiters whose time is over. They get no second attempt, and the store did
	 * not say that the lock is busy.
	 */
	private void failOverdue(LockStoreException cause) {
		this.queue.failOverdue(this.engine.now(), cause);
		announce(new SlotNews.Answered(cause));
	}

	/** Ends the wait of a waiter, unless the store still owes an answer. */
	private void timeIsOver(Waiter waiter) {
		waiter.markOverdue();
		boolean decided = this.holds.isFree() ? !this.acquirer.answerOwed() : !this.holds.answerOwed();
		if (decided && this.queue.remove(waiter)) {
			waiter.end(new Outcome.Busy(knownHolder()), this);
		}
		LockStoreException late = (!decided && this.holds.isFree()) ? this.acquirer.lateness() : null;
		if (late != null && this.queue.remove(waiter)) {
			waiter.fail(late, this);
		}
	}

	/** Lets the readers at the head of the queue join the readers that hold the lock. */
	private void admitReaders() {
		Waiter first = this.queue.first();
		while (first != null && first.shared() && admit(first)) {
			first = this.queue.first();
		}
	}

	private boolean admit(Waiter reader) {
		Hold hold = this.holds.join(reader);
		if (hold == null) {
			return false;
		}
		reader.grantedBy(GrantKind.HERE);
		reader.grant(hold, this);
		this.queue.remove(reader);
		return true;
	}

	/** Handles the answer for which the next reader in the queue has waited. */
	private void probed() {
		admitReaders();
		if (!this.holds.answerOwed() && !this.queue.isEmpty()) {
			refuseOverdue(knownHolder());
		}
	}

	// The request in the store

	/**
	 * Requests the lock from the store for the first waiter, if there is neither a
	 * request nor a lease. For a writer it also does so while readers of this process
	 * hold the lock. A newer request would end a hold that the store must keep. So no
	 * request is sent until the store has confirmed that it keeps the hold.
	 * @return whether a request was sent, which may already be answered
	 */
	private boolean contend() {
		Waiter first = this.queue.first();
		if (first == null || this.finisher.isKeeping() || !this.acquirer.isIdle()) {
			return false;
		}
		StoreLease lease = this.renewer.lease();
		boolean asks = lease == null || isBehindReaders(first);
		if (asks) {
			RequestId readers = (lease != null) ? lease.request() : null;
			this.acquirer.begin(first, this.queue.anyPatient(), readers, this.finisher);
		}
		return asks;
	}

	private boolean isBehindReaders(Waiter first) {
		return this.holds.isRead() && !first.shared() && first.patient() && this.engine.queuesInStore();
	}

	private void on(Acquirer.Answer answer) {
		if (answer instanceof Acquirer.Answer.Won won) {
			won(won);
		}
		else if (answer instanceof Acquirer.Answer.NotGranted answered) {
			announce(SlotNews.KNOWN);
			this.queue.waitFor(answered.holder());
			refuseOverdue(answered.holder());
		}
		else if (answer instanceof Acquirer.Answer.Ended) {
			failOverdue(this.engine.messages().requestEnded(this.key));
		}
		else if (answer instanceof Acquirer.Answer.Failed failed) {
			announce(new SlotNews.Failed(failed.cause()));
			this.queue.failAll(failed.cause());
		}
	}

	private void won(Acquirer.Answer.Won won) {
		Waiter next = this.queue.first();
		Acquirer.Answer.Fit fit = won.fitFor(next, this.engine.now());
		if (next == null || fit == Acquirer.Answer.Fit.UNWANTED) {
			giveBack(won);
		}
		else if (fit == Acquirer.Answer.Fit.EXPIRED) {
			failOverdue(this.engine.messages().grantedTooLate(this.key, won.request().waiter().term()));
			giveBack(won);
		}
		else if (!this.holds.isFree()) {
			// The store has forgotten the readers here. Its answer to their renewal
			// will show it.
			this.renewer.verify();
			giveBack(won);
		}
		else if (fit == Acquirer.Answer.Fit.TOO_LONG) {
			refuseOverdue(knownHolder());
			announce(SlotNews.KNOWN);
			giveBack(won);
		}
		else {
			begin(won, next);
			announce(SlotNews.KNOWN);
			if (won.request().isRevoked()) {
				this.renewer.confirm();
			}
			probed();
		}
	}

	private void begin(Acquirer.Answer.Won won, Waiter next) {
		StoreLease lease = won.lease(next, this.engine);
		next.grantedBy(won.kind());
		Hold hold = this.holds.begin(lease, next, won.confirmed());
		this.renewer.begin(lease);
		next.grant(hold, this);
		this.queue.remove(next);
	}

	/** Ends the request that was granted. */
	private void giveBack(Acquirer.Answer.Won won) {
		this.finisher.begin(won.request().id(), won.request().waiter().term());
	}

	/** Ends the request if no waiter wants it, or the first waiter wants another kind. */
	private void withdrawIfUnwanted() {
		boolean unwanted = this.queue.isEmpty() || !this.acquirer.isFor(this.queue.first());
		AcquireRequest request = unwanted ? this.acquirer.takeCurrent() : null;
		if (request != null) {
			this.finisher.begin(request.id(), request.waiter().term());
			this.holds.writerHasGone();
		}
	}

	// The lease

	/** Hands the lock to the next waiter without a command, if it may stay here. */
	private boolean handOff(Hold hold) {
		Waiter next = this.queue.first();
		Hold handed = (next != null) ? this.holds.handOff(hold, next) : null;
		if (next == null || handed == null) {
			this.acquirer.reserve(hold.lease().handOffs().nextTokens(next != null, this.engine.now()));
			this.queue.waitedHere();
			return false;
		}
		next.grantedBy(GrantKind.HERE);
		next.grant(handed, this);
		this.queue.remove(next);
		reserveTokens();
		return true;
	}

	private void reserveTokens() {
		boolean wanted = this.renewer.wantsTokens(this.queue.first(), this.queue.length());
		if (wanted && !this.holds.isOrphaned()) {
			this.renewer.verify();
		}
	}

	/** Sends the renewal that is due. Returns whether one was sent. */
	private boolean renewIfDue() {
		boolean due = this.renewer.isDue();
		boolean wanted = due && this.holds.wantRenewal();
		if (wanted) {
			this.renewer.renew();
		}
		else if (due) {
			this.renewer.stop();
		}
		return wanted;
	}

	private void renewed(Renewer.Answer answer) {
		on(this.renewer.read(answer));
	}

	private void on(Renewer.Change change) {
		if (change instanceof Renewer.Change.Confirmed confirmed) {
			boolean asked = this.holds.answerOwed();
			if (this.holds.confirmed(confirmed.term(), confirmed.sentAt(), confirmed.before())) {
				this.renewer.planNext();
			}
			if (asked && !this.holds.answerOwed()) {
				probed();
			}
		}
		else if (change instanceof Renewer.Change.Gone gone) {
			on(this.holds.loseAll(gone.why()));
		}
		else if (change instanceof Renewer.Change.Failed failed) {
			renewalFailed(failed.cause());
		}
	}

	private void renewalFailed(LockStoreException cause) {
		boolean asks = this.holds.asks() || this.renewer.isLengthening();
		if (asks && !(cause instanceof TransientStoreException)) {
			this.holds.failExtensions(cause);
			this.renewer.refused();
		}
		if (this.holds.answerOwed()) {
			// The renewal is repeated, so only waiters whose time is over fail.
			this.queue.failOverdue(this.engine.now(), cause);
		}
	}

	/**
	 * Fails all waiters, because the next reader has waited too long for an answer of the
	 * store.
	 */
	private void failReaders() {
		this.queue.failAll(this.engine.messages().unanswered(this.key, null));
	}

	private void on(LocalHolds.Change change) {
		if (change instanceof LocalHolds.Change.Freed freed) {
			if (freed.finish()) {
				this.finisher.begin(freed.last().request(), freed.last().lease().longest());
			}
			this.acquirer.hurry();
			this.queue.waitedHere();
		}
	}

	// Entering and leaving the monitor

	/** Marks expired holds as lost. */
	@Override
	void arrive() {
		if (!this.holds.isFree()) {
			on(this.holds.loseExpired(this.engine.now()));
		}
	}

	private boolean isVacant() {
		return this.queue.isEmpty() && this.holds.isFree();
	}

	private @Nullable Holder knownHolder() {
		Hold hold = this.holds.first();
		return (hold != null) ? this.engine.describe(hold.owner(), hold.acquiredAt()) : this.acquirer.holder();
	}

	private void announce(SlotNews news) {
		Consumer<SlotNews> listener = this.slotListener;
		if (listener != null) {
			afterwards(() -> listener.accept(news));
		}
	}

	@Override
	void callFailed(LockStoreException failure) {
		this.engine.commands().outage().callFailed(failure, this);
	}

	@Override
	@Nullable Monitor enclosing() {
		return this.semaphore.get();
	}

	/**
	 * Sends what the state demands: the end of a request that nobody wants, the request
	 * of the first waiter, the renewal that is due. A store may answer at once.
	 */
	@Override
	long settle() {
		this.queue.dropDead();
		if (this.holds.isRead()) {
			admitReaders();
		}
		// At most one renewal, because it stays due while too little of the lease is
		// left.
		boolean renewed = false;
		boolean sent;
		do {
			withdrawIfUnwanted();
			sent = contend();
			if (!renewed && renewIfDue()) {
				renewed = true;
				sent = true;
			}
		}
		while (sent);
		if (isVacant() && !this.vacancyReported) {
			this.vacancyReported = true;
			announce(SlotNews.VACANT);
		}
		boolean over = this.queue.isEmpty() && this.acquirer.isIdle() && this.holds.isEmpty()
				&& this.finisher.isEmpty();
		if (over && !this.retired) {
			this.retired = true;
			this.dropped.accept(this);
		}
		long latest = this.queue.dueBy(this.finisher.dueBy(this.acquirer.dueBy(this.engine.never())));
		return this.holds.dueBy(this.renewer.dueBy(latest));
	}

}
