package io.distlock.internal;

/**
 * The hold of one who shares a lock with others of this process. The store keeps one hold
 * for all of them, which this one follows, but for two reasons to end sooner: a fixed
 * lease of its own, and an owner that has died.
 */
final class ReaderHold extends Hold {

	/** When it ends even if what it shares is renewed. */
	private long cap;

	/**
	 * Creates it. Those who share have one token: it only has to differ from those of
	 * writers.
	 * @param shared what the store keeps; of nobody
	 * @param taker who shares it
	 * @param cap when it ends even if that one is renewed
	 * @param now the monotonic clock
	 */
	ReaderHold(Hold shared, Waiter taker, long cap, long now) {
		super(shared, taker, shared.fencingToken(), now);
		this.cap = cap;
		follow(shared);
	}

	/** Takes over until when what is shared may be believed in. */
	void follow(Hold shared) {
		long until = LocalDeadline.earlier(shared.deadline(), this.cap);
		if (taker().ownerGone()) {
			endNoLaterThan(until);
		}
		else {
			believeLike(shared, until);
		}
	}

	/** A nested acquisition may hold for longer. */
	void capNoSoonerThan(long later) {
		this.cap = (later - this.cap > 0) ? later : this.cap;
	}

}
