package io.distlock.internal.key;

import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.ownership.LocalHolds;
import io.distlock.internal.request.AcquireRequest;
import io.distlock.internal.request.Acquirer;
import io.distlock.internal.request.Finisher;
import io.distlock.internal.request.Renewer;
import io.distlock.internal.waiting.WaitQueue;
import io.distlock.internal.waiting.Waiter;

/**
 * Competes in the store for the first waiter of one key, and reads what the store
 * answers. Confined to the monitor of the key.
 */
final class Contender {

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor;

	private final WaitQueue queue;

	private final Waiters waiters;

	private final LocalHolds holds;

	private final Acquirer acquirer;

	private final Renewer renewer;

	private final Finisher finisher;

	Contender(String key, EngineContext engine, Monitor monitor, WaitQueue queue, Waiters waiters, LocalHolds holds,
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
	 * Requests the lock from the store for the first waiter, if there is neither a
	 * request nor a lease. For a writer it also does so while readers of this process
	 * hold the lock. A newer request would end a hold that the store must keep. So no
	 * request is sent until the store has confirmed that it keeps the hold.
	 * @return whether a request was sent, which may already be answered
	 */
	boolean contend() {
		Waiter first = this.queue.first();
		if (first == null || this.finisher.isKeeping() || !this.acquirer.isIdle()) {
			return false;
		}
		boolean leased = this.renewer.lease() != null;
		boolean asks = !leased || isBehindReaders(first);
		if (asks) {
			this.acquirer.begin(first, this.queue.anyPatient(), leased, this.finisher);
		}
		return asks;
	}

	private boolean isBehindReaders(Waiter first) {
		return this.holds.isRead() && !first.shared() && first.patient() && this.engine.queuesInStore();
	}

	/** Ends the request if no waiter wants it, or the first waiter wants another kind. */
	void withdrawIfUnwanted() {
		boolean unwanted = this.queue.isEmpty() || !this.acquirer.isFor(this.queue.first());
		AcquireRequest request = unwanted ? this.acquirer.takeCurrent() : null;
		if (request != null) {
			this.finisher.begin(request.id(), request.waiter().term());
		}
	}

	/** Handles what the store answered. */
	void answered(Acquirer.Verdict verdict) {
		if (verdict instanceof Acquirer.Verdict.Won won) {
			won(won);
		}
		else if (verdict instanceof Acquirer.Verdict.NotGranted answered) {
			this.waiters.announce(SlotNews.KNOWN);
			this.queue.waitFor(answered.holder());
			this.waiters.refuseOverdue(answered.holder());
		}
		else if (verdict instanceof Acquirer.Verdict.Ended) {
			this.waiters.failOverdue(this.engine.messages().requestEnded(this.key));
		}
		else if (verdict instanceof Acquirer.Verdict.StoreFailed failed) {
			this.waiters.announce(new SlotNews.StoreFailed(failed.cause()));
			this.queue.failAll(failed.cause());
		}
	}

	private void won(Acquirer.Verdict.Won won) {
		Waiter next = this.queue.first();
		Acquirer.Verdict.Fit fit = won.fitFor(next, this.engine.now());
		if (next == null || fit == Acquirer.Verdict.Fit.UNWANTED) {
			giveBack(won);
		}
		else if (fit == Acquirer.Verdict.Fit.EXPIRED) {
			grantedTooLate(won.request().waiter());
			giveBack(won);
		}
		else if (!this.holds.isFree()) {
			// The store has forgotten the readers here. Its answer to their renewal
			// will show it.
			this.renewer.verify();
			giveBack(won);
		}
		else if (fit == Acquirer.Verdict.Fit.TOO_LONG) {
			this.waiters.refuseOverdue(this.waiters.knownHolder());
			this.waiters.announce(SlotNews.KNOWN);
			giveBack(won);
		}
		else {
			begin(won, next);
			this.waiters.announce(SlotNews.KNOWN);
			if (won.request().isRevoked()) {
				this.renewer.confirm();
			}
			this.waiters.probed();
		}
	}

	/**
	 * Handles a grant that was over when it arrived. It was requested with the lease of
	 * one waiter. Those whose lease is longer are asked for again, as a short lease of
	 * another caller is no reason to fail. If that waiter itself still waits, it is asked
	 * for first, and the others are behind it.
	 */
	private void grantedTooLate(Waiter asked) {
		LockStoreException cause = this.engine.messages().grantedTooLate(this.key, asked.term());
		this.queue.failOverdue(this.engine.now(), cause, asked.term());
		if (this.queue.contains(asked)) {
			this.waiters.refuseOverdue(this.waiters.knownHolder());
		}
		this.waiters.announce(new SlotNews.Answered(cause));
	}

	private void begin(Acquirer.Verdict.Won won, Waiter next) {
		StoreLease lease = won.lease(next, this.engine);
		next.grantedBy(won.kind());
		Hold hold = this.holds.begin(lease, next);
		this.renewer.begin(lease);
		next.grant(hold, this.monitor);
		this.queue.remove(next);
	}

	/** Ends the request that was granted. */
	private void giveBack(Acquirer.Verdict.Won won) {
		this.finisher.begin(won.request().id(), won.request().waiter().term());
	}

}
