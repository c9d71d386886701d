package io.distlock.internal.key;

import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.ownership.LocalHolds;
import io.distlock.internal.request.Acquirer;
import io.distlock.internal.request.Finisher;
import io.distlock.internal.request.Release;
import io.distlock.internal.request.Renewer;
import io.distlock.internal.waiting.WaitQueue;
import io.distlock.internal.waiting.Waiter;
import io.distlock.observe.GrantKind;
import io.distlock.spi.TransientStoreException;

/**
 * Keeps the lease of one key while this process has the lock: hands the lock to the next
 * waiter here, renews the lease, and ends the holds that are lost. Confined to the
 * monitor of the key.
 */
final class LeaseKeeper {

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor;

	private final WaitQueue queue;

	private final Waiters waiters;

	private final LocalHolds holds;

	private final Acquirer acquirer;

	private final Renewer renewer;

	private final Finisher finisher;

	LeaseKeeper(String key, EngineContext engine, Monitor monitor, WaitQueue queue, Waiters waiters, LocalHolds holds,
			Acquirer acquirer, Renewer renewer, Finisher finisher) {
		this.key = key;
		this.engine = engine;
		this.monitor = monitor;
		this.queue = queue;
		this.waiters = waiters;
		this.holds = holds;
		this.acquirer = acquirer;
		this.renewer = renewer;
		this.finisher = finisher;
	}

	/**
	 * Releases one acquisition. A lost hold is ended in the store too, because a renewal
	 * without an answer may have extended it there.
	 */
	void release(Release release) {
		Hold hold = release.hold();
		LocalHolds.Left left = this.holds.leave(hold, release.shared());
		if (left != LocalHolds.Left.ENTERED && this.holds.isExtending(hold)) {
			this.holds.failExtensions(hold, this.engine.messages().released(this.key));
		}
		if (hold.state() == Hold.State.LOST) {
			release.reached(Release.Progress.LOST);
		}
		if (left == LocalHolds.Left.LOST_LEASE) {
			this.finisher.beginUnlessPending(hold.request(), hold.lease().renewals().longest());
		}
		else if (left == LocalHolds.Left.LEASE && !handOff(hold)) {
			finish(release);
		}
	}

	private void finish(Release release) {
		Hold last = release.hold();
		release.reached(Release.Progress.SENT);
		this.holds.releaseLast(last);
		this.finisher.begin(last.request(), last.lease().renewals().longest(), release);
		// Repeats the request of a writer behind these readers soon, because the
		// message with its grant may be lost.
		this.acquirer.hurry();
	}

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
		next.grant(handed, this.monitor);
		this.queue.remove(next);
		reserveTokens();
		return true;
	}

	/** Asks the store for further tokens if the waiters here will need them. */
	void reserveTokens() {
		boolean wanted = this.renewer.wantsTokens(this.queue.first(), this.queue.length());
		if (wanted && !this.holds.isOrphaned()) {
			this.renewer.verify();
		}
	}

	/** Sends the renewal that is due. Returns whether one was sent. */
	boolean renewIfDue() {
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

	/** Handles the answer to a renewal. */
	void renewed(Renewer.Answer answer) {
		Renewer.Verdict verdict = this.renewer.read(answer);
		if (verdict instanceof Renewer.Verdict.Confirmed confirmed) {
			boolean asked = this.holds.answerOwed();
			if (this.holds.confirmed(confirmed.requested(), confirmed.sentAt(), confirmed.before())) {
				this.renewer.planNext();
			}
			if (asked && !this.holds.answerOwed()) {
				this.waiters.probed();
			}
		}
		else if (verdict instanceof Renewer.Verdict.Gone gone) {
			lost(this.holds.loseAll(gone.why()));
		}
		else if (verdict instanceof Renewer.Verdict.StoreFailed failed) {
			renewalFailed(failed.cause());
		}
	}

	private void renewalFailed(LockStoreException cause) {
		boolean asks = this.holds.asks() || this.renewer.isAsking();
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
	void failReaders() {
		this.queue.failAll(this.engine.messages().unanswered(this.key, null));
	}

	private void lost(LocalHolds.AfterLoss after) {
		if (after instanceof LocalHolds.AfterLoss.Freed freed) {
			if (freed.finish()) {
				this.finisher.begin(freed.last().request(), freed.last().lease().renewals().longest());
			}
			this.acquirer.hurry();
			this.queue.waitedHere();
		}
	}

	/** Marks expired holds as lost. */
	void loseExpired() {
		if (!this.holds.isFree()) {
			lost(this.holds.loseExpired(this.engine.now()));
		}
	}

}
