package io.distlock.internal.key;

import java.time.Duration;
import java.util.List;

import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.spi.Sharing;
import org.jspecify.annotations.Nullable;

/**
 * What the store keeps of a key for this process, and its owners here: one exclusive
 * owner, several readers, or none for the rest of a minimum hold. Confined to the monitor
 * of the key.
 */
final class LocalHolds {

	/**
	 * The hold in the store. Shared, it has no owner: readers have holds that follow it.
	 */
	private @Nullable Hold stored;

	/** There while the hold is shared. */
	private @Nullable ReaderGroup readers;

	/** There while the hold has no owner. */
	private @Nullable MinimumHold minimum;

	private UnreportedLosses losses = UnreportedLosses.NONE;

	/** The hold as the store knows it. */
	@Nullable Hold stored() {
		return this.stored;
	}

	@Nullable ReaderGroup readers() {
		return this.readers;
	}

	@Nullable MinimumHold minimum() {
		return this.minimum;
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

	/** Whether all owners have ended and can never release. */
	boolean isOrphaned() {
		return (this.readers != null) ? this.readers.ownersGone()
				: this.stored != null && this.stored.taker().ownerGone();
	}

	/** Whether a hold belongs to the current lease, even if it is already released. */
	boolean isOfCurrentLease(Hold hold) {
		return this.stored != null && this.stored.lease() == hold.lease();
	}

	/** The hold that a thread can enter once more. */
	@Nullable Hold liveOf(@Nullable Thread thread) {
		if (this.readers != null) {
			return this.readers.of(thread);
		}
		return (this.stored != null && this.stored.ownedBy(thread)) ? this.stored : null;
	}

	/**
	 * Returns the hold of a thread. Lost ones are included, because they are to be
	 * reported.
	 * @param thread the thread
	 * @param shared how it must have been acquired
	 */
	@Nullable Hold ownedBy(Thread thread, boolean shared) {
		Hold live = liveOf(thread);
		return (live != null && live.entered(shared)) ? live : this.losses.of(thread, shared);
	}

	/** The hold of the first owner. */
	@Nullable Hold first() {
		return (this.readers != null) ? this.readers.first() : this.stored;
	}

	/** The holds of all owners. */
	List<? extends Hold> all() {
		return (this.readers != null) ? this.readers.all() : (this.stored != null) ? List.of(this.stored) : List.of();
	}

	/** The holds whose deadline has passed; a minimum hold has no deadline. */
	List<? extends Hold> expired(long now) {
		if (this.readers != null) {
			return this.readers.expired(now);
		}
		boolean over = isOwned() && this.stored != null && this.stored.deadline() - now <= 0;
		return over ? all() : List.of();
	}

	/** Whether the next reader in the queue waits for an answer of the store. */
	boolean answerOwed() {
		return this.readers != null && this.readers.probe().pending();
	}

	/**
	 * Begins a lease.
	 * @param hold the hold as the store knows it
	 * @param confirmed whether the store has just reported the waiting processes
	 * @param never a moment that does not come
	 * @param now the monotonic clock
	 * @return the hold of the first owner
	 */
	Hold begin(Hold hold, boolean confirmed, long never, long now) {
		this.stored = hold;
		if (!hold.shared()) {
			return hold;
		}
		this.readers = new ReaderGroup(hold, confirmed, never);
		return this.readers.admit(hold.taker(), now);
	}

	/** Another process began to wait for the lock. */
	void contended(long now) {
		if (this.stored != null) {
			this.stored.lease().contended(now);
		}
		if (this.readers != null) {
			this.readers.probe().known(now);
		}
	}

	/** A writer of this process that the store knew does not wait any more. */
	void writerHasGone(long now) {
		if (this.readers != null) {
			this.readers.probe().outdated(now);
		}
	}

	/**
	 * Whether the owner of a hold, which has just released an acquisition, only reads
	 * from now on, so that others may join it. A fixed lease and a minimum hold are those
	 * of an exclusive hold.
	 */
	boolean onlyReads(Hold hold) {
		// mutant: only-reads
		boolean reads = hold.sharing() instanceof Sharing.Exclusive && !hold.entered(false);
		boolean waiting = !hold.reentry().waiting().isEmpty();
		return reads && this.stored == hold && hold.state() == Hold.State.HELD && isRenewed(hold) && !waiting;
	}

	private static boolean isRenewed(Hold hold) {
		Duration minimum = hold.taker().minHold();
		return hold.taker().term().renewed() && hold.renewer().term().renewed() && hold.renewer().goesOn()
				&& (minimum == null || minimum.isZero());
	}

	/**
	 * Lets readers join an exclusive hold, whose owner is the first of them.
	 * @param hold the hold
	 * @param never a moment that does not come
	 * @param now the monotonic clock
	 * @return the hold in the store, which must learn it
	 */
	Hold open(Hold hold, long never, long now) {
		Hold opened = hold.open(now);
		this.stored = opened;
		this.readers = new ReaderGroup(opened, false, never);
		this.readers.add(hold);
		return opened;
	}

	/** Lets the owner of a hold enter it once more, or keep it for longer. */
	void enter(Hold hold, Waiter nested, long now) {
		// mutant: extend-enters
		if (nested.entersHold()) {
			hold.enter(nested.shared());
		}
		if (this.readers != null) {
			this.readers.nested(hold, nested, now);
		}
	}

	/**
	 * Releases one acquisition. The last hold of a lease stays until it is handed off,
	 * kept or ended.
	 * @param hold the hold
	 * @param shared whether it was a shared one
	 * @return what is left
	 */
	Left leave(Hold hold, boolean shared) {
		if (!hold.leave(shared)) {
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

	/** Keeps the last hold without an owner if its minimum is not over. */
	boolean keep(Hold hold, long now) {
		this.minimum = (this.readers == null) ? MinimumHold.of(hold, now) : null;
		return this.minimum != null;
	}

	/** Whether the last hold may be handed to a waiter. Readers have joined already. */
	boolean mayHandOff(Hold hold, Waiter next, long now) {
		// mutant: hand-off-kind
		boolean sameKind = !next.shared() && next.sharing().equals(hold.sharing());
		return sameKind && hold.lease().mayHandOff(hold.deadline() - now, next.term(), now);
	}

	/** Hands the last hold to a waiter; the lock stays in this process. */
	Hold handOff(Hold hold, Waiter next, long now) {
		hold.release();
		Hold handed = hold.handOffTo(next, now);
		this.stored = handed;
		handed.lease().handedOff();
		return handed;
	}

	/** Ends the last hold. */
	void end(Hold hold) {
		hold.release();
		free();
	}

	/** Ends a minimum hold that is over, and returns it. */
	@Nullable Hold endMinimum(long now) {
		MinimumHold ending = this.minimum;
		if (ending == null || !ending.isOver(now)) {
			return null;
		}
		end(ending.hold());
		return ending.hold();
	}

	/** A hold is over without a release. */
	void lose(Hold hold) {
		if (this.minimum == null) {
			this.losses = this.losses.with(hold);
		}
		if (this.readers == null || this.readers.leave(hold)) {
			free();
		}
	}

	private void free() {
		this.stored = null;
		this.readers = null;
		this.minimum = null;
	}

	/** Forgets losses whose owner has ended. */
	void forgetOrphans() {
		this.losses = this.losses.withoutOrphans();
	}

	/** Whether losses wait for their owner to unlock. */
	boolean hasLosses() {
		return !this.losses.isEmpty();
	}

	/**
	 * Reports how many threads wait, each for a token.
	 * @param queue the queue
	 * @return whether tokens must be reserved now; only where a renewal would be sent
	 * anyway, because it extends the lease too
	 */
	boolean needsTokens(WaitQueue queue) {
		Hold hold = this.stored;
		if (hold == null || this.readers != null) {
			return false;
		}
		Waiter next = queue.first();
		Renewer renewer = hold.renewer();
		boolean handsOff = next != null && next.term().equals(renewer.term());
		hold.lease().waiting(handsOff ? queue.length() : 0);
		return renewer.term().renewed() && renewer.scheduled() && !hold.taker().ownerGone()
				&& hold.lease().wantsTokens();
	}

	/**
	 * A renewal is being sent. The store counts the term from when it arrives, even if
	 * the term is shorter than what is left.
	 * @param hold the hold in the store
	 * @param sentAt the monotonic clock
	 * @param timeoutNanos how long the store may take to answer
	 * @return how many tokens it reserves
	 */
	int renewing(Hold hold, long sentAt, long timeoutNanos) {
		Renewer renewer = hold.renewer();
		renewer.requested(renewer.term());
		hold.endNoLaterThan(LocalDeadline.after(sentAt, renewer.term().duration().toMillis()));
		if (this.readers != null) {
			this.readers.follow();
		}
		renewer.sent(sentAt, timeoutNanos, hold.deadline() - sentAt);
		return (this.readers != null) ? 0 : hold.lease().reserve();
	}

	/**
	 * A renewal was confirmed; the hold and its lease know.
	 * @param hold the hold in the store
	 * @param term the term that was requested
	 * @param sentAt when it was sent
	 * @param waiters how many other processes wait
	 * @param now the monotonic clock
	 * @return whether the next reader in the queue waited for this answer
	 */
	boolean confirmed(Hold hold, LeaseTerm term, long sentAt, int waiters, long now) {
		if (this.readers != null) {
			return this.readers.confirmed(term, sentAt, waiters, now);
		}
		boolean outdated = this.minimum != null && !term.equals(hold.renewer().term());
		if (!outdated && !hold.reentry().unansweredBy(sentAt, term)) {
			hold.renewer().confirmed(now, hold.remaining());
		}
		return false;
	}

	/** When something is over, or due. */
	long dueBy(long latest, long timeoutNanos, boolean renewing) {
		Hold hold = this.stored;
		if (hold == null) {
			return latest;
		}
		long next = latest;
		for (Hold own : all()) {
			next = own.reentry().dueBy(next, timeoutNanos);
		}
		if (this.minimum == null) {
			next = (this.readers != null) ? this.readers.dueBy(next, timeoutNanos) : hold.dueBy(next);
		}
		if (!renewing) {
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

}
