package io.distlock.internal;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/**
 * This process's contest for a key in the store: at most one request at a time, repeated
 * until it is granted, refused or given up. Confined to the monitor of the key.
 */
final class Contest {

	private final String key;

	private final int slot;

	private final EngineContext engine;

	private final Monitor monitor;

	private final Withdrawals withdrawals;

	private final StoreTime storeTime;

	private final Result result;

	private @Nullable Contender current;

	Contest(String key, int slot, EngineContext engine, Monitor monitor, Withdrawals withdrawals, StoreTime storeTime,
			Result result) {
		this.key = key;
		this.slot = slot;
		this.engine = engine;
		this.monitor = monitor;
		this.withdrawals = withdrawals;
		this.storeTime = storeTime;
		this.result = result;
	}

	boolean isIdle() {
		return this.current == null;
	}

	/** Whether what is asked for, if anything, is what a waiter wants. */
	boolean isFor(@Nullable Waiter waiter) {
		return this.current == null || waiter == null || this.current.speaker().sharing().equals(waiter.sharing());
	}

	/** Whether the store owes an answer to the request. */
	boolean answerOwed() {
		return this.current != null && this.current.unanswered();
	}

	/** Who holds the lock, as far as the store told. */
	@Nullable Holder holder() {
		return (this.current != null) ? this.current.holder() : null;
	}

	/**
	 * Enters a request.
	 * @param speaker the waiter whose lease and caller it carries
	 * @param queue whether it stays in the store's queue
	 * @param tokens how many fencing tokens to reserve
	 */
	void enter(Waiter speaker, boolean queue, int tokens) {
		Contender contender = new Contender(this.engine.nextRequest(this.slot), speaker, queue, tokens,
				this.engine.newBackoff());
		this.current = contender;
		ask(contender);
	}

	/** Ends the request, if there is one, here and in the store. */
	void withdraw() {
		Contender contender = this.current;
		if (contender != null) {
			this.current = null;
			this.withdrawals.begin(contender.request(), contender.speaker().lease());
		}
	}

	/** The message that somebody waits may overtake the answer that we hold. */
	void contended() {
		if (this.current != null) {
			this.current.markContended();
		}
	}

	/** Makes the next repetition due at once. */
	void hurry() {
		if (this.current != null) {
			this.current.hurry(this.engine.now());
		}
	}

	/**
	 * The store says, unasked, that a request was granted.
	 * @param request the request
	 * @param grant the hold
	 * @return {@code false} if the request is not the current one
	 */
	boolean granted(RequestId request, Grant grant) {
		Contender contender = this.current;
		if (contender == null || !contender.request().equals(request)) {
			return false;
		}
		// The machine may have slept since the message was sent.
		this.engine.watch().look();
		long now = this.engine.now();
		long deadline = contender.believeUntil(grant, now);
		if (deadline - now < EngineContext.SHORTEST_BELIEF_NANOS) {
			// Too little is known, or left: the answer to a repetition settles it.
			contender.hurry(now);
		}
		else {
			this.current = null;
			// Whoever had to wait is seldom the last one who did; the confirmation will
			// tell.
			this.result.granted(contender, new Win(grant, deadline, true, false));
		}
		return true;
	}

	void tick(long now) {
		Contender contender = this.current;
		if (contender == null) {
			return;
		}
		if (contender.givenUp(now, this.engine.timeoutNanos())) {
			this.result.failed(this.engine.failures().unanswered(this.key, contender.lastFailure()));
		}
		else if (contender.sendDue(now)) {
			ask(contender);
		}
	}

	long dueBy(long latest) {
		return (this.current != null) ? LocalDeadline.earlier(latest, this.current.due(this.engine.timeoutNanos()))
				: latest;
	}

	private void ask(Contender contender) {
		this.engine.watch().look();
		long sentAt = this.engine.now();
		contender.sent(sentAt);
		this.engine.commands()
			.acquire(this.key, contender)
			.whenComplete((answer, failure) -> this.monitor.run(() -> answered(contender, sentAt, answer, failure)));
	}

	private void answered(Contender asked, long sentAt, @Nullable AcquireResult answer, @Nullable Throwable failure) {
		if (asked != this.current) {
			// Ended here meanwhile; its withdrawal follows this command.
			return;
		}
		if (answer instanceof AcquireResult.Granted granted) {
			this.current = null;
			this.engine.watch().look();
			Grant grant = granted.grant();
			this.storeTime.observe(sentAt, grant.storeTime());
			long deadline = LocalDeadline.after(sentAt, grant.remainingMillis());
			this.result.granted(asked, new Win(grant, deadline, granted.waiters() > 0 || asked.contended(), true));
		}
		else if (answer instanceof AcquireResult.Queued queued) {
			this.storeTime.observe(sentAt, queued.storeTime());
			asked.queued(queued, sentAt, this.engine.now());
			this.result.refused(queued.holder());
		}
		else if (answer instanceof AcquireResult.Busy busy) {
			this.current = null;
			this.result.refused(busy.holder());
		}
		else if (answer instanceof AcquireResult.Ended) {
			this.current = null;
			this.result.ended();
		}
		else {
			failed(asked, failure);
		}
	}

	private void failed(Contender asked, @Nullable Throwable failure) {
		LockStoreException cause = this.engine.failures().ofStore(this.key, failure);
		long now = this.engine.now();
		if (cause instanceof TransientStoreException && !asked.givenUp(now, this.engine.timeoutNanos())) {
			asked.failed(now, cause);
		}
		else {
			this.result.failed(cause);
		}
	}

	/**
	 * A contest won.
	 *
	 * @param grant the hold
	 * @param deadline until when to believe in it
	 * @param contended whether other processes are known to wait
	 * @param confirmed whether the store knows that we know
	 */
	record Win(Grant grant, long deadline, boolean contended, boolean confirmed) {

		/**
		 * The first hold of the tenure that begins.
		 * @param key the key
		 * @param winner the request that was granted
		 * @param next the thread that gets it
		 * @param engine what engines share
		 * @return the hold, whose renewal is planned
		 */
		Hold firstHold(String key, Contender winner, Waiter next, EngineContext engine) {
			long now = engine.now();
			Renewal renewal = new Renewal(next.lease(), now, engine.newBackoff());
			Tenure tenure = new Tenure(winner.request(), this.grant, renewal, now, this.deadline - now);
			if (this.contended) {
				tenure.contended(now);
			}
			Hold hold = new Hold(key, tenure, next, this.deadline, engine.clock());
			boolean sameLease = next.lease().duration().equals(winner.speaker().lease().duration());
			if (!sameLease) {
				// The store granted the lease of a thread that has gone; ask for this
				// one's.
				hold.endNoLaterThan(LocalDeadline.after(now, next.lease().duration().toMillis()));
			}
			if (!sameLease || !(this.confirmed || next.lease().renewed())) {
				// Soon, but by the housekeeper: off the way to the waiter.
				renewal.hurry(now);
			}
			else if (!this.confirmed) {
				// Not at once: most holds are over before, and spare the command.
				renewal.within(now, (this.deadline - now) / 10);
			}
			return hold;
		}

	}

	/** Told how the contest goes, under the monitor. */
	interface Result {

		/**
		 * The request holds the lock, and is not the current one any more.
		 * @param winner the request
		 * @param win what it won
		 */
		void granted(Contender winner, Win win);

		/**
		 * Somebody else holds the lock; the request is over unless it is queued.
		 * @param holder who, as far as known
		 */
		void refused(@Nullable Holder holder);

		/** The request had ended in the store. */
		void ended();

		/**
		 * The outcome is unknown.
		 * @param cause why
		 */
		void failed(LockStoreException cause);

	}

}
