package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.distlock.LockLostException;
import io.distlock.LockStoreException;
import io.distlock.LossReason;
import io.distlock.spi.KeyText;
import io.distlock.spi.RenewResult;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hold of a key in this process, if there is one: nesting, renewal and loss. Confined
 * to the monitor of the key.
 */
final class Holding {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	/** Lost, and to be told at unlock: a handle knows its hold, a thread does not. */
	private final List<Hold> lost = new ArrayList<>(0);

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor;

	private final StoreTime storeTime;

	private final Events events;

	private final MinimumHold minimum = new MinimumHold();

	/** The hold; of nobody if it is shared: the readers' ones follow it. */
	private @Nullable Hold current;

	/** There while the hold is shared. */
	private @Nullable Readers readers;

	/**
	 * Creates it, free.
	 * @param key the key
	 * @param engine what engines share
	 * @param monitor the monitor of the key
	 * @param storeTime told what the store's clock says
	 * @param events told what others may wait for
	 */
	Holding(String key, EngineContext engine, Monitor monitor, StoreTime storeTime, Events events) {
		this.key = key;
		this.engine = engine;
		this.monitor = monitor;
		this.storeTime = storeTime;
		this.events = events;
	}

	/** The hold as the store knows it. */
	@Nullable Hold current() {
		return this.current;
	}

	/** The hold of one who has the lock. */
	@Nullable Hold anyones() {
		return (this.readers != null) ? this.readers.first() : this.current;
	}

	/** Whether several may have the lock, and have it. */
	boolean isShared() {
		return this.readers != null;
	}

	/** Whether a hold, be it over, is of what the store keeps for this process now. */
	boolean keeps(Hold hold) {
		return this.current != null && this.current.tenure() == hold.tenure();
	}

	/** The hold that a thread can enter once more. */
	@Nullable Hold liveOf(@Nullable Thread thread) {
		if (this.readers != null) {
			return this.readers.of(thread);
		}
		return (this.current != null && this.current.ownedBy(thread)) ? this.current : null;
	}

	boolean isFree() {
		return this.current == null;
	}

	boolean isEmpty() {
		return this.current == null && this.lost.isEmpty();
	}

	/**
	 * Begins a tenure with its first hold.
	 * @param winner the request that was granted
	 * @param win what was granted
	 * @param next the thread that gets it
	 */
	void begin(Contender winner, Contest.Win win, Waiter next) {
		long now = this.engine.now();
		Renewal renewal = new Renewal(next.lease(), now, this.engine.newBackoff());
		Tenure tenure = new Tenure(winner.request(), win.grant(), renewal, now, win.deadline() - now);
		if (win.contended()) {
			tenure.contended(now);
		}
		Hold hold = new Hold(this.key, tenure, next, win.deadline(), this.engine.clock());
		boolean sameLease = next.lease().duration().equals(winner.speaker().lease().duration());
		if (!sameLease) {
			// The store granted the lease of a thread that has gone; ask for this one's.
			hold.endNoLaterThan(LocalDeadline.after(now, next.lease().duration().toMillis()));
		}
		if (!sameLease || !(win.confirmed() || next.lease().renewed())) {
			// Soon, but by the housekeeper: off the way to the waiter.
			tenure.renewal().hurry(now);
		}
		else if (!win.confirmed()) {
			// Not at once: most holds are over before, and spare the command.
			tenure.renewal().within(now, (win.deadline() - now) / 10);
		}
		this.current = hold;
		if (next.shared()) {
			this.readers = new Readers(now, win.confirmed());
			share(hold, this.readers, next, now);
		}
		else {
			next.end(new Waiter.Outcome.Granted(hold), this.monitor);
		}
	}

	/**
	 * Lets a reader in if the hold is shared and may still be joined.
	 * @param next who is next in line
	 * @return whether it is in; otherwise the store is asked, if that may help
	 */
	boolean share(Waiter next) {
		Hold shared = this.current;
		Readers joined = this.readers;
		if (shared == null || joined == null) {
			return false;
		}
		if (!joinable(shared, joined, next)) {
			look(shared, joined, next);
			return false;
		}
		shared.tenure().passed();
		share(shared, joined, next, this.engine.now());
		return true;
	}

	private void share(Hold shared, Readers joined, Waiter next, long now) {
		Hold reader = shared.shareWith(next, cap(next, now), now);
		joined.add(reader);
		next.end(new Waiter.Outcome.Granted(reader), this.monitor);
	}

	/** A fixed lease ends for its reader, be it that the others' one is renewed. */
	private long cap(Waiter waiter, long now) {
		Lease lease = waiter.lease();
		return lease.renewed() ? this.engine.never() : LocalDeadline.after(now, lease.duration().toMillis());
	}

	private boolean joinable(Hold shared, Readers joined, Waiter next) {
		return shared.tenure().mayShare(this.engine.now()) && (joined.covers(next) || lasts(shared, next));
	}

	private boolean lasts(Hold shared, Waiter next) {
		long remaining = shared.remaining();
		return shared.renewal().goesOn() && !shared.renewal().tooShortFor(next.lease(), remaining)
				&& shared.tenure().lastsFor(remaining, next.lease());
	}

	/** Asks the store whether others still wait, or for a longer lease. */
	private void look(Hold shared, Readers joined, Waiter next) {
		long now = this.engine.now();
		if (joined.looking() || this.engine.finished()) {
			return;
		}
		if ((joined.covers(next) || lasts(shared, next)) && joined.nextLook() - now > 0) {
			shared.renewal().noLaterThan(joined.nextLook());
			return;
		}
		shared.renewal().lengthen(next.lease(), shared.remaining(), now);
		joined.look(next, now);
		renew(shared);
	}

	/** Whether the first in line waits for an answer to what was asked for it. */
	boolean answerOwed() {
		return this.readers != null && this.readers.looking();
	}

	/** Another process began to wait for the lock. */
	void contended(long now) {
		if (this.current != null) {
			this.current.tenure().contended(now);
		}
		if (this.readers != null) {
			this.readers.known(now);
		}
	}

	/** The lock stays here and goes to the next waiter; no command is sent. */
	void pass(Hold released, Waiter next, long now, WaitingLine others) {
		Hold hold = released.passTo(next, now);
		this.current = hold;
		hold.tenure().passed();
		next.end(new Waiter.Outcome.Granted(hold), this.monitor);
		waiting(others);
	}

	/** Sees to it that there are tokens for those who wait, if the lock may pass on. */
	void waiting(WaitingLine line) {
		Hold hold = this.current;
		Waiter next = line.first();
		if (hold != null && this.readers == null) {
			boolean passes = next != null && next.lease().equals(hold.renewal().lease());
			hold.tenure().waiting(passes ? line.length() : 0);
			reserveTokens(hold);
		}
	}

	/** Only where the hold would be renewed anyway: this extends it too. */
	private void reserveTokens(Hold hold) {
		Renewal renewal = hold.renewal();
		if (renewal.lease().renewed() && renewal.scheduled() && !hold.taker().ownerGone()
				&& hold.tenure().wantsTokens()) {
			renew(hold);
		}
	}

	/**
	 * Gives back one acquisition.
	 * @param hold the hold
	 * @param shared whether it was a shared one
	 * @return {@code true} if it was the last one and the hold is over
	 */
	boolean leave(Hold hold, boolean shared) {
		boolean last = hold.leave(shared);
		if (hold.state() == Hold.State.LOST) {
			if (last) {
				this.lost.remove(hold);
			}
		}
		else if (last) {
			return !kept(hold);
		}
		return last;
	}

	private boolean kept(Hold hold) {
		boolean kept = this.readers == null && this.minimum.begin(hold, this.engine.now());
		if (!kept) {
			hold.release();
			forget(hold);
		}
		else if (hold.renewal().scheduled() && !this.engine.finished()) {
			renew(hold);
		}
		return kept;
	}

	/**
	 * Ends a minimum hold that is over.
	 * @return what is to be released, or {@code null}
	 */
	@Nullable Hold endMinimum(long now) {
		Hold over = this.minimum.takeOver(now);
		if (over != null) {
			this.current = null;
		}
		return over;
	}

	/** Whether somebody is inside. */
	boolean isOwned() {
		return this.current != null && !this.minimum.keeps(this.current);
	}

	/** Whether the store has still to be told how long to keep it. */
	boolean minimumUntold() {
		return this.minimum.untold();
	}

	/** The store's hold is over with the last one here. */
	private void forget(Hold hold) {
		if (this.readers != null) {
			this.readers.remove(hold);
			if (!this.readers.isEmpty()) {
				return;
			}
			this.readers = null;
		}
		this.current = null;
	}

	/**
	 * The hold of a thread, lost ones included: they are to be reported.
	 * @param thread the thread
	 * @param shared how it must have been acquired
	 */
	@Nullable Hold ownedBy(Thread thread, boolean shared) {
		Hold live = liveOf(thread);
		if (live != null && live.entered(shared)) {
			return live;
		}
		return this.lost.stream()
			.filter((hold) -> hold.ownedBy(thread) && hold.entered(shared))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Lets the owner in once more, after an extension if its wish goes beyond the lease.
	 */
	void reenter(Hold hold, Waiter waiter) {
		Hold kept = (this.current != null) ? this.current : hold;
		if (kept.renewal().lengthen(waiter.lease(), kept.remaining(), this.engine.now())) {
			hold.addExtension(waiter, this.engine.now());
			renew(kept);
		}
		else {
			enter(hold, waiter);
		}
	}

	private void enter(Hold hold, Waiter nested) {
		hold.enter(nested.shared());
		if (this.readers != null && this.current != null) {
			hold.capNoSoonerThan(cap(nested, this.engine.now()));
			hold.follow(this.current);
		}
		nested.end(new Waiter.Outcome.Granted(hold), this.monitor);
	}

	/** The store answers nothing any more. */
	void abandonExtensions(RuntimeException failure) {
		forEach((hold) -> failExtensions(hold, failure));
	}

	void cancelExtension(Waiter waiter) {
		forEach((hold) -> hold.cancelExtension(waiter));
	}

	/** Goes through those who have the lock. */
	private void forEach(Consumer<Hold> action) {
		if (this.readers != null) {
			this.readers.all().forEach(action);
		}
		else if (this.current != null) {
			action.accept(this.current);
		}
	}

	void tick(long now) {
		this.lost.removeIf((hold) -> hold.taker().ownerGone());
		Hold hold = this.current;
		if (hold == null) {
			return;
		}
		if (isOwned()) {
			forEach((taken) -> {
				if (taken.becomesLong(now)) {
					this.engine.announcer().heldTooLong(taken);
				}
			});
		}
		if (this.readers != null && this.readers.missesAnswer(now, this.engine.timeoutNanos())) {
			this.events.lookFailed(this.engine.unanswered(this.key, null));
		}
		if (hold.renewal().due(now) && !this.engine.finished()) {
			renewIfOwned(hold, now);
		}
	}

	private void renewIfOwned(Hold hold, long now) {
		forEach((taken) -> {
			if (now - taken.extensionsSince() >= this.engine.timeoutNanos()) {
				failExtensions(taken, this.engine.unanswered(this.key, null));
			}
		});
		hold.tenure().notConfirmed();
		if (this.minimum.keeps(hold)) {
			repeatWhilePossible(hold, now);
		}
		else if ((this.readers != null) ? this.readers.ownersGone() : hold.taker().ownerGone()) {
			hold.renewal().stop();
			logger.warn("Lock '{}': thread '{}' ended without releasing it; it is not renewed any more",
					KeyText.of(this.key), hold.taker().ownerName());
		}
		else {
			noteLag(hold.renewal(), now);
			renew(hold);
		}
	}

	private void repeatWhilePossible(Hold kept, long now) {
		if (kept.deadline() - now > 0) {
			renew(kept);
		}
		else {
			kept.renewal().stop();
			logger.warn("Lock '{}': the store could not be told of its minimum hold; it may be taken by others before",
					KeyText.of(this.key));
		}
	}

	private void noteLag(Renewal renewal, long now) {
		long lag = now - renewal.nextSend();
		long lease = renewal.lease().duration().toMillis();
		if (this.engine.renewalLag().sent(renewal.nextSend(), now, renewal.lease())) {
			this.monitor.afterwards(() -> logger.warn(
					"Lock '{}': its renewal was sent {} ms late, the lease is {} ms: this process was stopped "
							+ "(garbage collection, suspended machine) or gets too little CPU, and may lose its locks",
					KeyText.of(this.key), TimeUnit.NANOSECONDS.toMillis(lag), lease));
		}
	}

	long dueBy(long latest) {
		long next = latest;
		Hold hold = this.current;
		if (hold != null && !this.minimum.keeps(hold)) {
			next = LocalDeadline.earlier(next, hold.deadline());
			next = (this.readers != null) ? this.readers.dueBy(next, this.engine.timeoutNanos()) : hold.longBy(next);
		}
		if (hold != null && !this.engine.finished()) {
			next = this.minimum.dueBy(hold.renewal().dueBy(next));
		}
		return this.lost.isEmpty() ? next
				: LocalDeadline.earlier(next, this.engine.now() + EngineContext.ORPHAN_CHECK_NANOS);
	}

	/** Renews what can be renewed, to know where it stands. */
	void suspect(long now) {
		loseIfExpired(now);
		if (this.current != null) {
			Renewal renewal = this.current.renewal();
			if (renewal.lease().renewed() && renewal.scheduled()) {
				renewal.hurry(now);
			}
		}
	}

	private void renew(Hold hold) {
		this.engine.watch().look();
		long sentAt = this.engine.now();
		Tenure tenure = hold.tenure();
		Lease lease = tenure.renewal().lease();
		tenure.asked(lease);
		// The store will count the lease from when it gets this, be it shorter than what
		// is left.
		hold.endNoLaterThan(LocalDeadline.after(sentAt, lease.duration().toMillis()));
		Readers sharing = this.readers;
		if (sharing != null) {
			sharing.follow(hold);
		}
		tenure.renewal().sent(sentAt, this.engine.timeoutNanos(), hold.deadline() - sentAt);
		this.engine.renew(hold, (sharing != null) ? 0 : tenure.reserve())
			.whenComplete(
					(result, failure) -> this.monitor.run(() -> answered(tenure, lease, sentAt, result, failure)));
	}

	/**
	 * The answer is about the tenure; the lock may have passed to another thread since.
	 */
	private void answered(Tenure tenure, Lease lease, long sentAt, @Nullable RenewResult result,
			@Nullable Throwable failure) {
		observeTime(result, sentAt);
		loseIfExpired(this.engine.now());
		Hold hold = this.current;
		if (hold == null || hold.tenure() != tenure) {
			return;
		}
		if (result instanceof RenewResult.Renewed renewed) {
			long now = this.engine.now();
			long believable = tenure.believable(lease, renewed.grant().remainingMillis());
			hold.confirmed(LocalDeadline.after(sentAt, believable));
			tenure.confirmed(renewed.grant(), renewed.waiters(), sentAt, now);
			if (this.readers != null) {
				confirmed(hold, this.readers, renewed.waiters(), sentAt);
			}
			else {
				boolean minimumUntold = this.minimum.keeps(hold) && !lease.equals(tenure.renewal().lease());
				if (!hold.extensionBegunAfter(sentAt) && !minimumUntold) {
					tenure.renewal().confirmed(now, hold.remaining());
				}
				grantExtensions(hold, sentAt);
			}
		}
		else if (result instanceof RenewResult.Gone) {
			boolean early = this.engine.watch().storeJumpedSince(hold.confirmedAt());
			forEach((taken) -> lose(taken, early ? LossReason.CLOCK_JUMP : LossReason.TAKEN));
		}
		else {
			failed(hold, failure);
		}
	}

	private void confirmed(Hold shared, Readers joined, int waiters, long sentAt) {
		if (waiters == 0) {
			shared.tenure().uncontended(sentAt);
		}
		joined.follow(shared);
		boolean nestedSince = joined.extensionBegunAfter(sentAt);
		boolean looking = joined.looking();
		joined.looked(sentAt);
		if (!nestedSince && !joined.looking()) {
			shared.renewal().confirmed(this.engine.now(), shared.remaining());
		}
		joined.all().forEach((hold) -> grantExtensions(hold, sentAt));
		if (looking && !joined.looking()) {
			this.events.looked();
		}
	}

	private void observeTime(@Nullable RenewResult result, long sentAt) {
		if (result instanceof RenewResult.Renewed renewed) {
			this.storeTime.observe(sentAt, renewed.grant().storeTime());
		}
		else if (result instanceof RenewResult.Gone gone && gone.storeTime() != 0) {
			this.storeTime.observe(sentAt, gone.storeTime());
		}
	}

	private void failed(Hold hold, @Nullable Throwable failure) {
		hold.tenure().notConfirmed();
		if (hold.renewal().failed(this.engine.clock())) {
			logger.warn("Lock '{}': renewal failed, repeating it for the {} ms left of the lease", KeyText.of(this.key),
					hold.remaining() / 1_000_000, failure);
		}
		LockStoreException cause = this.engine.storeFailure(this.key, failure);
		if (!(cause instanceof TransientStoreException)) {
			forEach((taken) -> failExtensions(taken, cause));
		}
		if (answerOwed()) {
			this.events.lookFailed(cause);
		}
	}

	/** An answer to what was sent before they asked does not concern them. */
	private void grantExtensions(Hold hold, long sentAt) {
		if (!hold.extensionBegunAfter(sentAt)) {
			for (Waiter nested : hold.takeExtensions()) {
				enter(hold, nested);
			}
		}
	}

	private void failExtensions(Hold hold, RuntimeException failure) {
		hold.takeExtensions().forEach((nested) -> nested.end(new Waiter.Outcome.Failed(failure), this.monitor));
	}

	void loseIfExpired(long now) {
		Hold hold = this.current;
		if (this.readers != null) {
			this.readers.expired(now).forEach((reader) -> lose(reader, reader.whyExpired(now)));
		}
		else if (hold != null && !this.minimum.keeps(hold) && hold.deadline() - now <= 0) {
			lose(hold, hold.whyExpired(now));
		}
	}

	private void lose(Hold hold, LossReason why) {
		forget(hold);
		if (this.minimum.keeps(hold)) {
			this.minimum.forget();
		}
		else if (hold.taker().reportsAtUnlock()) {
			this.lost.add(hold);
		}
		List<Runnable> callbacks = hold.lose(why);
		LockLostException loss = hold.lostException();
		failExtensions(hold, loss);
		this.monitor.afterwards(() -> {
			logger.warn("{}", loss.getMessage());
			this.engine.announcer().lost(loss.hold());
			callbacks.forEach(this.engine::callBack);
		});
		if (this.current == null) {
			this.events.freed(hold);
		}
	}

	/** Told, under the monitor, what others may wait for. */
	interface Events {

		/**
		 * The last hold was lost, and the next one may contend.
		 * @param lost the hold
		 */
		void freed(Hold lost);

		/** The store has answered what was asked for the first reader in line. */
		void looked();

		/**
		 * It has not; it is asked again.
		 * @param cause why
		 */
		void lookFailed(LockStoreException cause);

	}

}
