package io.distlock.internal.key;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.distlock.LockLostException;
import io.distlock.LossReason;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.spi.Sharing;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The holds of a key in this process: the hold of one exclusive owner, or the holds of
 * several readers. This class also keeps the losses that are not reported to their owners
 * yet. It plans renewals but does not send them. Confined to the monitor of the key.
 */
public final class LocalHolds {

	private static final Logger logger = LoggerFactory.getLogger(LocalHolds.class);

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor;

	/** Present while one exclusive owner holds the lock. */
	private @Nullable Hold exclusive;

	/** Present while readers hold the lock. */
	private @Nullable ReaderGroup readers;

	private Extensions extensions = Extensions.NONE;

	private UnreportedLosses losses = UnreportedLosses.NONE;

	/**
	 * Creates the holds of a key that is free.
	 * @param key the key
	 * @param engine what all keys share
	 * @param monitor the monitor of the key
	 */
	LocalHolds(String key, EngineContext engine, Monitor monitor) {
		this.key = key;
		this.engine = engine;
		this.monitor = monitor;
	}

	// Questions

	boolean isFree() {
		return this.exclusive == null && this.readers == null;
	}

	/** Returns whether nothing is left, not even a loss to report. */
	boolean isEmpty() {
		return isFree() && this.losses.isEmpty();
	}

	/** Returns whether readers hold the lock. */
	boolean isRead() {
		return this.readers != null;
	}

	/** Returns whether no owner can release its hold any more. */
	boolean isOrphaned() {
		return (this.readers != null) ? this.readers.ownersGone()
				: this.exclusive != null && this.exclusive.isOrphaned();
	}

	/** Returns the hold that a thread can enter once more. */
	private @Nullable Hold liveOf(@Nullable Thread thread) {
		if (this.readers != null) {
			return this.readers.of(thread);
		}
		return (this.exclusive != null && this.exclusive.ownedBy(thread)) ? this.exclusive : null;
	}

	/** Returns the hold of the first owner. */
	@Nullable Hold first() {
		return (this.readers != null) ? this.readers.first() : this.exclusive;
	}

	/** Returns the holds of all owners. */
	private List<Hold> all() {
		if (this.readers != null) {
			return this.readers.all();
		}
		return (this.exclusive != null) ? List.of(this.exclusive) : List.of();
	}

	/** Returns whether the next reader in the queue waits for an answer of the store. */
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
		return hold.state() == Hold.State.HELD && !hold.lease().isOver();
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
	 * Returns the hold of a thread. A lost hold is included, because its loss must be
	 * reported.
	 * @param thread the thread
	 * @param shared how it must have been acquired
	 * @return the hold, or {@code null} if it has none
	 */
	@Nullable Hold ownedBy(Thread thread, boolean shared) {
		Hold live = liveOf(thread);
		return (live != null && live.entered(shared)) ? live : this.losses.of(thread, shared);
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
	 * Registers a callback for the loss of a hold. If the hold is already lost, the
	 * callback is called at once.
	 * @param hold the hold
	 * @param callback the callback
	 */
	public void onLost(Hold hold, Runnable callback) {
		if (!hold.onLost(callback)) {
			this.monitor.afterwards(() -> this.engine.callBack(callback));
		}
	}

	/**
	 * Extends the lease of a hold if that lease would end too soon. The extension ends
	 * with the answer of the store, or with the hold.
	 * @param extension what to extend
	 */
	public void extend(Extension extension) {
		Hold hold = extension.hold();
		StoreLease lease = hold.lease();
		long now = this.engine.now();
		long remaining = lease.remaining();
		if (!isHeld(hold)) {
			extension.fail(this.engine.messages().over(hold), this.monitor);
		}
		else if (this.engine.stopped()) {
			extension.fail(this.engine.messages().notExtended(this.key), this.monitor);
		}
		else if (lease.extend(extension.term(), remaining, now)) {
			this.extensions = this.extensions.with(extension);
			lease.hurry(now);
		}
		else {
			extended(extension);
		}
	}

	private void extended(Extension extension) {
		if (this.readers != null) {
			this.readers.extended(extension, this.engine.now());
		}
		extension.grant(extension.hold(), this.monitor);
	}

	/**
	 * Lets the store keep a lock for some time from now, also after its release.
	 * @param hold the hold
	 * @param atLeast for how long
	 * @return {@code false} if the hold is over
	 */
	public boolean keep(Hold hold, Duration atLeast) {
		boolean held = isHeld(hold);
		if (held) {
			if (!(hold.sharing() instanceof Sharing.Exclusive)) {
				throw this.engine.messages().notKept(this.key);
			}
			hold.keepUntil(this.engine.now() + LocalDeadline.nanos(atLeast));
		}
		return held;
	}

	/**
	 * Lets a waiter enter the hold that its thread has. The lease stays as it is.
	 * @param nested the waiter
	 * @return {@code false} if its thread has none
	 */
	boolean reenter(Waiter nested) {
		Hold own = nested.nests() ? liveOf(nested.owner().thread()) : null;
		if (own == null) {
			return false;
		}
		if (own.shared() && !nested.shared()) {
			nested.fail(this.engine.messages().noUpgrade(this.key), this.monitor);
		}
		else {
			own.enter(nested.shared());
			nested.grant(own, this.monitor);
		}
		return true;
	}

	/** Forgets an extension, because its caller has given up. */
	void forgetExtension(Waiter extension) {
		this.extensions = this.extensions.without(extension);
	}

	// From owner to owner

	/**
	 * Begins a lease with its first owner.
	 * @param lease the lease
	 * @param first the owner
	 * @param confirmed whether the store has just reported the waiting processes
	 * @return the hold of the owner
	 */
	Hold begin(StoreLease lease, Waiter first, boolean confirmed) {
		if (!first.shared()) {
			Hold hold = new Hold(this.key, lease, first.owner(), this.engine.clock());
			this.exclusive = hold;
			return hold;
		}
		// Nothing may fail once this.readers is set: an error must not leave a lease
		// without an owner, because such a lease would be renewed for ever.
		lease.share();
		ReaderGroup group = new ReaderGroup(this.key, lease, lease.handOffs().takeToken(), confirmed,
				this.engine.clock());
		Hold reader = group.admit(first.owner(), this.engine.now());
		this.readers = group;
		return reader;
	}

	/**
	 * Lets a reader join the readers that hold the lock, or asks the store whether the
	 * reader may join.
	 * @param next the next reader in the queue
	 * @return its hold, or {@code null} if it may not join yet
	 */
	@Nullable Hold join(Waiter next) {
		ReaderGroup group = this.readers;
		if (group == null) {
			return null;
		}
		long now = this.engine.now();
		if (group.mayJoin(next, now)) {
			group.lease().handOffs().handedOff();
			return group.admit(next.owner(), now);
		}
		if (!this.engine.stopped()) {
			group.ask(next, now);
		}
		return null;
	}

	/** Notes that another process began to wait for the lock. */
	void contended() {
		if (this.readers != null) {
			this.readers.probe().known(this.engine.now());
		}
	}

	/**
	 * Notes that a writer of this process stopped waiting. The store still knew that
	 * writer.
	 */
	void writerHasGone() {
		if (this.readers != null) {
			this.readers.probe().outdated(this.engine.now());
		}
	}

	/**
	 * Releases one acquisition. The last hold of a lease stays until it is handed off or
	 * ended. If the owner only reads from now on, other readers may join it.
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
			return hold.shared() ? Left.LOST_READER : Left.LOST_LEASE;
		}
		boolean last = this.readers == null || this.readers.leave(hold);
		if (!last) {
			hold.release();
		}
		return last ? Left.LEASE : Left.READERS;
	}

	/**
	 * Returns whether the owner only reads after it has just released an acquisition.
	 * Other readers may then join. A hold with a fixed lease or a minimum hold stays
	 * exclusive.
	 */
	private boolean onlyReads(Hold hold) {
		return hold.sharing() instanceof Sharing.Exclusive && !hold.entered(false) && this.exclusive == hold
				&& hold.state() == Hold.State.HELD && isRenewed(hold);
	}

	private static boolean isRenewed(Hold hold) {
		return hold.owner().term().renewed() && hold.lease().term().renewed() && hold.lease().goesOn()
				&& !hold.hasMinimum();
	}

	/**
	 * Lets readers join an exclusive hold. The owner of that hold becomes the first
	 * reader.
	 */
	private void open(Hold hold) {
		StoreLease lease = hold.lease();
		ReaderGroup group = new ReaderGroup(this.key, lease, hold.fencingToken(), false, this.engine.clock());
		group.add(hold);
		hold.open();
		lease.share();
		this.readers = group;
		this.exclusive = null;
		lease.hurry(this.engine.now());
	}

	/**
	 * Hands the last hold to a waiter without a command, so the lock stays in this
	 * process. Readers get no hold here, because they have already joined. During its
	 * minimum hold the lock is not handed on either, because the store must keep it.
	 * @param hold the hold
	 * @param next the waiter
	 * @return its hold, or {@code null} if the lock must be released
	 */
	@Nullable Hold handOff(Hold hold, Waiter next) {
		long now = this.engine.now();
		boolean sameKind = !next.shared() && next.sharing().equals(hold.sharing());
		boolean kept = hold.minimumUntil() - now > 0;
		if (kept || !sameKind || !hold.lease().mayHandOff(hold.lease().remaining(), next.term(), now)) {
			return null;
		}
		// Created first: after an error the releasing thread still owns the hold.
		Hold handed = hold.handOffTo(next.owner());
		hold.release();
		this.exclusive = handed;
		handed.lease().handOffs().handedOff();
		return handed;
	}

	/** Ends the last hold. */
	void releaseLast(Hold hold) {
		hold.release();
		free();
	}

	private void free() {
		if (this.exclusive != null) {
			this.exclusive.lease().markOver();
		}
		if (this.readers != null) {
			this.readers.lease().markOver();
		}
		this.exclusive = null;
		this.readers = null;
	}

	// Losses

	/** Marks the holds whose deadline has passed as lost. */
	Change loseExpired(long now) {
		List<Hold> expired = expired(now);
		if (expired.isEmpty()) {
			return Change.NONE;
		}
		Change change = Change.NONE;
		for (Hold hold : expired) {
			change = lose(hold, hold.whyExpired(now));
		}
		return change;
	}

	private List<Hold> expired(long now) {
		if (this.readers != null) {
			return this.readers.expired(now);
		}
		boolean over = this.exclusive != null && this.exclusive.deadline() - now <= 0;
		return over ? all() : List.of();
	}

	/** Marks all holds as lost, because the store does not have the lease any more. */
	Change loseAll(LossReason why) {
		Change change = Change.NONE;
		for (Hold lost : all()) {
			change = lose(lost, why);
		}
		return change;
	}

	private Change lose(Hold hold, LossReason why) {
		this.losses = this.losses.with(hold);
		boolean last = this.readers == null || this.readers.leave(hold);
		List<Runnable> callbacks = hold.lose(why);
		LockLostException loss = hold.lostException();
		failExtensions(hold, loss);
		this.monitor.afterwards(() -> {
			this.engine.observers().lost(loss.loss());
			hold.owner().observed().lost(loss.loss());
			callbacks.forEach(this.engine::callBack);
		});
		this.monitor.afterwards(() -> logger.warn("{}", loss.getMessage()));
		if (!last) {
			return Change.NONE;
		}
		free();
		// Only after the last loss of a group may the store end the lease.
		return new Change.Freed(hold, hold.shared());
	}

	// What renewals mean for the owners

	/**
	 * Does what is due.
	 * @param now the monotonic clock
	 * @return whether the next reader in the queue has waited too long for an answer of
	 * the store
	 */
	boolean tick(long now) {
		this.losses = this.losses.withoutOrphans();
		for (Hold own : overrun(now)) {
			this.engine.observers().heldTooLong(own::overrun);
		}
		fail(this.extensions.overdue(now), () -> this.engine.messages().unanswered(this.key, null));
		return this.readers != null && this.readers.probe().missesAnswer(now, this.engine.timeoutNanos());
	}

	private List<Hold> overrun(long now) {
		if (this.readers != null) {
			return this.readers.overrun(now);
		}
		return (this.exclusive != null && this.exclusive.becomesOverrun(now)) ? all() : List.of();
	}

	/** Returns whether the lease must still be renewed. */
	boolean wantRenewal() {
		boolean orphaned = isOrphaned();
		Hold first = first();
		if (first != null && orphaned) {
			this.monitor.afterwards(() -> warnOrphaned(first));
		}
		return !orphaned;
	}

	private void warnOrphaned(Hold orphan) {
		if (orphan.owner().isGone()) {
			logger.warn("Lock '{}': thread '{}' ended without releasing it; it is not renewed any more",
					KeyText.of(this.key), orphan.owner().name());
		}
		else {
			logger.warn(
					"Lock '{}': an error kept thread '{}' from acquiring or releasing it; it is not renewed any more",
					KeyText.of(this.key), orphan.owner().name());
		}
	}

	/**
	 * Notes that the store has renewed the lease, and ends the extensions that waited for
	 * this answer.
	 * @param term what was requested
	 * @param sentAt when it was sent
	 * @param before until when the lease was valid before
	 * @return whether this answers all that owners and readers have asked of the store
	 */
	boolean confirmed(LeaseTerm term, long sentAt, long before) {
		if (this.readers != null) {
			this.readers.confirmed(sentAt, before);
		}
		for (Extension extension : this.extensions.answeredBy(sentAt, term)) {
			this.extensions = this.extensions.without(extension);
			extended(extension);
		}
		return !asks();
	}

	/** Returns whether an owner or the next reader waits for an answer of the store. */
	boolean asks() {
		return answerOwed() || !this.extensions.isEmpty();
	}

	/** Fails all extensions, because the store will not extend the lease. */
	void failExtensions(RuntimeException cause) {
		fail(this.extensions.waiting(), () -> cause);
	}

	boolean isExtending(Hold hold) {
		return !this.extensions.of(hold).isEmpty();
	}

	/** Fails the extensions of a hold that is over. */
	void failExtensions(Hold hold, RuntimeException cause) {
		fail(this.extensions.of(hold), () -> cause);
	}

	private void fail(List<Extension> failed, Supplier<? extends RuntimeException> cause) {
		for (Extension extension : failed) {
			this.extensions = this.extensions.without(extension);
			extension.fail(cause.get(), this.monitor);
		}
	}

	/** Shows the hold of each owner. */
	void visit(Consumer<? super Hold> visitor) {
		all().forEach(visitor);
	}

	/** Returns when a hold or an extension is over or an answer is overdue. */
	long dueBy(long latest) {
		long next = this.losses.isEmpty() ? latest
				: LocalDeadline.earlier(latest, this.engine.now() + EngineContext.ORPHAN_CHECK_NANOS);
		next = this.extensions.dueBy(next);
		if (this.readers != null) {
			return this.readers.dueBy(next, this.engine.timeoutNanos());
		}
		return (this.exclusive != null) ? this.exclusive.dueBy(next) : next;
	}

	/** The rest of a hold after one acquisition was released. */
	enum Left {

		/** The owner has further handles. */
		ENTERED,
		/** Other readers still hold the lock. */
		READERS,
		/** The lease is left, without an owner. */
		LEASE,
		/** Nothing is left. The lease was lost before, together with its hold. */
		LOST_LEASE,
		/**
		 * Nothing of this reader is left. The lease that it had lost belongs to others or
		 * is being ended.
		 */
		LOST_READER

	}

	/**
	 * A change of the holds of a key that may concern the request or the lease of the
	 * key.
	 */
	sealed interface Change {

		/** No change that concerns the request or the lease. */
		Change NONE = new None();

		/** No change that concerns the request or the lease. */
		record None() implements Change {
		}

		/**
		 * No hold is left in this process.
		 *
		 * @param last the last hold
		 * @param finish whether to end its request in the store
		 */
		record Freed(Hold last, boolean finish) implements Change {
		}

	}

}
