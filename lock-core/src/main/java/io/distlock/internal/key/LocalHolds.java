package io.distlock.internal.key;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import io.distlock.LockLostException;
import io.distlock.LockStoreException;
import io.distlock.LossReason;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.time.StoreClock;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.ReleaseOrder;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.Sharing;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the store keeps of a key for this process, and its owners here: one exclusive
 * owner, several readers, or none for the rest of a minimum hold. Renews the lease while
 * it lasts, and says what that means for the others of the key. Confined to the monitor
 * of the key.
 */
public final class LocalHolds {

	private static final Logger logger = LoggerFactory.getLogger(LocalHolds.class);

	private final String key;

	private final EngineContext engine;

	private final StoreClock storeClock;

	private final Monitor monitor;

	private final Consumer<Change> answers;

	/**
	 * The hold in the store. Shared, it has no owner: readers have holds that follow it.
	 */
	private @Nullable Hold stored;

	/** There while the hold is shared. */
	private @Nullable ReaderGroup readers;

	/** There while the hold has no owner. */
	private @Nullable MinimumHold minimum;

	private UnreportedLosses losses = UnreportedLosses.NONE;

	/**
	 * Creates the holds of a key that is free.
	 * @param key the key
	 * @param engine what all keys share
	 * @param storeClock the store's clock in answers about the key
	 * @param monitor the monitor of the key
	 * @param answers receives, under the monitor, what the answer to a renewal changed
	 */
	LocalHolds(String key, EngineContext engine, StoreClock storeClock, Monitor monitor, Consumer<Change> answers) {
		this.key = key;
		this.engine = engine;
		this.storeClock = storeClock;
		this.monitor = monitor;
		this.answers = answers;
	}

	// Questions

	/** The hold as the store knows it. */
	@Nullable Hold stored() {
		return this.stored;
	}

	boolean isFree() {
		return this.stored == null;
	}

	/** Whether nothing is left, not even a loss to report. */
	boolean isEmpty() {
		return this.stored == null && this.losses.isEmpty();
	}

	/** Whether the lock has an owner. */
	boolean isOwned() {
		return this.stored != null && this.minimum == null;
	}

	/** Whether readers hold the lock. */
	boolean isRead() {
		return this.readers != null;
	}

	/** Whether a minimum hold must still be confirmed by the store. */
	boolean isUnconfirmed() {
		return this.minimum != null && this.minimum.unconfirmed();
	}

	/** Whether all owners have ended and can never release. */
	private boolean isOrphaned() {
		return (this.readers != null) ? this.readers.ownersGone()
				: this.stored != null && this.stored.taker().ownerGone();
	}

	/** Whether a hold belongs to the current lease, even if it is already released. */
	private boolean isOfCurrentLease(Hold hold) {
		return this.stored != null && this.stored.lease() == hold.lease();
	}

	/** The hold that a thread can enter once more. */
	private @Nullable Hold liveOf(@Nullable Thread thread) {
		if (this.readers != null) {
			return this.readers.of(thread);
		}
		return (this.stored != null && this.stored.ownedBy(thread)) ? this.stored : null;
	}

	/** The hold of the first owner. */
	@Nullable Hold first() {
		return (this.readers != null) ? this.readers.first() : this.stored;
	}

	/** The holds of all owners. */
	private List<? extends Hold> all() {
		return (this.readers != null) ? this.readers.all() : (this.stored != null) ? List.of(this.stored) : List.of();
	}

	/** A hold with an acquisition whose release did not take effect. */
	@Nullable Hold leftBehind() {
		if (this.minimum == null) {
			for (Hold own : all()) {
				if (own.isLeftBehind()) {
					return own;
				}
			}
		}
		return null;
	}

	/** Whether the next reader in the queue waits for an answer of the store. */
	boolean answerOwed() {
		return this.readers != null && this.readers.probe().pending();
	}

	// What owners want

	/**
	 * Returns whether a hold is held.
	 * @param hold the hold
	 * @return {@code true} until it is released or lost
	 */
	public boolean isHeld(Hold hold) {
		return isOfCurrentLease(hold) && hold.state() == Hold.State.HELD;
	}

	/**
	 * Returns how often a thread holds the lock.
	 * @param thread the thread
	 * @return zero once it is lost
	 */
	public int countOf(Thread thread) {
		Hold hold = liveOf(thread);
		return (hold != null) ? hold.handles() : 0;
	}

	/**
	 * Returns the hold of a thread. Lost ones are included, because they are to be
	 * reported.
	 * @param thread the thread
	 * @param shared how it must have been acquired
	 * @return the hold, if it has one
	 */
	public Optional<Hold> ownedBy(Thread thread, boolean shared) {
		Hold live = liveOf(thread);
		return Optional.ofNullable((live != null && live.entered(shared)) ? live : this.losses.of(thread, shared));
	}

	/**
	 * Adds an acquisition to a hold, unless it is over.
	 * @param hold the hold
	 * @param shared whether the acquisition is a shared one
	 * @return whether it was added
	 */
	public boolean enter(Hold hold, boolean shared) {
		boolean entered = isHeld(hold) && (shared || !hold.shared());
		if (entered) {
			hold.enter(shared);
		}
		return entered;
	}

	/**
	 * Registers what to call when a hold is lost; at once if it is.
	 * @param hold the hold
	 * @param callback the callback
	 */
	public void onLost(Hold hold, Runnable callback) {
		if (!hold.onLost(callback)) {
			this.monitor.afterwards(() -> this.engine.callBack(callback));
		}
	}

	/**
	 * Extends the lease of a hold, if it would end too soon. The extension ends with the
	 * answer of the store, or with the hold.
	 * @param extension what to extend
	 */
	public void extend(Extension extension) {
		Hold hold = extension.hold();
		Hold held = this.stored;
		long now = this.engine.now();
		if (held == null || !isHeld(hold)) {
			extension.fail((hold.state() == Hold.State.LOST) ? hold.lostException()
					: this.engine.messages().released(this.key), this.monitor);
		}
		else if (this.engine.stopped()) {
			extension.fail(this.engine.messages().notExtended(this.key), this.monitor);
		}
		else if (held.renewer().extend(extension.term(), held.remaining(), now)) {
			hold.reentry(hold.reentry().with(extension, now));
			renew(held);
		}
		else {
			enter(hold, extension);
		}
	}

	/**
	 * Lets a waiter enter the hold that its thread has, perhaps after a longer lease.
	 * @param nested the waiter
	 * @return {@code false} if its thread has none
	 */
	boolean reenter(Waiter nested) {
		Hold own = nested.nests() ? liveOf(nested.thread()) : null;
		Hold held = this.stored;
		if (own == null || held == null) {
			return false;
		}
		long now = this.engine.now();
		if (own.shared() && !nested.shared()) {
			nested.fail(this.engine.messages().noUpgrade(this.key), this.monitor);
		}
		else if (held.renewer().lengthen(nested.term(), held.remaining(), now)) {
			own.reentry(own.reentry().with(nested, now));
			renew(held);
		}
		else {
			enter(own, nested);
		}
		return true;
	}

	/** Lets the owner of a hold enter it once more, or keep it for longer. */
	private void enter(Hold own, Waiter nested) {
		// mutant: extend-enters
		if (nested.entersHold()) {
			own.enter(nested.shared());
		}
		if (this.readers != null) {
			this.readers.nested(own, nested, this.engine.now());
		}
		nested.grant(own, this.monitor);
	}

	/** A waiter that is about to enter a hold does not want to any more. */
	void forget(Waiter nested) {
		all().forEach((hold) -> hold.reentry(hold.reentry().without(nested)));
	}

	/** Takes the waiters that are about to enter a hold. */
	List<Waiter> takeReentering() {
		return all().stream().flatMap((hold) -> hold.takeReentering().stream()).toList();
	}

	// From owner to owner

	/**
	 * Begins a lease.
	 * @param hold the hold as the store knows it
	 * @param confirmed whether the store has just reported the waiting processes
	 * @return the hold of the first owner
	 */
	Hold begin(Hold hold, boolean confirmed) {
		if (!hold.shared()) {
			this.stored = hold;
			return hold;
		}
		// Nothing may fail once something is held: an error must not leave a lease
		// without an owner, which would be renewed for ever.
		ReaderGroup group = new ReaderGroup(hold, confirmed, this.engine.never());
		Hold reader = group.admit(hold.taker(), this.engine.now());
		this.readers = group;
		this.stored = hold;
		return reader;
	}

	/**
	 * Lets a reader join the readers that hold the lock, or asks the store whether it
	 * may.
	 * @param next the next reader in the queue
	 * @return its hold, or {@code null} if it may not join yet
	 */
	@Nullable Hold join(Waiter next) {
		Hold held = this.stored;
		long now = this.engine.now();
		if (this.readers == null || held == null) {
			return null;
		}
		if (this.readers.mayJoin(next, now)) {
			held.lease().handedOff();
			return this.readers.admit(next, now);
		}
		if (!this.engine.stopped() && this.readers.ask(next, now)) {
			renew(held);
		}
		return null;
	}

	/** Another process began to wait for the lock. */
	void contended() {
		long now = this.engine.now();
		if (this.stored != null) {
			this.stored.lease().contended(now);
		}
		if (this.readers != null) {
			this.readers.probe().known(now);
		}
	}

	/** A writer of this process that the store knew does not wait any more. */
	void writerHasGone() {
		if (this.readers != null) {
			this.readers.probe().outdated(this.engine.now());
		}
	}

	/**
	 * Releases one acquisition. The last hold of a lease stays until it is handed off,
	 * kept or ended. An owner that only reads from now on lets other readers join it.
	 * @param hold the hold
	 * @param shared whether it was a shared one
	 * @return what is left
	 */
	Left leave(Hold hold, boolean shared) {
		if (!hold.leave(shared)) {
			if (onlyReads(hold) && !this.engine.stopped()) {
				open(hold);
			}
			return Left.ENTERED;
		}
		if (hold.state() == Hold.State.LOST) {
			this.losses = this.losses.without(hold);
			return Left.LOSS;
		}
		// mutant: group-left
		boolean last = this.readers == null || this.readers.leave(hold);
		if (!last) {
			hold.release();
		}
		return last ? Left.LEASE : Left.READERS;
	}

	/**
	 * Whether the owner of a hold, which has just released an acquisition, only reads
	 * from now on, so that others may join it. A fixed lease and a minimum hold are those
	 * of an exclusive hold.
	 */
	private boolean onlyReads(Hold hold) {
		// mutant: only-reads
		boolean reads = hold.sharing() instanceof Sharing.Exclusive && !hold.entered(false);
		return reads && this.stored == hold && hold.state() == Hold.State.HELD && isRenewed(hold)
				&& !hold.isReentered();
	}

	private static boolean isRenewed(Hold hold) {
		Duration minimum = hold.taker().minHold();
		return hold.taker().term().renewed() && hold.renewer().term().renewed() && hold.renewer().goesOn()
				&& (minimum == null || minimum.isZero());
	}

	/** Lets readers join an exclusive hold, whose owner is the first of them. */
	private void open(Hold hold) {
		Hold opened = hold.open(this.engine.now());
		this.stored = opened;
		this.readers = new ReaderGroup(opened, false, this.engine.never());
		this.readers.add(hold);
		renew(opened);
	}

	/** Keeps the last hold without an owner if its minimum is not over. */
	boolean keep(Hold hold) {
		this.minimum = (this.readers == null) ? MinimumHold.of(hold, this.engine.now()) : null;
		if (this.minimum == null) {
			return false;
		}
		if (hold.renewer().scheduled() && !this.engine.stopped()) {
			renew(hold);
		}
		return true;
	}

	/**
	 * Hands the last hold to a waiter without a command; the lock stays in this process.
	 * Readers have joined already.
	 * @param hold the hold
	 * @param next the waiter
	 * @return its hold, or {@code null} if the lock must be released
	 */
	@Nullable Hold handOff(Hold hold, Waiter next) {
		long now = this.engine.now();
		// mutant: hand-off-kind
		boolean sameKind = !next.shared() && next.sharing().equals(hold.sharing());
		if (!sameKind || !hold.lease().mayHandOff(hold.deadline() - now, next.term(), now)) {
			return null;
		}
		hold.release();
		Hold handed = hold.handOffTo(next, now);
		this.stored = handed;
		handed.lease().handedOff();
		return handed;
	}

	/** An error kept the next owner from its hold: the lease is not renewed. */
	void undo() {
		free();
	}

	/** Ends the last hold. */
	void end(Hold hold) {
		hold.release();
		free();
	}

	private void free() {
		this.stored = null;
		this.readers = null;
		this.minimum = null;
	}

	/** Ends a minimum hold that is over. */
	Change endMinimum(long now) {
		MinimumHold ending = this.minimum;
		boolean over = ending != null && !this.engine.stopped() && ending.isOver(now);
		if (ending == null || !over) {
			return Change.NONE;
		}
		end(ending.hold());
		return new Change.Freed(ending.hold(), true);
	}

	// Losses

	/** Loses the holds whose deadline has passed; a minimum hold has no deadline. */
	Change loseExpired(long now) {
		List<? extends Hold> expired = expired(now);
		if (expired.isEmpty()) {
			return Change.NONE;
		}
		Change change = Change.NONE;
		for (Hold hold : expired) {
			change = lose(hold, hold.whyExpired(now), "");
		}
		return change;
	}

	private List<? extends Hold> expired(long now) {
		if (this.readers != null) {
			return this.readers.expired(now);
		}
		boolean over = isOwned() && this.stored != null && this.stored.deadline() - now <= 0;
		return over ? all() : List.of();
	}

	private Change lose(Hold hold, LossReason why, String detail) {
		boolean owned = this.minimum == null;
		if (owned) {
			this.losses = this.losses.with(hold);
		}
		boolean last = this.readers == null || this.readers.leave(hold);
		List<Runnable> callbacks = hold.lose(why, detail);
		LockLostException loss = hold.lostException();
		hold.failReentering(loss, this.monitor);
		this.monitor.afterwards(() -> {
			logger.warn("{}", loss.getMessage());
			this.engine.notifier().lost(loss.loss());
			if (owned) {
				hold.taker().reportLost(loss.loss());
			}
			callbacks.forEach(this.engine::callBack);
		});
		if (!last) {
			return Change.NONE;
		}
		free();
		// Only the last loss of a group shows that the store need not keep the lease.
		return new Change.Freed(hold, hold.shared());
	}

	// Renewals

	/** Does what is due, except for renewals. */
	Change tick(long now) {
		this.losses = this.losses.withoutOrphans();
		for (Hold own : all()) {
			if (isOwned() && own.becomesOverrun(now)) {
				this.engine.notifier().heldTooLong(own);
			}
			own.failUnanswered(now, this.engine.timeoutNanos(), this::unanswered, this.monitor);
		}
		boolean missing = this.readers != null && this.readers.probe().missesAnswer(now, this.engine.timeoutNanos());
		return missing ? new Change.ReadersUnanswered(unanswered(), false) : Change.NONE;
	}

	private LockStoreException unanswered() {
		return this.engine.messages().unanswered(this.key, null);
	}

	/** Renews the lease if it is time. */
	void renewIfDue(long now) {
		Hold hold = this.stored;
		if (hold == null || !hold.renewer().due(now) || this.engine.stopped()) {
			return;
		}
		hold.lease().notConfirmed();
		if (this.minimum != null) {
			if (this.minimum.mayStillExtend(now)) {
				renew(hold);
			}
		}
		else if (isOrphaned()) {
			hold.renewer().stop();
			logger.warn("Lock '{}': thread '{}' ended without releasing it; it is not renewed any more",
					KeyText.of(this.key), hold.taker().ownerName());
		}
		else {
			hold.renewer().checkLag(this.key, now, this.engine.renewalLag(), this.monitor);
			renew(hold);
		}
	}

	/**
	 * Another server goes on, which may not know the lease: confirm it now, also a fixed
	 * one.
	 */
	void confirm() {
		if (this.stored != null && this.stored.state() != Hold.State.KEPT) {
			this.stored.renewer().confirm(this.stored.remaining(), this.engine.now());
		}
	}

	/**
	 * The store may have ended the hold by force: only its answer counts. A minimum hold
	 * is asked for again for the rest of its time.
	 */
	void revoked() {
		if (this.minimum != null) {
			this.minimum.confirm(this.engine.now());
		}
		else {
			// mutant: force-confirm
			confirm();
		}
	}

	/** Shows the hold of each owner, or the one that has none. */
	void look(Consumer<? super Hold> visitor) {
		all().forEach(visitor);
	}

	/** What is left of the lease is not certain until it is renewed. */
	void suspect() {
		if (this.stored != null && this.stored.renewer().term().renewed() && this.stored.renewer().scheduled()) {
			this.stored.renewer().hurry(this.engine.now());
		}
	}

	/** Asks the store whether it still knows the lease. */
	void verify() {
		if (this.stored != null) {
			renew(this.stored);
		}
	}

	/**
	 * Reserves tokens for the threads that wait, but only where a renewal would be sent
	 * anyway, because it extends the lease too.
	 * @param next the first waiter
	 * @param waiting how many wait, each for a token
	 */
	void reserveTokens(@Nullable Waiter next, int waiting) {
		Hold hold = this.stored;
		if (hold == null || this.readers != null) {
			return;
		}
		Renewer renewer = hold.renewer();
		boolean handsOff = next != null && next.term().equals(renewer.term());
		hold.lease().waiting(handsOff ? waiting : 0);
		if (renewer.term().renewed() && renewer.scheduled() && !hold.taker().ownerGone()
				&& hold.lease().wantsTokens()) {
			renew(hold);
		}
	}

	/**
	 * Sends a renewal. The store counts the term from when it arrives, even if the term
	 * is shorter than what is left.
	 */
	private void renew(Hold hold) {
		this.engine.watch().check();
		long sentAt = this.engine.now();
		Renewer renewer = hold.renewer();
		LeaseTerm term = renewer.term();
		hold.endNoLaterThan(LocalDeadline.after(sentAt, term.duration().toMillis()));
		if (this.readers != null) {
			this.readers.follow();
		}
		renewer.requested(term);
		renewer.sent(sentAt, this.engine.timeoutNanos(), hold.deadline() - sentAt);
		int tokens = (this.readers != null) ? 0 : hold.lease().reserve();
		boolean last = hold.state() == Hold.State.KEPT;
		this.engine.commands()
			.renew(new RenewCommand(this.key, hold.request(), term.duration(), tokens, last, hold.shared()))
			.whenComplete((answer, failure) -> {
				this.engine.commandEnded(StoreCommand.RENEW, sentAt, failure, this.monitor);
				this.monitor.run(() -> this.answers.accept(renewed(hold.lease(), term, sentAt, answer, failure)));
			});
	}

	/** The answer is about the lease; the lock may have been handed off since. */
	private Change renewed(StoreLease lease, LeaseTerm term, long sentAt, @Nullable RenewResult answer,
			@Nullable Throwable failure) {
		if (answer instanceof RenewResult.Renewed renewed) {
			this.storeClock.observe(sentAt, renewed.grant().storeTime());
		}
		else if (answer instanceof RenewResult.Gone gone) {
			gone.storeTime().ifPresent((storeMillis) -> this.storeClock.observe(sentAt, storeMillis));
		}
		Change expired = loseExpired(this.engine.now());
		Hold hold = this.stored;
		if (hold == null || hold.lease() != lease) {
			return expired;
		}
		if (answer instanceof RenewResult.Renewed renewed) {
			return confirmed(hold, term, sentAt, renewed);
		}
		return (answer instanceof RenewResult.Gone gone) ? gone(hold, gone.order()) : failed(hold, failure);
	}

	private Change confirmed(Hold hold, LeaseTerm term, long sentAt, RenewResult.Renewed answer) {
		long now = this.engine.now();
		long certain = hold.renewer().certainMillis(term, answer.grant().remainingMillis());
		hold.confirmed(LocalDeadline.after(sentAt, certain));
		hold.lease().confirmed(answer.grant(), answer.waiters(), sentAt, now);
		boolean outdated = this.minimum != null && !term.equals(hold.renewer().term());
		boolean answered = false;
		if (this.readers != null) {
			answered = this.readers.confirmed(term, sentAt, answer.waiters(), now);
		}
		else if (!outdated && !hold.reentry().unansweredBy(sentAt, term)) {
			hold.renewer().confirmed(now, hold.remaining());
		}
		// An older answer does not concern those who nest since then.
		for (Hold own : all()) {
			if (!own.reentry().unansweredBy(sentAt, term)) {
				own.takeReentering().forEach((nested) -> enter(own, nested));
			}
		}
		return answered ? Change.READERS_ANSWERED : Change.NONE;
	}

	/** The store does not know the hold any more, and perhaps who ended it. */
	private Change gone(Hold hold, @Nullable ReleaseOrder order) {
		boolean early = this.engine.watch().storeJumpedSince(hold.confirmedAt());
		LossReason why = early ? LossReason.CLOCK_JUMP : LossReason.TAKEN;
		// mutant: force-reason
		LossReason known = (order != null) ? LossReason.FORCED : why;
		Change change = Change.NONE;
		for (Hold lost : all()) {
			change = lose(lost, known, (order != null) ? order.describe() : "");
		}
		return change;
	}

	private Change failed(Hold hold, @Nullable Throwable failure) {
		hold.lease().notConfirmed();
		boolean first = hold.renewer().failed(this.engine.now());
		LockStoreException cause = this.engine.messages().ofStore(this.key, failure);
		boolean kept = hold.state() == Hold.State.KEPT;
		// A minimum hold at worst ends early, and that is logged then.
		if (first && !kept) {
			hold.renewer().logFailure(this.key, hold.remaining(), cause);
		}
		boolean longer = answerOwed() || all().stream().anyMatch(Hold::isReentered)
				|| (!kept && hold.renewer().isLengthening());
		if (longer && !(cause instanceof TransientStoreException)) {
			all().forEach((own) -> own.failReentering(cause, this.monitor));
			hold.renewer().refused();
		}
		return answerOwed() ? new Change.ReadersUnanswered(cause, true) : Change.NONE;
	}

	/** When something is over, or due. */
	long dueBy(long latest) {
		long next = this.losses.isEmpty() ? latest
				: LocalDeadline.earlier(latest, this.engine.now() + EngineContext.ORPHAN_CHECK_NANOS);
		Hold hold = this.stored;
		if (hold == null) {
			return next;
		}
		long timeoutNanos = this.engine.timeoutNanos();
		if (this.readers != null) {
			next = this.readers.dueBy(next, timeoutNanos);
		}
		else {
			next = hold.reentry().dueBy((this.minimum == null) ? hold.dueBy(next) : next, timeoutNanos);
		}
		if (this.engine.stopped()) {
			return next;
		}
		next = hold.renewer().dueBy(next);
		return (this.minimum != null) ? LocalDeadline.earlier(next, this.minimum.until()) : next;
	}

	/** What is left after one acquisition was released. */
	enum Left {

		/** The owner has further handles. */
		ENTERED,
		/** Other readers. */
		READERS,
		/** The lease, without an owner. */
		LEASE,
		/** Nothing; the hold was lost before. */
		LOSS

	}

	/** What the holds of a key became, for the others who care about the key. */
	sealed interface Change {

		/** Nothing that concerns others. */
		Change NONE = new None();

		/**
		 * The next reader in the queue waited for an answer of the store: it is there.
		 */
		Change READERS_ANSWERED = new ReadersAnswered();

		/** Nothing that concerns others. */
		record None() implements Change {
		}

		/**
		 * Nothing is held here any more.
		 *
		 * @param last the last hold
		 * @param finish whether to end its request in the store
		 */
		record Freed(Hold last, boolean finish) implements Change {
		}

		/**
		 * The next reader in the queue waited for an answer of the store: it is there.
		 */
		record ReadersAnswered() implements Change {
		}

		/**
		 * The next reader in the queue waits for an answer of the store in vain.
		 *
		 * @param cause why
		 * @param repeated whether the question is repeated, so that only waiters whose
		 * time is over fail
		 */
		record ReadersUnanswered(LockStoreException cause, boolean repeated) implements Change {
		}

	}

}
