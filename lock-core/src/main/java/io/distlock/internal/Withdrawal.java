package io.distlock.internal;

import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;

/**
 * A request that is over here but not yet in the store. Repeated until the store confirms
 * or can no longer act on the request, so that no hold is orphaned by a lost answer.
 * Confined to the monitor of the lock's entry.
 */
final class Withdrawal {

	private final RequestId request;

	private long pointlessAt;

	private final Ending ending;

	private final Backoff backoff;

	private long nextSend;

	private boolean conclusive = true;

	private boolean told;

	/**
	 * Creates a withdrawal.
	 * @param request what to end
	 * @param pointlessAt when the request is over in the store by itself
	 * @param ending told how it ended
	 * @param backoff when to repeat it
	 */
	Withdrawal(RequestId request, long pointlessAt, Ending ending, Backoff backoff) {
		this.request = request;
		this.pointlessAt = pointlessAt;
		this.ending = ending;
		this.backoff = backoff;
	}

	RequestId request() {
		return this.request;
	}

	/**
	 * How to tell that the store answered; a second answer is not news.
	 * @param result the answer
	 * @return to be run outside the monitor
	 */
	Runnable confirmed(FinishResult result) {
		boolean news = !this.told;
		boolean proof = this.conclusive;
		this.told = true;
		return news ? () -> this.ending.confirmed(result, proof) : () -> {
		};
	}

	/** How to tell that the store never answered. */
	Runnable abandoned() {
		this.told = true;
		return this.ending::abandoned;
	}

	void sent(long now, long timeoutNanos) {
		this.nextSend = now + timeoutNanos;
	}

	void failed(long now) {
		this.conclusive = false;
		this.nextSend = now + this.backoff.next();
	}

	boolean pointless(long now) {
		return now - this.pointlessAt >= 0;
	}

	/** An unanswered command is repeated too: the connection may have swallowed it. */
	boolean sendDue(long now) {
		return now - this.nextSend >= 0;
	}

	long due() {
		return LocalDeadline.earlier(this.nextSend, this.pointlessAt);
	}

	/** From now on an answer that the request is unknown proves nothing. */
	void supersede() {
		this.conclusive = false;
	}

	/**
	 * Lets this one be, if the newer one ends its request too.
	 * @param newer takes over how long the request may last in the store
	 * @return whether it does
	 */
	boolean replacedBy(Withdrawal newer) {
		boolean replaced = !this.ending.awaited() && this.request.number() < newer.request.number();
		if (replaced && this.pointlessAt - newer.pointlessAt > 0) {
			newer.pointlessAt = this.pointlessAt;
		}
		return replaced;
	}

}
