package io.distlock.internal.ownership;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.distlock.LockLostException;
import io.distlock.LossReason;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.waiting.Extension;
import io.distlock.internal.waiting.Extensions;
import io.distlock.internal.waiting.Waiter;
import io.distlock.spi.Sharing;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The holds of a key in this process: who owns them, which extensions they wait for, and
 * which losses are not reported to their owners yet. This class plans renewals but does
 * not send them. Confined to the monitor of the key.
 */
public final class LocalHolds {

	/**
	 * The interval at which the engine checks whether the owner of an unreported loss has
	 * ended.
	 */
	private static final long ORPHAN_CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);

	private static final Logger logger = LoggerFactory.getLogger(LocalHolds.class);

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor;

	private Owners owners = Owners.NOBODY;

	private Extensions extensions = Extensions.none();

	private UnreportedLosses losses = UnreportedLosses.NONE;

	/**
	 * Creates the holds of a key that is free.
	 * @param key the key
	 * @param engine what all keys share
	 * @param monitor the monitor of the key
	 */
	public LocalHolds(String key, EngineContext engine, Monitor monitor) {
		this.key = key;
		this.engine = engine;
		this.monitor = monitor;
	}

	// Questions

	/** Returns whether nobody in this process owns the lock. */
	public boolean isFree() {
		return this.owners == Owners.NOBODY;
	}

	/** Returns whether nothing is left, not even a loss to report. */
	public boolean isEmpty() {
		return isFree() && this.losses.isEmpty();
	}

	/** Returns whether readers hold the lock. */
	public boolean isRead() {
		return this.owners instanceof Readers;
	}

	/** Returns whether no owner can release its hold any more. */
	public boolean isOrphaned() {
		return this.owners.areOrphaned();
	}

	/** Returns the hold of the first owner. */
	public @Nullable Hold first() {
		return this.owners.first();
	}

	/** Returns whether the next reader in the queue waits for an answer of the store. */
	public boolean answerOwed() {
		return this.owners instanceof Readers readers && readers.answerOwed();
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
		Hold hold = this.owners.of(thread);
		return (hold != null) ? hold.handles() : 0;
	}

	/**
	 * Returns the hold of a thread. A lost hold is included, because its loss must be
	 * reported.
	 * @param thread the thread
	 * @param shared how it must have been acquired
	 * @return the hold, or {@code null} if it has none
	 */
	public @Nullable Hold ownedBy(Thread thread, boolean shared) {
		Hold live = this.owners.of(thread);
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
		else if (lease.renewals().extend(extension.term(), remaining, now)) {
			this.extensions = this.extensions.with(extension);
		}
		else {
			extended(extension);
		}
	}

	private void extended(Extension extension) {
		if (this.owners instanceof Readers readers) {
			readers.extended(extension, this.engine.now());
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
	public boolean reenter(Waiter nested) {
		Hold own = nested.nests() ? this.owners.of(nested.owner().thread()) : null;
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
	public void forgetExtension(Waiter extension) {
		this.extensions = this.extensions.without(extension);
	}

	// From owner to owner

	/**
	 * Begins a lease with its first owner.
	 * @param lease the lease
	 * @param first the owner
	 * @return the hold of the owner
	 */
	public Hold begin(StoreLease lease, Waiter first) {
		if (!first.shared()) {
			Hold hold = new Hold(this.key, lease, first.owner(), this.engine.clock());
			this.owners = new OneOwner(hold);
			return hold;
		}
		// Nothing may fail once the readers are the owners: an error must not leave a
		// lease without an owner, because such a lease would be renewed for ever.
		lease.share();
		Readers readers = new Readers(this.key, lease, lease.handOffs().takeToken(), this.engine.clock());
		Hold reader = readers.admit(first.owner(), this.engine.now());
		this.owners = readers;
		return reader;
	}

	/**
	 * Lets a reader join the readers that hold the lock, or asks the store whether the
	 * reader may join.
	 * @param next the next reader in the queue
	 * @return its hold, or {@code null} if it may not join yet
	 */
	public @Nullable Hold join(Waiter next) {
		return (this.owners instanceof Readers readers) ? readers.join(next, !this.engine.stopped()) : null;
	}

	/**
	 * Releases one acquisition. The last hold of a lease stays until it is handed off or
	 * ended.
	 * @param hold the hold
	 * @param shared whether it was a shared one
	 * @return what is left
	 */
	public Left leave(Hold hold, boolean shared) {
		if (!hold.leave(shared)) {
			return Left.ENTERED;
		}
		if (hold.state() == Hold.State.LOST) {
			this.losses = this.losses.without(hold);
			return hold.shared() ? Left.LOST_READER : Left.LOST_LEASE;
		}
		boolean last = this.owners.leave(hold);
		if (!last) {
			hold.release();
		}
		return last ? Left.LEASE : Left.READERS;
	}

	/**
	 * Hands the last hold to a waiter without a command, so the lock stays in this
	 * process. Readers get no hold here, because they have already joined. During its
	 * minimum hold the lock is not handed on either, because the store must keep it.
	 * @param hold the hold
	 * @param next the waiter
	 * @return its hold, or {@code null} if the lock must be released
	 */
	public @Nullable Hold handOff(Hold hold, Waiter next) {
		long now = this.engine.now();
		boolean sameKind = !next.shared() && next.sharing().equals(hold.sharing());
		boolean kept = hold.minimumUntil() - now > 0;
		if (kept || !sameKind || !hold.lease().mayHandOff(hold.lease().remaining(), next.term(), now)) {
			return null;
		}
		// Created first: after an error the releasing thread still owns the hold.
		Hold handed = hold.handOffTo(next.owner());
		Owners owner = new OneOwner(handed);
		hold.release();
		this.owners = owner;
		handed.lease().handOffs().handedOff();
		return handed;
	}

	/** Ends the last hold. */
	public void releaseLast(Hold hold) {
		hold.release();
		free(hold);
	}

	private void free(Hold last) {
		last.lease().markOver();
		this.owners = Owners.NOBODY;
	}

	// Losses

	/** Marks the holds whose deadline has passed as lost. */
	public AfterLoss loseExpired(long now) {
		List<Hold> expired = this.owners.expired(now);
		if (expired.isEmpty()) {
			return AfterLoss.NOTHING;
		}
		AfterLoss after = AfterLoss.NOTHING;
		for (Hold hold : expired) {
			after = lose(hold, hold.whyExpired(now));
		}
		return after;
	}

	/** Marks all holds as lost, because the store does not have the lease any more. */
	public AfterLoss loseAll(LossReason why) {
		AfterLoss after = AfterLoss.NOTHING;
		for (Hold lost : this.owners.holds()) {
			after = lose(lost, why);
		}
		return after;
	}

	private AfterLoss lose(Hold hold, LossReason why) {
		this.losses = this.losses.with(hold);
		boolean last = this.owners.leave(hold);
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
			return AfterLoss.NOTHING;
		}
		free(hold);
		// Only after the last loss of a group may the store end the lease.
		return new AfterLoss.Freed(hold, hold.shared());
	}

	// What renewals mean for the owners

	/**
	 * Does what is due.
	 * @param now the monotonic clock
	 * @return whether the next reader in the queue has waited too long for an answer of
	 * the store
	 */
	public boolean tick(long now) {
		this.losses = this.losses.withoutOrphans();
		for (Hold own : this.owners.overrun(now)) {
			this.engine.observers().heldTooLong(own::overrun);
		}
		fail(this.extensions.overdue(now), () -> this.engine.messages().unanswered(this.key, null));
		return this.owners instanceof Readers readers && readers.missAnswer(now, this.engine.timeoutNanos());
	}

	/** Returns whether the lease must still be renewed. */
	public boolean wantRenewal() {
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
	 * @param requested the term that was requested
	 * @param sentAt when it was sent
	 * @param before until when the lease was valid before
	 * @return whether this answers all that owners and readers have asked of the store
	 */
	public boolean confirmed(Duration requested, long sentAt, long before) {
		if (this.owners instanceof Readers readers) {
			readers.confirmed(sentAt, before);
		}
		for (Extension extension : this.extensions.answeredBy(sentAt, requested)) {
			this.extensions = this.extensions.without(extension);
			extended(extension);
		}
		return !asks();
	}

	/** Returns whether an owner or the next reader waits for an answer of the store. */
	public boolean asks() {
		return answerOwed() || !this.extensions.isEmpty();
	}

	/** Fails all extensions, because the store will not extend the lease. */
	public void failExtensions(RuntimeException cause) {
		fail(this.extensions.waiting(), () -> cause);
	}

	/** Returns whether the owner of a hold waits for an extension. */
	public boolean isExtending(Hold hold) {
		return !this.extensions.of(hold).isEmpty();
	}

	/** Fails the extensions of a hold that is over. */
	public void failExtensions(Hold hold, RuntimeException cause) {
		fail(this.extensions.of(hold), () -> cause);
	}

	private void fail(List<Extension> failed, Supplier<? extends RuntimeException> cause) {
		for (Extension extension : failed) {
			this.extensions = this.extensions.without(extension);
			extension.fail(cause.get(), this.monitor);
		}
	}

	/** Shows the hold of each owner. */
	public void visit(Consumer<? super Hold> visitor) {
		this.owners.holds().forEach(visitor);
	}

	/** Returns when a hold or an extension is over or an answer is overdue. */
	public long dueBy(long latest) {
		long next = this.losses.isEmpty() ? latest
				: LocalDeadline.earlier(latest, this.engine.now() + ORPHAN_CHECK_NANOS);
		next = this.extensions.dueBy(next);
		if (this.owners instanceof Readers readers) {
			next = readers.answerDueBy(next, this.engine.timeoutNanos());
		}
		return this.owners.dueBy(next);
	}

	/** The rest of a hold after one acquisition was released. */
	public enum Left {

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

	/** Says what a loss changes for the request and the lease of the key. */
	public sealed interface AfterLoss {

		/** Nothing changes for them, because others still hold the lock. */
		AfterLoss NOTHING = new Nothing();

		/** Nothing changes for them, because others still hold the lock. */
		record Nothing() implements AfterLoss {
		}

		/**
		 * No hold is left in this process.
		 *
		 * @param last the last hold
		 * @param finish whether to end its request in the store
		 */
		record Freed(Hold last, boolean finish) implements AfterLoss {
		}

	}

}
