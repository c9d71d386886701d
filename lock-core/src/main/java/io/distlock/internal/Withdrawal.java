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

	private volatile int sends;

	/**
	 * Creates a withdrawal.
	 * @param request what to end
	 * @param pointlessAt when the request is over in the store by itself
	 */
	Withdrawal(RequestId request, long pointlessAt) {
		this.request = request;
		this.pointlessAt = pointlessAt;
	}

	RequestId request() {
		return this.request;
	}

	void sent(long now, long timeoutNanos) {
		this.sends++;
		this.nextSend = now + timeoutNanos;
	}

	void failed(long now) {
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

	/**
	 * Whether the answer is the one to the first command. After a repetition an answer
	 * that the request is unknown proves nothing.
	 */
	boolean answeredAtOnce() {
		return this.sends == 1;
	}

}
