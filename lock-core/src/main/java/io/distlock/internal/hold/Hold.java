package io.distlock.internal.hold;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockOverrun;
import io.distlock.LossReason;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import org.jspecify.annotations.Nullable;

/**
 * A lock held in this process. A hold lasts until its local deadline. That is the
 * deadline of the lease, or an earlier one for some readers. A lost hold stays lost, even
 * if the store says something else later. A hold is the outcome of the waiter that
 * acquired it and of the waiters that nest in it. It changes under the monitor of the
 * key, and any thread may read it.
 */
public final class Hold implements Outcome {

	private final String key;

	private final StoreLease lease;

	private final Owner owner;

	private final long fencingToken;

	private final EngineClock clock;

	private final long acquiredAt;

	private @Nullable List<Runnable> lostCallbacks;

	private int handles = 1;

	private int sharedHandles;

	/** Whether an error keeps its owner from releasing it. */
	private volatile boolean abandoned;

	/** Whether a waiter has received this hold. */
	private boolean granted;

	private boolean overrunReported;

	private @Nullable LossInterrupt interrupt;

	private volatile State state = State.HELD;

	/** The moment at which the hold ends even if the lease is renewed. */
	private volatile long cap;

	/** The end of the minimum hold. */
	private volatile long minimum;

	private volatile @Nullable Loss loss;

	private volatile boolean givenBack;

	/**
	 * Creates a hold that lasts as long as its lease and takes the next token of that
	 * lease.
	 * @param key the lock
	 * @param lease the lease
	 * @param owner who gets it
	 * @param clock the time
	 */
	public Hold(String key, StoreLease lease, Owner owner, EngineClock clock) {
		this(key, lease, owner, lease.handOffs().takeToken(), clock);
	}

	private Hold(String key, StoreLease lease, Owner owner, long token, EngineClock clock) {
		this.key = key;
		this.lease = lease;
		this.owner = owner;
		this.fencingToken = token;
		this.clock = clock;
		this.acquiredAt = clock.nanoTime();
		this.cap = this.acquiredAt + LocalDeadline.FOREVER_NANOS;
		Duration minimumHold = owner.minHold();
		this.minimum = this.acquiredAt + ((minimumHold != null) ? LocalDeadline.nanos(minimumHold) : 0);
		this.sharedHandles = owner.shared() ? 1 : 0;
	}

	/**
	 * Creates the hold of one reader. The store keeps one lease for all readers of this
	 * process. All these readers have one token, which only has to differ from the tokens
	 * of writers.
	 * @param key the lock
	 * @param lease the lease
	 * @param owner the reader
	 * @param token the token of all readers
	 * @param cap when it ends even if the lease is renewed
	 * @param clock the time
	 * @return the hold
	 */
	public static Hold ofReader(String key, StoreLease lease, Owner owner, long token, long cap, EngineClock clock) {
		Hold reader = new Hold(key, lease, owner, token, clock);
		reader.cap = cap;
		return reader;
	}

	/** Creates the hold of the next owner under the same lease. */
	public Hold handOffTo(Owner next) {
		return new Hold(this.key, this.lease, next, this.clock);
	}

	/**
	 * Returns which other holds may exist beside this one.
	 * @return the kind of its owner
	 */
	public Sharing sharing() {
		return this.owner.sharing();
	}

	/** Returns whether any number of other shared holds may exist beside this one. */
	public boolean shared() {
		return sharing() instanceof Sharing.Shared;
	}

	/** Moves the end of the hold to a later moment, because its owner has extended it. */
	public void capNoSoonerThan(long later) {
		this.cap = (later - this.cap > 0) ? later : this.cap;
	}

	/**
	 * Notes that the lease was extended for all readers. An owner that has ended gets no
	 * extension.
	 * @param before until when the lease was valid before
	 */
	public void leaseExtended(long before) {
		if (isOrphaned()) {
			this.cap = LocalDeadline.earlier(this.cap, before);
		}
	}

	/**
	 * Returns the lock.
	 * @return the key
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Returns the request that holds the lock in the store.
	 * @return the request
	 */
	public RequestId request() {
		return this.lease.request();
	}

	/**
	 * Returns the owner of the hold.
	 * @return the owner
	 */
	public Owner owner() {
		return this.owner;
	}

	/**
	 * Returns the fencing token.
	 * @return the token
	 */
	public long fencingToken() {
		return this.fencingToken;
	}

	/** Returns the lease on which this hold relies. */
	public StoreLease lease() {
		return this.lease;
	}

	/**
	 * Returns when the hold was acquired.
	 * @return a moment of the monotonic clock
	 */
	public long acquiredNanos() {
		return this.acquiredAt;
	}

	/**
	 * Returns when the hold was acquired.
	 * @return the time by this machine's wall clock
	 */
	public Instant acquiredAt() {
		return instant(this.acquiredAt);
	}

	/**
	 * Computes the wall-clock time of a moment. Reading the wall clock at each hand-off
	 * would be too slow.
	 */
	private Instant instant(long moment) {
		return this.clock.instant().minusNanos(this.clock.nanoTime() - moment);
	}

	/** Returns whether a thread owns this hold. A handle without a thread owns none. */
	public boolean ownedBy(@Nullable Thread thread) {
		return thread != null && this.owner.thread() == thread;
	}

	/**
	 * Returns whether the hold is held and its deadline has not passed.
	 * @return {@code true} if the hold is valid
	 */
	public boolean isHeld() {
		return this.state == State.HELD && remaining() > 0;
	}

	/**
	 * Returns the time until the deadline.
	 * @return nanoseconds; zero or less once it has passed
	 */
	public long remaining() {
		return deadline() - this.clock.nanoTime();
	}

	/**
	 * Returns until when the hold is valid without a further renewal.
	 * @return a moment of the monotonic clock
	 */
	public long deadline() {
		return LocalDeadline.earlier(this.lease.deadline(), this.cap);
	}

	/**
	 * Returns whether the hold is held, released or lost.
	 * @return the state
	 */
	public State state() {
		return this.state;
	}

	/** Returns how many handles are open on this hold. */
	public int handles() {
		return this.handles;
	}

	/** Notes a further acquisition that nests in this hold. */
	public void enter(boolean shared) {
		this.handles++;
		this.sharedHandles += shared ? 1 : 0;
	}

	/**
	 * Releases one acquisition.
	 * @param shared whether it was a shared one
	 * @return whether it was the last one
	 */
	public boolean leave(boolean shared) {
		this.sharedHandles -= shared ? 1 : 0;
		return --this.handles == 0;
	}

	/**
	 * Lets the hold end with its lease. An error came during an acquisition or a release,
	 * so the owner may never release the hold. This method needs neither memory nor the
	 * monitor.
	 */
	public void abandon() {
		this.abandoned = true;
	}

	/**
	 * Notes that a waiter has received the hold and will release it. Called under the
	 * monitor of the key.
	 */
	public void granted() {
		this.granted = true;
	}

	/**
	 * Returns whether the owner cannot release the hold. Its thread has ended, or an
	 * error came during the release or before a waiter received the hold. Called under
	 * the monitor of the key.
	 */
	public boolean isOrphaned() {
		return this.abandoned || !this.granted || this.owner.isGone();
	}

	/** Returns whether the hold was acquired in this mode and not yet released in it. */
	public boolean entered(boolean shared) {
		return shared ? this.sharedHandles > 0 : this.handles > this.sharedHandles;
	}

	/**
	 * Marks the hold as unused if this is its last handle. If there are other handles,
	 * they have been used.
	 */
	public void giveBack() {
		this.givenBack = this.handles == 1;
	}

	/**
	 * Returns the end of the minimum hold. Until then the store keeps the lock after the
	 * release. The end has already passed if there is no minimum hold, or if no body used
	 * the lock.
	 */
	public long minimumUntil() {
		return this.givenBack ? this.acquiredAt : this.minimum;
	}

	/** Moves the end of the minimum hold to a later moment. */
	public void keepUntil(long later) {
		this.minimum = (later - this.minimum > 0) ? later : this.minimum;
	}

	/** Ends the hold because its owner has released it. */
	public void release() {
		this.state = State.RELEASED;
	}

	/**
	 * Ends the hold without a release.
	 * @param why the reason
	 * @return what to call, off the engine's threads
	 */
	public List<Runnable> lose(LossReason why) {
		this.loss = loss(why);
		this.state = State.LOST;
		return (this.lostCallbacks != null) ? this.lostCallbacks : List.of();
	}

	/**
	 * Registers a callback.
	 * @param callback called on loss
	 * @return {@code false} if the hold is lost already
	 */
	public boolean onLost(Runnable callback) {
		if (this.state == State.LOST) {
			return false;
		}
		if (this.lostCallbacks == null) {
			this.lostCallbacks = new ArrayList<>(2);
		}
		this.lostCallbacks.add(callback);
		return true;
	}

	/**
	 * Forgets callbacks. Has no effect on a lost hold, whose callbacks are about to run.
	 * Called under the monitor of the key.
	 * @param which selects the callbacks
	 */
	public void forgetCallbacks(Predicate<Runnable> which) {
		if (this.lostCallbacks != null && this.state != State.LOST) {
			this.lostCallbacks.removeIf(which);
		}
	}

	/**
	 * Creates the exception for a hold that is over. Its deadline may have passed
	 * unnoticed.
	 * @return a new exception
	 */
	public LockLostException lostException() {
		Loss known = this.loss;
		return lostException((known != null) ? known : loss(whyExpired(this.clock.nanoTime())));
	}

	private Loss loss(LossReason why) {
		return new Loss(why, this.clock.instant(), this.lease.confirmedAt());
	}

	/**
	 * Creates a new exception each time. Both a body and the closing of its handle may
	 * report the loss, and an exception cannot suppress itself.
	 */
	private LockLostException lostException(Loss lost) {
		return new LockLostException(new LockLoss(this.owner.request().store(), this.owner.request().name(), this.key,
				this.fencingToken, instant(this.acquiredAt), instant(lost.confirmedAt()), lost.when(),
				this.lease.length(lost.why()), this.owner.name(), this.owner.caller(), lost.why()), null);
	}

	/**
	 * Returns the loss that the answer to the release proves, if any.
	 * @param result the answer
	 * @param conclusive whether "unknown" proves that the store had lost it
	 * @return the exception for a hold that the store lost before its deadline
	 */
	public @Nullable LockLostException lossFoundAtRelease(FinishResult result, boolean conclusive) {
		boolean forced = result == FinishResult.FORCED;
		boolean vanished = forced || (result != FinishResult.RELEASED && conclusive);
		LossReason why = forced ? LossReason.FORCED : LossReason.VANISHED;
		return (vanished && remaining() > 0) ? lostException(loss(why)) : null;
	}

	/** Returns why this hold is over, once its deadline has passed. */
	public LossReason whyExpired(long now) {
		return this.lease.whyExpired(deadline(), now);
	}

	/**
	 * Returns whether the hold exceeds its maximum hold time. The answer is true only
	 * once.
	 */
	public boolean becomesOverrun(long now) {
		Duration longest = this.owner.maxHold();
		boolean news = longest != null && !this.overrunReported && overrunAt(longest) - now <= 0;
		this.overrunReported |= news;
		return news;
	}

	/**
	 * Describes how the hold exceeds its maximum hold time, with the stack of its thread.
	 */
	public LockOverrun overrun() {
		Thread thread = this.owner.thread();
		List<StackTraceElement> stack = (thread != null) ? List.of(thread.getStackTrace()) : List.of();
		return new LockOverrun(this.owner.request().store(), this.owner.request().name(), this.key, this.fencingToken,
				acquiredAt(), Objects.requireNonNull(this.owner.maxHold()), this.owner.name(), this.owner.caller(),
				stack);
	}

	private long overrunAt(Duration longest) {
		return this.acquiredAt + LocalDeadline.nanos(longest);
	}

	/** Returns when the hold is over or exceeds its maximum hold time. */
	public long dueBy(long latest) {
		return LocalDeadline.earlier(ownDueBy(latest), this.lease.deadline());
	}

	/**
	 * Returns when the hold is over, even if its lease goes on, or exceeds its maximum
	 * hold time.
	 */
	public long ownDueBy(long latest) {
		long next = LocalDeadline.earlier(latest, this.cap);
		Duration longest = this.owner.maxHold();
		return (longest == null || this.overrunReported) ? next : LocalDeadline.earlier(next, overrunAt(longest));
	}

	/**
	 * Returns the interrupt of its thread on loss. Only that thread calls this method.
	 * @return the interrupt, or {@code null}
	 */
	public @Nullable LossInterrupt interrupt() {
		return this.interrupt;
	}

	/**
	 * Sets the interrupt of its thread on loss. Only that thread calls this method.
	 * @param interrupt the interrupt
	 */
	public void interruptBy(LossInterrupt interrupt) {
		this.interrupt = interrupt;
	}

	/** Whether a hold is over, and how it ended. */
	public enum State {

		/** Owned by a thread or a handle. */
		HELD,
		/** Over. */
		RELEASED,
		/** Over without a release. */
		LOST

	}

	/** Why and when a hold was lost, and when the store had last confirmed it. */
	private record Loss(LossReason why, Instant when, long confirmedAt) {
	}

}
