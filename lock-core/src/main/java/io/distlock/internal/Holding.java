package io.distlock.internal;

import java.util.List;
import java.util.function.Consumer;

import io.distlock.LockLostException;
import io.distlock.LossReason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the store keeps of a key for this process, and who has it: one alone, readers
 * together, or nobody for the rest of a minimum hold. Confined to the monitor of the key.
 */
final class Holding {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private final LostHolds lost = new LostHolds();

	private final MinimumHold minimum = new MinimumHold();

	private final EngineContext engine;

	private final Monitor monitor;

	private final Renewer renewer;

	private final Nesting nesting;

	/** The hold; of nobody if it is shared: the readers' ones follow it. */
	private @Nullable Hold current;

	/** There while the hold is shared. */
	private @Nullable SharedHold sharing;

	/**
	 * Creates it, free.
	 * @param engine what engines share
	 * @param monitor the monitor of the key
	 * @param renewer asks the store for more time
	 */
	Holding(EngineContext engine, Monitor monitor, Renewer renewer) {
		this.engine = engine;
		this.monitor = monitor;
		this.renewer = renewer;
		this.nesting = new Nesting(engine, monitor, renewer);
	}

	/** The hold as the store knows it. */
	@Nullable Hold current() {
		return this.current;
	}

	/** The hold of one who has the lock. */
	@Nullable Hold anyones() {
		return (this.sharing != null) ? this.sharing.readers().first() : this.current;
	}

	/** Whether several may have the lock, and have it. */
	boolean isShared() {
		return this.sharing != null;
	}

	/** Holds that are lost and not told of yet. */
	LostHolds lost() {
		return this.lost;
	}

	/** Whether a hold, be it over, is of what the store keeps for this process now. */
	boolean keeps(Hold hold) {
		return this.current != null && this.current.tenure() == hold.tenure();
	}

	/** The hold that a thread can enter once more. */
	@Nullable Hold liveOf(@Nullable Thread thread) {
		if (this.sharing != null) {
			return this.sharing.readers().of(thread);
		}
		return (this.current != null && this.current.ownedBy(thread)) ? this.current : null;
	}

	boolean isFree() {
		return this.current == null;
	}

	boolean isEmpty() {
		return this.current == null && this.lost.isEmpty();
	}

	/** Those who share it, or {@code null}. */
	@Nullable SharedHold sharing() {
		return this.sharing;
	}

	/** How threads enter what they hold. */
	Nesting nesting() {
		return this.nesting;
	}

	/** What is kept though nobody is inside any more. */
	MinimumHold minimum() {
		return this.minimum;
	}

	/** Whether nobody is left who could ever release it. */
	boolean isOrphaned() {
		return (this.sharing != null) ? this.sharing.readers().ownersGone()
				: this.current != null && this.current.taker().ownerGone();
	}

	/** Whether somebody is inside. */
	boolean isOwned() {
		return this.current != null && !this.minimum.keeps(this.current);
	}

	/**
	 * The hold of a thread, lost ones included: they are to be reported.
	 * @param thread the thread
	 * @param shared how it must have been acquired
	 */
	@Nullable Hold ownedBy(Thread thread, boolean shared) {
		Hold live = liveOf(thread);
		return (live != null && live.entered(shared)) ? live : this.lost.of(thread, shared);
	}

	/**
	 * Begins a tenure with its first hold.
	 * @param hold the hold
	 * @param confirmed whether the store has just said who waits
	 */
	void begin(Hold hold, boolean confirmed) {
		this.current = hold;
		if (hold.taker().shared()) {
			this.sharing = new SharedHold(hold, confirmed, this.engine, this.monitor, this.renewer);
			this.sharing.admit(hold.taker());
		}
		else {
			hold.taker().end(new Waiter.Outcome.Granted(hold), this.monitor);
		}
	}

	/** Lets a reader in if the hold is shared and may still be joined. */
	boolean share(Waiter next) {
		return this.sharing != null && this.sharing.join(next);
	}

	/** Whether the first in line waits for an answer to what was asked for it. */
	boolean answerOwed() {
		return this.sharing != null && this.sharing.look().pending();
	}

	/** Another process began to wait for the lock. */
	void contended(long now) {
		if (this.current != null) {
			this.current.tenure().contended(now);
		}
		if (this.sharing != null) {
			this.sharing.look().known(now);
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
		if (hold != null && this.sharing == null) {
			Waiter next = line.first();
			boolean passes = next != null && next.lease().equals(hold.renewal().lease());
			hold.tenure().waiting(passes ? line.length() : 0);
			// Only where the hold would be renewed anyway: this extends it too.
			if (hold.renewal().lease().renewed() && hold.renewal().scheduled() && !hold.taker().ownerGone()
					&& hold.tenure().wantsTokens()) {
				this.renewer.renew(hold, null);
			}
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
		if (!last) {
			return false;
		}
		if (hold.state() == Hold.State.LOST) {
			this.lost.remove(hold);
			return true;
		}
		return !kept(hold);
	}

	private boolean kept(Hold hold) {
		boolean kept = this.sharing == null && this.minimum.begin(hold, this.engine.now());
		if (!kept) {
			hold.release();
			forget(hold);
		}
		else if (hold.renewal().scheduled() && !this.engine.finished()) {
			this.renewer.renew(hold, null);
		}
		return kept;
	}

	/** The store's hold is over with the last one here. */
	private void forget(Hold hold) {
		if (this.sharing == null || this.sharing.leave(hold)) {
			this.sharing = null;
			this.current = null;
		}
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

	/** A hold is over without a release. */
	void lose(Hold hold, LossReason why) {
		forget(hold);
		if (this.minimum.keeps(hold)) {
			this.minimum.forget();
		}
		else {
			this.lost.add(hold);
		}
		List<Runnable> callbacks = hold.lose(why);
		LockLostException loss = hold.lostException();
		this.nesting.fail(hold, loss);
		this.monitor.afterwards(() -> {
			logger.warn("{}", loss.getMessage());
			this.engine.announcer().lost(loss.loss());
			callbacks.forEach(this.engine::callBack);
		});
	}

	/** Lets the owner in once more, now or when its lease is long enough. */
	void reenter(Hold hold, Waiter nested) {
		this.nesting.enter(hold, nested, (this.current != null) ? this.current : hold, this.sharing);
	}

	/** The store answers nothing any more. */
	void abandonExtensions(RuntimeException failure) {
		forEach((hold) -> this.nesting.fail(hold, failure));
	}

	void cancelExtension(Waiter nested) {
		forEach((hold) -> this.nesting.cancel(hold, nested));
	}

	/** Goes through those who have the lock. */
	void forEach(Consumer<Hold> action) {
		if (this.sharing != null) {
			this.sharing.readers().all().forEach(action);
		}
		else if (this.current != null) {
			action.accept(this.current);
		}
	}

}
