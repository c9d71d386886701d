package io.distlock.internal.request;

import java.util.concurrent.TimeUnit;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.waiting.Waiter;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * The only live request of this process for a key. The request is sent again until the
 * store grants or refuses it, or until this process gives it up. Confined to the monitor
 * of the key.
 */
public final class AcquireRequest {

	/** How far the store's clock may run ahead of ours since its last answer. */
	private static final long AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final RequestId id;

	private final Waiter waiter;

	private final boolean queue;

	private final int tokens;

	private Backoff backoff;

	private Sending sending = Sending.ANSWERED;

	/**
	 * The time by which the store should have answered what was sent since its last
	 * answer. Then waiters whose own time is over learn that it did not.
	 */
	private long lateAt;

	/** Whether the waiters have learned that the answer is late. */
	private boolean lateTold;

	/**
	 * The time by which the store must have answered what was sent since its last answer.
	 * A request that the store has put in line has no such time: its waiters wait on
	 * until their own time is over.
	 */
	private long giveUpAt;

	/** The time after which the last command counts as lost. */
	private long hungAt;

	private long nextSend;

	/** The time that the clock had skipped when the request was last sent. */
	private long skippedBefore;

	/** Whether the request is due but waits for the answer to another command. */
	private boolean heldBack;

	private @Nullable Queued queued;

	/**
	 * Whether to ask again at once, because an unusable grant arrived during a command.
	 */
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

	/**
	 * Returns the request that replaces this one, because the last command of this one
	 * counts as lost. The store owes its answer for as long as that of this one.
	 * @param newer the name of that request
	 * @param failure what waiters learn if the store does not answer in time
	 */
	AcquireRequest again(RequestId newer, LockStoreException failure) {
		AcquireRequest next = new AcquireRequest(newer, this.waiter, this.queue, this.tokens, this.backoff);
		next.sending = Sending.FAILED;
		next.lastFailure = failure;
		next.lateAt = this.lateAt;
		next.lateTold = this.lateTold;
		next.giveUpAt = this.giveUpAt;
		next.contended = this.contended;
		return next;
	}

	/** Returns the number of this request. */
	public RequestId id() {
		return this.id;
	}

	/** Returns the waiter for which the request was made. */
	public Waiter waiter() {
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
	public boolean isRevoked() {
		return this.revoked;
	}

	void markRevoked() {
		this.revoked = true;
	}

	/** Returns the holder of the lock, as last reported by the store. */
	@Nullable Holder holder() {
		return (this.queued != null) ? this.queued.holder() : null;
	}

	/** Returns whether the request had to wait in the store. */
	boolean wasQueued() {
		return this.queued != null;
	}

	/**
	 * Returns whether the store owes an answer, even if a command failed and is repeated.
	 */
	boolean unanswered() {
		return this.sending != Sending.ANSWERED;
	}

	/** Returns the last failure since the store last answered, or {@code null}. */
	@Nullable LockStoreException lastFailure() {
		return this.lastFailure;
	}

	/**
	 * Records that a command is being sent. The first command since the last answer sets
	 * the time limit for the store. A store that is still connecting gets a longer limit.
	 * @param now the monotonic clock
	 * @param skipped the time that the clock has skipped so far
	 * @param timeoutNanos how long the store may take to answer
	 */
	void sent(long now, long skipped, long timeoutNanos) {
		if (!unanswered()) {
			this.giveUpAt = now + (wasQueued() ? LocalDeadline.FOREVER_NANOS : timeoutNanos);
			this.lateAt = now + timeoutNanos;
			this.lateTold = false;
		}
		long hung = now + timeoutNanos;
		// A store that was still connecting had more time, which is not taken back.
		this.hungAt = (hung - this.lateAt > 0) ? hung : this.lateAt;
		this.sending = Sending.IN_FLIGHT;
		this.heldBack = false;
		this.skippedBefore = skipped;
	}

	/** Returns whether the store should have answered by now. */
	boolean isLate(long now) {
		return unanswered() && now - this.lateAt >= 0;
	}

	/** Returns whether an answer has just become late. The result is true only once. */
	boolean becomesLate(long now) {
		boolean news = isLate(now) && !this.lateTold;
		this.lateTold |= news;
		return news;
	}

	/** Returns the time that the clock had skipped when the request was last sent. */
	long skippedBefore() {
		return this.skippedBefore;
	}

	void failed(long now, LockStoreException failure) {
		this.sending = Sending.FAILED;
		this.lastFailure = failure;
		this.nextSend = now + this.backoff.delay();
		this.backoff = this.backoff.next();
	}

	/**
	 * Delays the repetition until another command has shown whether the store answers
	 * again.
	 */
	void holdBack(long until) {
		this.heldBack = true;
		this.nextSend = until;
	}

	/** Makes a held back repetition due, because the store answers again. */
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
	 * for any time, so its arrival says nothing about the time of the grant. The last
	 * answer of the store shows how the store's clock relates to the local clock. A grant
	 * whose time lies in the future of the store's clock is not believed.
	 * @param grant the grant
	 * @param now when it arrived
	 * @return the deadline, or {@code now} if the grant must be confirmed first. Only the
	 * first message counts, because an attacker that reads a message could change it and
	 * send it again
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
	 * Returns how much of a granted lease is certain, which is never more than was
	 * requested. The answer to a repetition may report more time than was requested, if
	 * the store's clock was set back after the grant.
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

	/** Returns whether the last command counts as lost. */
	boolean hangs(long now) {
		return this.sending == Sending.IN_FLIGHT && now - this.hungAt >= 0;
	}

	long due() {
		if (!unanswered()) {
			return this.nextSend;
		}
		long end = this.lateTold ? this.giveUpAt : LocalDeadline.earlier(this.giveUpAt, this.lateAt);
		return LocalDeadline.earlier(end, (this.sending == Sending.IN_FLIGHT) ? this.hungAt : this.nextSend);
	}

	/** How far the last command got. */
	private enum Sending {

		ANSWERED, IN_FLIGHT, FAILED

	}

	/** The last answer that queued the request. */
	private record Queued(long sentAt, long storeTime, @Nullable Holder holder) {
	}

}
