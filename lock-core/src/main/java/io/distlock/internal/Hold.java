package io.distlock.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.distlock.LockLostException;
import io.distlock.LossReason;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * A lock held by somebody in this process. Held until the local deadline; each confirmed
 * renewal moves the deadline; once lost it stays lost, whatever the store says later.
 * Changed under the monitor of the lock's entry, read by anybody.
 */
sealed class Hold permits ReaderHold {

	private final String key;

	private final Tenure tenure;

	private final Waiter taker;

	private final long fencingToken;

	private final EngineClock clock;

	private final long acquiredAt;

	private @Nullable List<Runnable> lostCallbacks;

	private Extensions extensions = Extensions.NONE;

	private volatile State state = State.HELD;

	private volatile long deadline;

	private volatile long confirmedAt;

	/** What the clock had skipped when the hold was last confirmed. */
	private volatile long skippedBefore;

	private volatile @Nullable LossReason loss;

	private volatile @Nullable Instant lostAt;

	private int handles = 1;

	private volatile boolean givenBack;

	/** How many of them are shared. */
	private int sharedHandles;

	private final @Nullable MaxHold maxHold;

	private @Nullable LossInterrupt interrupt;

	/**
	 * Creates the first hold of a tenure.
	 * @param key the lock
	 * @param tenure what it is a part of
	 * @param taker the thread that holds
	 * @param deadline until when to believe in it
	 * @param clock the time
	 */
	Hold(String key, Tenure tenure, Waiter taker, long deadline, EngineClock clock) {
		this(key, tenure, taker, tenure.takeToken(), deadline, clock, clock.nanoTime());
		this.confirmedAt = this.acquiredAt;
		this.skippedBefore = clock.skipped();
	}

	/**
	 * Creates one that is believed in for as long as another one of the same tenure.
	 * @param other the other one
	 * @param taker who holds
	 * @param token its fencing token
	 * @param now the monotonic clock
	 */
	Hold(Hold other, Waiter taker, long token, long now) {
		this(other.key, other.tenure, taker, token, other.deadline, other.clock, now);
		this.confirmedAt = other.confirmedAt;
		this.skippedBefore = other.skippedBefore;
	}

	private Hold(String key, Tenure tenure, Waiter taker, long token, long deadline, EngineClock clock, long now) {
		this.key = key;
		this.tenure = tenure;
		this.taker = taker;
		this.fencingToken = token;
		this.deadline = deadline;
		this.clock = clock;
		this.acquiredAt = now;
		this.sharedHandles = taker.shared() ? 1 : 0;
		this.maxHold = MaxHold.of(taker, now);
	}

	/** The hold of the next waiter in the same tenure. */
	Hold passTo(Waiter next, long now) {
		return new Hold(this, next, this.tenure.takeToken(), now);
	}

	/** Takes over what is known of another one, except for how long it lasts. */
	void believeLike(Hold other, long until) {
		this.deadline = until;
		this.confirmedAt = other.confirmedAt;
		this.skippedBefore = other.skippedBefore;
	}

	String key() {
		return this.key;
	}

	RequestId request() {
		return this.tenure.request();
	}

	Waiter taker() {
		return this.taker;
	}

	long fencingToken() {
		return this.fencingToken;
	}

	Tenure tenure() {
		return this.tenure;
	}

	/** By the monotonic clock. */
	long acquiredNanos() {
		return this.acquiredAt;
	}

	Instant acquiredAt() {
		return instant(this.acquiredAt);
	}

	Instant lastConfirmed() {
		return instant(this.confirmedAt);
	}

	/** By the wall clock, which is too slow to be read each time a lock passes on. */
	private Instant instant(long moment) {
		return this.clock.instant().minusNanos(this.clock.nanoTime() - moment);
	}

	Renewal renewal() {
		return this.tenure.renewal();
	}

	/** Those who nest, and wait for a longer lease. */
	Extensions extensions() {
		return this.extensions;
	}

	void extensions(Extensions changed) {
		this.extensions = changed;
	}

	List<Waiter> takeExtensions() {
		List<Waiter> taken = this.extensions.waiting();
		this.extensions = Extensions.NONE;
		return taken;
	}

	boolean ownedBy(@Nullable Thread thread) {
		return thread != null && this.taker.thread() == thread && this.state != State.KEPT;
	}

	boolean isHeld() {
		return this.state == State.HELD && remaining() > 0;
	}

	/** What is left, in nanoseconds; zero or less once over. */
	long remaining() {
		return this.deadline - this.clock.nanoTime();
	}

	long deadline() {
		return this.deadline;
	}

	long confirmedAt() {
		return this.confirmedAt;
	}

	State state() {
		return this.state;
	}

	void enter(boolean shared) {
		this.handles++;
		this.sharedHandles += shared ? 1 : 0;
	}

	/**
	 * Gives back one acquisition.
	 * @param shared whether it was a shared one
	 * @return {@code true} if it was the last one
	 */
	boolean leave(boolean shared) {
		this.sharedHandles -= shared ? 1 : 0;
		return --this.handles == 0;
	}

	/** Whether it was acquired, and not given back, in this way. */
	boolean entered(boolean shared) {
		return shared ? this.sharedHandles > 0 : this.handles > this.sharedHandles;
	}

	void confirmed(long until) {
		if (until - this.deadline > 0) {
			this.deadline = until;
		}
		this.confirmedAt = this.clock.nanoTime();
		this.skippedBefore = this.clock.skipped();
	}

	/** The lease asked for is shorter than the one the store granted. */
	void endNoLaterThan(long until) {
		this.deadline = LocalDeadline.earlier(this.deadline, until);
	}

	/** Its last handle goes back unused; one that nests says nothing about the others. */
	void giveBack() {
		this.givenBack = this.handles == 1;
	}

	boolean givenBack() {
		return this.givenBack;
	}

	/** Everybody has left it, and nobody owns it, but it is not to be released yet. */
	void keep() {
		this.state = State.KEPT;
		this.lostCallbacks = null;
	}

	void release() {
		this.state = State.RELEASED;
	}

	/**
	 * Ends the hold without a release.
	 * @param why what happened
	 * @return what to call, off the engine's threads
	 */
	List<Runnable> lose(LossReason why) {
		this.loss = why;
		this.lostAt = this.clock.instant();
		this.state = State.LOST;
		return (this.lostCallbacks != null) ? this.lostCallbacks : List.of();
	}

	/**
	 * Registers a callback.
	 * @param callback what to call on loss
	 * @return {@code false} if the hold is lost already
	 */
	boolean onLost(Runnable callback) {
		if (this.state == State.LOST) {
			return false;
		}
		if (this.lostCallbacks == null) {
			this.lostCallbacks = new ArrayList<>(2);
		}
		this.lostCallbacks.add(callback);
		return true;
	}

	/** Once lost it is too late: the callbacks are on their way. */
	void forgetCallbacks(Predicate<Runnable> which) {
		if (this.lostCallbacks != null && this.state != State.LOST) {
			this.lostCallbacks.removeIf(which);
		}
	}

	/** The exception for a hold that is over; its deadline may have passed unnoticed. */
	LockLostException lostException() {
		LossReason why = (this.loss != null) ? this.loss : whyExpired(this.clock.nanoTime());
		Instant when = (this.lostAt != null) ? this.lostAt : this.clock.instant();
		return HoldStory.lost(this, why, when);
	}

	/**
	 * What the answer to the release says about the hold.
	 * @param result the answer
	 * @param conclusive whether "unknown" means that the store had lost it
	 * @return the exception for a hold that the store had forgotten before its time
	 */
	@Nullable LockLostException lossFoundAtRelease(FinishResult result, boolean conclusive) {
		boolean vanished = result != FinishResult.RELEASED && conclusive && remaining() > 0;
		return vanished ? HoldStory.lost(this, LossReason.VANISHED, this.clock.instant()) : null;
	}

	/** Suspended, if it would still be held had the clock not skipped some time. */
	LossReason whyExpired(long now) {
		long skipped = this.clock.skipped() - this.skippedBefore;
		return (skipped > 0 && this.deadline + skipped - now > 0) ? LossReason.SUSPENDED : LossReason.EXPIRED;
	}

	/** Whether it is held for longer than it should be; says so once. */
	boolean becomesLong(long now) {
		return this.maxHold != null && this.maxHold.reached(now);
	}

	/** When it is over, or held for longer than it should be. */
	long dueBy(long latest) {
		long next = LocalDeadline.earlier(latest, this.deadline);
		return (this.maxHold != null) ? this.maxHold.dueBy(next) : next;
	}

	/** What interrupts its thread. Asked for by that thread only. */
	@Nullable LossInterrupt interrupt() {
		return this.interrupt;
	}

	void interruptBy(LossInterrupt interrupt) {
		this.interrupt = interrupt;
	}

	/** The life of a hold. */
	enum State {

		HELD, KEPT, RELEASED, LOST

	}

}
