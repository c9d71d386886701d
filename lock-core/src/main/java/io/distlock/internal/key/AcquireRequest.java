package io.distlock.internal.key;

import java.util.concurrent.TimeUnit;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * The one live request of this process for a key. It is sent again until the store grants
 * or refuses it, or it is given up. Confined to the monitor of the key.
 */
final class AcquireRequest {

	/** How far the store's clock may run ahead of ours since its last answer. */
	private static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final RequestId id;

	private final Waiter waiter;

	private final boolean queue;

	private final int tokens;

	private Backoff backoff;

	private Sending sending = Sending.ANSWERED;

	/** When the store must have answered what was sent since its last answer. */
	private long giveUpAt;

	private long nextSend;

	/** What the clock had skipped when it was last sent. */
	private long skippedBefore;

	/** Whether it is due, but waits for the answer to another command. */
	private boolean heldBack;

	private @Nullable Queued queued;

	/** Whether to ask again at once: an unusable grant arrived during a command. */
	private boolean askAgain;

	/** Whether a message has reported a grant. */
	private boolean pushed;

	private boolean contended;

	private boolean revoked;

	private @Nullable LockStoreException lastFailure;

	/**
	 * Creates a request.
	 * @param id its name
	 * @param waiter the waiter whose lease and caller it carries
	 * @param queue whether it stays in the store's queue
	 * @param tokens how many fencing tokens to reserve
	 * @param backoff when to repeat it
	 */
	AcquireRequest(RequestId id, Waiter waiter, boolean queue, int tokens, Backoff backoff) {
		this.id = id;
		this.waiter = waiter;
		this.queue = queue;
		this.tokens = tokens;
		this.backoff = backoff;
	}

	RequestId id() {
		return this.id;
	}

	Waiter waiter() {
		return this.waiter;
	}

	boolean queue() {
		return this.queue;
	}

	int tokens() {
		return this.tokens;
	}

	/** Returns whether other processes are known to wait. */
	boolean contended() {
		return this.contended;
	}

	void markContended() {
		this.contended = true;
	}

	/**
	 * Returns whether its hold may have been released by force before the grant arrived.
	 */
	boolean isRevoked() {
		return this.revoked;
	}

	void markRevoked() {
		this.revoked = true;
	}

	/** The holder of the lock, as far as the store reported. */
	@Nullable Holder holder() {
		return (this.queued != null) ? this.queued.holder() : null;
	}

	/** Returns whether it had to wait in the store. */
	boolean wasQueued() {
		return this.queued != null;
	}

	/**
	 * Returns whether the store owes an answer, even if a command failed and is repeated.
	 */
	boolean unanswered() {
		return this.sending != Sending.ANSWERED;
	}

	/** The last failure since the store last answered, or {@code null}. */
	@Nullable LockStoreException lastFailure() {
		return this.lastFailure;
	}

	/**
	 * A command is being sent. How long the store may take is decided for the first one
	 * since its last answer: a store that connects may take longer for that one.
	 * @param now the monotonic clock
	 * @param skipped what that has skipped so far
	 * @param timeoutNanos how long the store may take to answer
	 */
	void sent(long now, long skipped, long timeoutNanos) {
		if (!unanswered()) {
			this.giveUpAt = now + timeoutNanos;
		}
		this.sending = Sending.IN_FLIGHT;
		this.heldBack = false;
		this.skippedBefore = skipped;
	}

	/** What the clock had skipped when it was last sent. */
	long skippedBefore() {
		return this.skippedBefore;
	}

	void failed(long now, LockStoreException failure) {
		this.sending = Sending.FAILED;
		this.lastFailure = failure;
		this.nextSend = now + this.backoff.delay();
		this.backoff = this.backoff.next();
	}

	/** Returns whether the last command failed, and is to be repeated. */
	boolean hasFailed() {
		return this.sending == Sending.FAILED;
	}

	/** Waits until another command has shown whether the store answers again. */
	void holdBack(long until) {
		this.heldBack = true;
		this.nextSend = until;
	}

	/** The store answers again: it is due if it was held back. */
	void resume(long now) {
		if (this.heldBack) {
			this.heldBack = false;
			this.nextSend = now;
		}
	}

	void queued(AcquireResult.Queued answer, long sentAt, long now) {
		this.sending = Sending.ANSWERED;
		this.lastFailure = null;
		this.backoff = this.backoff.reset();
		this.queued = new Queued(sentAt, answer.storeTime(), answer.holder());
		this.nextSend = this.askAgain ? now : now + answer.pollWithin().toNanos();
		this.askAgain = false;
	}

	/** Makes the next repetition due at once. */
	void hurry(long now) {
		this.askAgain = this.sending == Sending.IN_FLIGHT;
		this.nextSend = now;
	}

	/**
	 * Returns until when a pushed grant is valid. The message may have been on its way
	 * for any time, so its arrival proves nothing; the last answer ties the store's clock
	 * to the local clock. A grant from the future of the store's clock is not believed.
	 * @param grant the grant
	 * @param now when it arrived
	 * @return the deadline, or {@code now} if the grant must be confirmed first. Only the
	 * first message counts: who can read messages could change it and send it again
	 */
	long validUntil(Grant grant, long now) {
		boolean again = this.pushed;
		this.pushed = true;
		if (again || this.queued == null) {
			return now;
		}
		long sentAt = this.queued.sentAt();
		long ahead = TimeUnit.MILLISECONDS.toNanos(grant.storeTime() - this.queued.storeTime());
		if (ahead - (now - sentAt) > AHEAD_NANOS) {
			return now;
		}
		long sinceQueued = LocalDeadline.after(sentAt, grant.expiresAt() - this.queued.storeTime());
		long sinceArrival = LocalDeadline.after(now, grant.remainingMillis());
		return LocalDeadline.earlier(sinceQueued, sinceArrival);
	}

	/**
	 * Returns how much of a granted lease is certain: never more than was requested. If
	 * the store's clock was set back since it granted the lease, the answer to a
	 * repetition says that more of it is left.
	 * @param grant the grant
	 * @return milliseconds from when the answered command was sent
	 */
	long certainMillis(Grant grant) {
		return Math.min(grant.remainingMillis(), this.waiter.term().duration().toMillis());
	}

	boolean sendDue(long now) {
		return this.sending != Sending.IN_FLIGHT && now - this.nextSend >= 0;
	}

	boolean givenUp(long now) {
		return unanswered() && now - this.giveUpAt >= 0;
	}

	long due() {
		if (!unanswered()) {
			return this.nextSend;
		}
		return (this.sending == Sending.IN_FLIGHT) ? this.giveUpAt
				: LocalDeadline.earlier(this.giveUpAt, this.nextSend);
	}

	/** How far the last command got. */
	private enum Sending {

		ANSWERED, IN_FLIGHT, FAILED

	}

	/** The last answer that queued the request. */
	private record Queued(long sentAt, long storeTime, @Nullable Holder holder) {
	}

}
