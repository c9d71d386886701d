package io.distlock.internal.key;

import io.distlock.internal.time.LocalDeadline;

/**
 * The hold of one reader. The store keeps one hold for all readers of this process, which
 * this one follows. It ends sooner for two reasons: a fixed lease time, or an owner that
 * has ended.
 */
final class ReaderHold extends Hold {

	/** When it ends even if the hold in the store is renewed. */
	private long cap;

	/**
	 * Creates a hold. All readers have one token: it only has to differ from those of
	 * writers.
	 * @param stored the hold in the store, without an owner
	 * @param taker the reader
	 * @param cap when it ends even if the hold in the store is renewed
	 * @param now the monotonic clock
	 */
	ReaderHold(Hold stored, Waiter taker, long cap, long now) {
		super(stored, taker, stored.fencingToken(), now);
		this.cap = cap;
		follow(stored);
	}

	@Override
	void follow(Hold stored) {
		// mutant: reader-cap
		long until = LocalDeadline.earlier(stored.deadline(), this.cap);
		// mutant: reader-gone
		boolean gone = taker().ownerGone();
		if (gone) {
			endNoLaterThan(until);
		}
		else {
			validLike(stored, until);
		}
	}

	/** A nested acquisition may hold for longer. */
	void capNoSoonerThan(long later) {
		this.cap = (later - this.cap > 0) ? later : this.cap;
	}

}
