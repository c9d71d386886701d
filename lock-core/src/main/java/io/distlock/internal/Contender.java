package io.distlock.internal;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * This process's one live request for a lock in the store. Confined to the monitor of the
 * lock's entry.
 */
final class Contender {

	private final RequestId request;

	private final Waiter speaker;

	private final boolean queue;

	private final int tokens;

	private final Backoff backoff;

	private boolean inFlight;

	private boolean unanswered;

	private long unansweredSince;

	private long nextSend;

	private boolean hasSample;

	private long sampleSentAt;

	private long sampleStoreTime;

	private boolean grantedBeforeAnswer;

	private boolean contended;

	private @Nullable Holder holder;

	private @Nullable LockStoreException lastFailure;

	/**
	 * Creates a request.
	 * @param request its name
	 * @param speaker the waiter whose lease and caller it carries
	 * @param queue whether it stays in the store's queue
	 * @param tokens how many fencing tokens to reserve
	 * @param backoff when to repeat it
	 */
	Contender(RequestId request, Waiter speaker, boolean queue, int tokens, Backoff backoff) {
		this.request = request;
		this.speaker = speaker;
		this.queue = queue;
		this.tokens = tokens;
		this.backoff = backoff;
	}

	RequestId request() {
		return this.request;
	}

	Waiter speaker() {
		return this.speaker;
	}

	boolean queue() {
		return this.queue;
	}

	int tokens() {
		return this.tokens;
	}

	boolean contended() {
		return this.contended;
	}

	void markContended() {
		this.contended = true;
	}

	@Nullable Holder holder() {
		return this.holder;
	}

	/**
	 * Whether the store owes an answer, be it that a command failed and is to be
	 * repeated.
	 */
	boolean unanswered() {
		return this.unanswered;
	}

	void sent(long now) {
		if (!this.unanswered) {
			this.unanswered = true;
			this.unansweredSince = now;
		}
		this.inFlight = true;
	}

	/** The last failure since the store last answered, or {@code null}. */
	@Nullable LockStoreException lastFailure() {
		return this.lastFailure;
	}

	void failed(long now, LockStoreException failure) {
		this.inFlight = false;
		this.lastFailure = failure;
		this.nextSend = now + this.backoff.next();
	}

	void queued(AcquireResult.Queued answer, long sentAt, long now) {
		this.inFlight = false;
		this.unanswered = false;
		this.lastFailure = null;
		this.backoff.reset();
		this.hasSample = true;
		this.sampleSentAt = sentAt;
		this.sampleStoreTime = answer.storeTime();
		this.holder = answer.holder();
		this.nextSend = this.grantedBeforeAnswer ? now : now + answer.pollWithin().toNanos();
		this.grantedBeforeAnswer = false;
	}

	/** Makes the next repetition due at once. */
	void hurry(long now) {
		this.grantedBeforeAnswer = this.inFlight;
		this.nextSend = now;
	}

	/**
	 * Until when a pushed grant may be believed in. The message may have been under way
	 * for any time, so its arrival proves nothing; the last answer ties the store's clock
	 * to ours.
	 * @param grant the grant
	 * @param now when it arrived
	 * @return the deadline, or {@code now} if the grant must be confirmed first
	 */
	long believeUntil(Grant grant, long now) {
		if (!this.hasSample) {
			return now;
		}
		long sinceSample = LocalDeadline.after(this.sampleSentAt, grant.expiresAt() - this.sampleStoreTime);
		// A repetition under way may turn the claim into the lease, which may be shorter.
		long ifConfirmed = LocalDeadline.after(this.sampleSentAt, this.speaker.lease().duration().toMillis());
		long sinceArrival = LocalDeadline.after(now, grant.remainingMillis());
		return LocalDeadline.earlier(ifConfirmed, LocalDeadline.earlier(sinceSample, sinceArrival));
	}

	boolean sendDue(long now) {
		return !this.inFlight && now - this.nextSend >= 0;
	}

	boolean givenUp(long now, long timeoutNanos) {
		return this.unanswered && now - this.unansweredSince >= timeoutNanos;
	}

	long due(long timeoutNanos) {
		if (!this.unanswered) {
			return this.nextSend;
		}
		long giveUp = this.unansweredSince + timeoutNanos;
		return this.inFlight ? giveUp : LocalDeadline.earlier(giveUp, this.nextSend);
	}

}
