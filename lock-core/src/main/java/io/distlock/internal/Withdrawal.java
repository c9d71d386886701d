package io.distlock.internal;

import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;

/**
 * A request that is over here but not yet in the store. Repeated until the store confirms
 * or can no longer act on the request, so that no hold is orphaned by a lost answer. The
 * slot is for the thread that releases. Confined to the monitor of the lock's entry.
 */
final class Withdrawal extends Slot<FinishResult> {

	private final RequestId request;

	private final long pointlessAt;

	private final Backoff backoff = new Backoff();

	private long nextSend;

	private final boolean awaited;

	private volatile boolean conclusive = true;

	/**
	 * Creates a withdrawal.
	 * @param request what to end
	 * @param pointlessAt when the request is over in the store by itself
	 * @param awaited whether the calling thread waits for the answer
	 */
	Withdrawal(RequestId request, long pointlessAt, boolean awaited) {
		this.request = request;
		this.pointlessAt = pointlessAt;
		this.awaited = awaited;
	}

	RequestId request() {
		return this.request;
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

	/** Whether an answer that the request is unknown means that the store lost it. */
	boolean conclusive() {
		return this.conclusive;
	}

	boolean replacedBy(Withdrawal newer) {
		return !this.awaited && this.request.number() < newer.request.number();
	}

	@Override
	void wake() {
		if (this.awaited) {
			super.wake();
		}
	}

}
