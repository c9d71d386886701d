package io.distlock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.distlock.LockLostException;
import io.distlock.LongHold;
import io.distlock.LossReason;
import io.distlock.LostHold;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * A lock held by somebody in this process. Held until the local deadline; each confirmed
 * renewal moves the deadline; once lost it stays lost, whatever the store says later.
 * Changed under the monitor of the lock's entry, read by anybody.
 */
final class Hold {

	private final String key;

	private final Tenure tenure;

	private final Waiter taker;

	private final long fencingToken;

	private final EngineClock clock;

	private final long acquiredAt;

	private List<Runnable> lostCallbacks = List.of();

	private List<Waiter> extensions = List.of();

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

	/** When it ends even if what it shares is renewed. */
	private long cap;

	private long extensionsSince;

	private boolean toldLong;

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

	private Hold(String key, Tenure tenure, Waiter taker, long token, long deadline, EngineClock clock, long now) {
		this.key = key;
		this.tenure = tenure;
		this.taker = taker;
		this.fencingToken = token;
		this.deadline = deadline;
		this.clock = clock;
		this.acquiredAt = now;
		this.sharedHandles = taker.shared() ? 1 : 0;
	}

	/** The hold of the next waiter in the same tenure. */
	Hold passTo(Waiter next, long now) {
		Hold passed = new Hold(this.key, this.tenure, next, this.tenure.takeToken(), this.deadline, this.clock, now);
		passed.confirmedAt = this.confirmedAt;
		passed.skippedBefore = this.skippedBefore;
		return passed;
	}

	/**
	 * The hold of a reader, for which this one, of nobody, is what the store keeps. They
	 * have one token: it only has to differ from those of writers.
	 * @param next the reader
	 * @param cap when it ends even if this one is renewed
	 * @param now the monotonic clock
	 */
	Hold shareWith(Waiter next, long cap, long now) {
		Hold reader = new Hold(this.key, this.tenure, next, this.fencingToken, this.deadline, this.clock, now);
		reader.cap = cap;
		reader.follow(this);
		return reader;
	}

	/** Takes over until when what is shared may be believed in. */
	void follow(Hold shared) {
		long until = LocalDeadline.earlier(shared.deadline, this.cap);
		if (this.taker.ownerGone()) {
			this.deadline = LocalDeadline.earlier(this.deadline, until);
			return;
		}
		this.deadline = until;
		this.confirmedAt = shared.confirmedAt;
		this.skippedBefore = shared.skippedBefore;
	}

	/** A nested acquisition may hold for longer. */
	void capNoSoonerThan(long cap) {
		this.cap = (cap - this.cap > 0) ? cap : this.cap;
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

	/** By the wall clock, which is too slow to be read each time a lock passes on. */
	private Instant instant(long moment) {
		return this.clock.instant().minusNanos(this.clock.nanoTime() - moment);
	}

	Renewal renewal() {
		return this.tenure.renewal();
	}

	/** A nested acquisition begins to wait for a longer lease to be confirmed. */
	void addExtension(Waiter nested, long now) {
		this.extensions = with(this.extensions, nested);
		this.extensionsSince = now;
	}

	void cancelExtension(Waiter nested) {
		this.extensions = this.extensions.stream().filter((other) -> other != nested).toList();
	}

	List<Waiter> takeExtensions() {
		List<Waiter> taken = this.extensions;
		this.extensions = List.of();
		return taken;
	}

	/** When the last of them began to wait. */
	long extensionsSince() {
		return this.extensionsSince;
	}

	/** Whether an answer to what was sent at a moment says nothing to who nests. */
	boolean extensionBegunAfter(long sentAt) {
		return !this.extensions.isEmpty() && sentAt - this.extensionsSince < 0;
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
		this.lostCallbacks = List.of();
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
		return this.lostCallbacks;
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
		this.lostCallbacks = with(this.lostCallbacks, callback);
		return true;
	}

	private static <T> List<T> with(List<T> list, T added) {
		List<T> longer = new ArrayList<>(list);
		longer.add(added);
		return longer;
	}

	/**
	 * The exception for a hold that is over; its deadline may have passed unnoticed. A
	 * new one each time: the same one cannot be suppressed onto itself when a body and
	 * the closing of its handle both report the loss.
	 */
	LockLostException lostException() {
		LossReason why = (this.loss != null) ? this.loss : whyExpired(this.clock.nanoTime());
		Instant when = (this.lostAt != null) ? this.lostAt : this.clock.instant();
		return lostException(why, when);
	}

	/**
	 * What the answer to the release says about the hold.
	 * @param result the answer
	 * @param conclusive whether "unknown" means that the store had lost it
	 * @return the exception for a hold that the store had forgotten before its time
	 */
	@Nullable LockLostException lossFoundAtRelease(FinishResult result, boolean conclusive) {
		boolean vanished = result != FinishResult.RELEASED && conclusive && remaining() > 0;
		return vanished ? lostException(LossReason.VANISHED, this.clock.instant()) : null;
	}

	private LockLostException lostException(LossReason why, Instant when) {
		return new LockLostException(new LostHold(this.key, this.fencingToken, acquiredAt(), instant(this.confirmedAt),
				when, renewal().lease().duration(), this.taker.ownerName(), this.taker.caller(), why));
	}

	/** Suspended, if it would still be held had the clock not skipped some time. */
	LossReason whyExpired(long now) {
		long skipped = this.clock.skipped() - this.skippedBefore;
		return (skipped > 0 && this.deadline + skipped - now > 0) ? LossReason.SUSPENDED : LossReason.EXPIRED;
	}

	/** Whether it is held for longer than it should be; says so once. */
	boolean becomesLong(long now) {
		boolean news = !this.toldLong && longAt().filter((moment) -> moment - now <= 0).isPresent();
		this.toldLong |= news;
		return news;
	}

	long longBy(long latest) {
		return this.toldLong ? latest : longAt().map((moment) -> LocalDeadline.earlier(moment, latest)).orElse(latest);
	}

	private Optional<Long> longAt() {
		return Optional.ofNullable(this.taker.policy().maxHold())
			.map((maxHold) -> this.acquiredAt + LocalDeadline.nanos(maxHold));
	}

	/** Its story so far, for a hold that should be over. */
	LongHold describeLong() {
		Duration maxHold = Objects.requireNonNull(this.taker.policy().maxHold());
		Thread thread = this.taker.thread();
		List<StackTraceElement> stack = (thread != null) ? List.of(thread.getStackTrace()) : List.of();
		return new LongHold(this.key, this.fencingToken, acquiredAt(), maxHold, this.taker.ownerName(),
				this.taker.caller(), stack);
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
