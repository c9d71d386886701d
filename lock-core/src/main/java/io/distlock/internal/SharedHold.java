package io.distlock.internal;

/**
 * The one hold in the store that readers of this process share: who has joined it, who
 * may, and what the store is asked before the next one may. Joining is like passing on a
 * lock that is held alone, within the same bounds. Confined to the monitor of the key.
 */
final class SharedHold {

	/** What the store keeps; of nobody. */
	private final Hold hold;

	private final EngineContext engine;

	private final Monitor monitor;

	private final Renewer renewer;

	private final Readers readers = new Readers();

	private final Look look;

	/**
	 * Creates it, of nobody yet.
	 * @param hold what the store keeps
	 * @param confirmed whether the store has just said who waits
	 * @param engine what engines share
	 * @param monitor the monitor of the key
	 * @param renewer asks the store
	 */
	SharedHold(Hold hold, boolean confirmed, EngineContext engine, Monitor monitor, Renewer renewer) {
		this.hold = hold;
		this.engine = engine;
		this.monitor = monitor;
		this.renewer = renewer;
		this.look = new Look(hold.acquiredNanos(), confirmed);
	}

	Readers readers() {
		return this.readers;
	}

	Look look() {
		return this.look;
	}

	/** Lets a reader in. */
	void admit(Waiter next) {
		ReaderHold reader = new ReaderHold(this.hold, next, cap(next), this.engine.now());
		this.readers.add(reader);
		next.end(new Waiter.Outcome.Granted(reader), this.monitor);
	}

	/** A fixed lease ends for its reader, be it that the others' one is renewed. */
	private long cap(Waiter waiter) {
		Lease lease = waiter.lease();
		return lease.renewed() ? this.engine.never()
				: LocalDeadline.after(this.engine.now(), lease.duration().toMillis());
	}

	/**
	 * Lets a reader in if it may still join.
	 * @param next who is next in line
	 * @return whether it is in; otherwise the store is asked, if that may help
	 */
	boolean join(Waiter next) {
		boolean enough = this.look.covers(next) || lasts(next);
		if (enough && this.hold.tenure().mayShare(this.engine.now())) {
			this.hold.tenure().passed();
			admit(next);
			return true;
		}
		ask(next, enough);
		return false;
	}

	private boolean lasts(Waiter next) {
		long remaining = this.hold.remaining();
		Renewal renewal = this.hold.renewal();
		return renewal.goesOn() && !renewal.tooShortFor(next.lease(), remaining)
				&& this.hold.tenure().lastsFor(remaining, next.lease());
	}

	/** Asks the store whether others still wait, or for a longer lease. */
	private void ask(Waiter next, boolean enough) {
		long now = this.engine.now();
		if (this.look.pending() || this.engine.finished()) {
			return;
		}
		if (enough && this.look.next() - now > 0) {
			this.hold.renewal().noLaterThan(this.look.next());
			return;
		}
		this.hold.renewal().lengthen(next.lease(), this.hold.remaining(), now);
		this.look.begin(next, now);
		this.renewer.renew(this.hold, this);
	}

	/** A reader has entered its hold once more. */
	void nested(Hold reader, Waiter nested) {
		ReaderHold follower = (ReaderHold) reader;
		follower.capNoSoonerThan(cap(nested));
		follower.follow(this.hold);
	}

	/** What the store keeps will end sooner. */
	void follow() {
		this.readers.follow(this.hold);
	}

	/**
	 * The store has confirmed the hold.
	 * @param sentAt when it was asked
	 * @param waiters how many others wait
	 * @return whether the next reader in line waited for this
	 */
	boolean confirmed(long sentAt, int waiters) {
		if (waiters == 0) {
			this.hold.tenure().uncontended(sentAt);
		}
		this.readers.follow(this.hold);
		boolean asked = this.look.pending();
		this.look.answered(sentAt);
		if (!this.look.pending() && !this.readers.extensionBegunAfter(sentAt)) {
			this.hold.renewal().confirmed(this.engine.now(), this.hold.remaining());
		}
		return asked && !this.look.pending();
	}

	/**
	 * One of the readers has left, or lost its hold.
	 * @return whether it was the last one
	 */
	boolean leave(Hold reader) {
		this.readers.remove(reader);
		return this.readers.isEmpty();
	}

	long dueBy(long latest) {
		return this.readers.dueBy(this.look.dueBy(latest, this.engine.timeoutNanos()));
	}

}
