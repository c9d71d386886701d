package io.distlock.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.distlock.Holder;
import io.distlock.LockException;
import io.distlock.LockStoreException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All there is about one key in this process: the threads that want it, the one request
 * or hold in the store, and what is still to be ended there. Threads queue here in
 * arrival order and only the process contends in the store.
 * <p>
 * Driven by events (a caller, an answer, the housekeeper), each handled under the monitor
 * and never blocking there. Commands are sent under the monitor, so that their order is
 * the order of the states; threads are woken and callbacks run after it is left. The
 * entry is dropped from the table when nothing is left.
 * <p>
 * Invariant: at most one of {@code contender} and {@code hold} exists, and while a thread
 * waits one of them does.
 */
final class LockEntry {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private final String key;

	private final EngineContext engine;

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock monitor = new ReentrantLock();

	private final Deque<Waiter> waiters = new ArrayDeque<>();

	private final List<Withdrawal> withdrawals = new ArrayList<>(1);

	/** Lost but not yet closed by their owners, who are to be told. */
	private final List<Hold> lostHolds = new ArrayList<>(0);

	private @Nullable Contender contender;

	private @Nullable Hold hold;

	private List<Runnable> afterwards = new ArrayList<>(2);

	private boolean retired;

	private volatile long due;

	LockEntry(String key, EngineContext engine) {
		this.key = key;
		this.engine = engine;
		this.due = engine.now() + LocalDeadline.FOREVER_NANOS;
	}

	/** When the housekeeper must call {@link #tick()}, at the latest. */
	long due() {
		return this.due;
	}

	// Callers

	/**
	 * Lets a thread wait for the lock, or enter the hold it has.
	 * @param waiter the thread
	 * @return {@code false} if this entry was dropped and another one is to be used
	 */
	boolean join(Waiter waiter) {
		this.monitor.lock();
		try {
			if (this.retired) {
				return false;
			}
			loseIfExpired();
			if (this.hold != null && this.hold.ownedBy(waiter.owner())) {
				reenter(this.hold, waiter);
			}
			else if (this.engine.accepting()) {
				this.waiters.addLast(waiter);
				contend();
			}
			else {
				finish(waiter, new Waiter.Outcome.Failed(shuttingDown()));
			}
			return true;
		}
		finally {
			leaveMonitor();
		}
	}

	/** The thread's time is over: busy, unless the store still owes an answer. */
	void overdue(Waiter waiter) {
		this.monitor.lock();
		try {
			waiter.markOverdue();
			if (!waiter.isSet() && this.waiters.contains(waiter)
					&& (this.contender == null || !this.contender.unanswered())) {
				refuse(waiter);
				withdrawIfUnwanted();
			}
		}
		finally {
			leaveMonitor();
		}
	}

	/**
	 * The thread goes away.
	 * @param waiter the thread
	 * @return {@code false} if its outcome was decided before
	 */
	boolean cancel(Waiter waiter) {
		this.monitor.lock();
		try {
			if (waiter.isSet()) {
				return false;
			}
			this.waiters.remove(waiter);
			if (this.hold != null) {
				this.hold.extensions().remove(waiter);
			}
			finish(waiter, new Waiter.Outcome.Cancelled());
			withdrawIfUnwanted();
			return true;
		}
		finally {
			leaveMonitor();
		}
	}

	/**
	 * Gives back one acquisition of a hold.
	 * @param held the hold
	 * @return the release to be confirmed by the store, or {@code null} if others remain
	 * @throws io.distlock.LockLostException if the hold was lost
	 */
	@Nullable Withdrawal release(Hold held) {
		this.monitor.lock();
		try {
			if (held == this.hold) {
				loseIfExpired();
			}
			boolean last = held.leave();
			if (held.state() == Hold.State.LOST) {
				if (last) {
					this.lostHolds.remove(held);
					withdraw(held.request(), held.renewal().lease());
				}
				throw held.lostException();
			}
			if (!last) {
				return null;
			}
			held.release();
			this.hold = null;
			Withdrawal release = withdraw(held.request(), held.renewal().lease());
			contend();
			return release;
		}
		finally {
			leaveMonitor();
		}
	}

	/** The hold of a thread, lost ones included: they are to be reported. */
	@Nullable Hold holdOf(Thread thread) {
		this.monitor.lock();
		try {
			if (this.hold != null && this.hold.ownedBy(thread)) {
				return this.hold;
			}
			return this.lostHolds.stream().filter((lost) -> lost.ownedBy(thread)).findFirst().orElse(null);
		}
		finally {
			leaveMonitor();
		}
	}

	/** Registers what to call when the hold is lost; at once if it is. */
	void onLost(Hold held, Runnable callback) {
		this.monitor.lock();
		try {
			if (held == this.hold) {
				loseIfExpired();
			}
			if (!held.onLost(callback)) {
				this.afterwards.add(() -> this.engine.callBack(callback));
			}
		}
		finally {
			leaveMonitor();
		}
	}

	/** Turns away all threads that wait. */
	void refuseWaiters() {
		this.monitor.lock();
		try {
			failWaiters(shuttingDown());
			withdrawIfUnwanted();
		}
		finally {
			leaveMonitor();
		}
	}

	/** Whether a thread of this process holds the lock. */
	boolean held() {
		this.monitor.lock();
		try {
			return this.hold != null;
		}
		finally {
			leaveMonitor();
		}
	}

	/** Whether something is still to be ended in the store. */
	boolean withdrawing() {
		this.monitor.lock();
		try {
			return !this.withdrawals.isEmpty();
		}
		finally {
			leaveMonitor();
		}
	}

	// Events from the store

	/** A queued request was granted; possibly one that is over here. */
	boolean granted(RequestId request, Grant grant) {
		this.monitor.lock();
		try {
			if (this.retired) {
				return false;
			}
			Contender current = this.contender;
			if (current != null && current.request().equals(request)) {
				grantedUnasked(current, grant);
			}
			else if (this.hold == null || !this.hold.request().equals(request)) {
				withdrawOnce(request);
			}
			return true;
		}
		finally {
			leaveMonitor();
		}
	}

	/** Grants may have been missed. */
	void reconnected() {
		this.monitor.lock();
		try {
			if (this.contender != null) {
				this.contender.hurry(this.engine.now());
			}
		}
		finally {
			leaveMonitor();
		}
	}

	/** Does what is due. */
	void tick() {
		this.monitor.lock();
		try {
			loseIfExpired();
			long now = this.engine.now();
			tickContender(now);
			tickRenewal(now);
			tickWithdrawals(now);
			this.lostHolds.removeIf((lost) -> !lost.taker().owner().isAlive());
		}
		finally {
			leaveMonitor();
		}
	}

	// Acquiring

	private void contend() {
		Waiter first = this.waiters.peekFirst();
		if (first == null || this.hold != null || this.contender != null) {
			return;
		}
		boolean queue = this.waiters.stream().anyMatch(Waiter::patient);
		this.contender = new Contender(this.engine.nextRequest(), first, queue);
		sendAcquire(this.contender);
	}

	private void sendAcquire(Contender current) {
		long sentAt = this.engine.now();
		current.sent(sentAt);
		this.engine.acquire(this.key, current)
			.whenComplete((result, failure) -> acquireAnswered(current, sentAt, result, failure));
	}

	private void acquireAnswered(Contender asked, long sentAt, @Nullable AcquireResult result,
			@Nullable Throwable failure) {
		this.monitor.lock();
		try {
			if (asked != this.contender) {
				return;
			}
			if (result instanceof AcquireResult.Granted granted) {
				hold(asked, granted.grant(), LocalDeadline.after(sentAt, granted.grant().remainingMillis()));
			}
			else if (result instanceof AcquireResult.Queued queued) {
				asked.queued(queued, sentAt, this.engine.now());
				refuseOverdue();
				withdrawIfUnwanted();
			}
			else if (result instanceof AcquireResult.Busy busy) {
				this.contender = null;
				refuseOverdue(busy.holder());
				contend();
			}
			else if (result instanceof AcquireResult.Ended) {
				this.contender = null;
				contend();
			}
			else {
				acquireFailed(asked, failure);
			}
		}
		finally {
			leaveMonitor();
		}
	}

	private void acquireFailed(Contender asked, @Nullable Throwable failure) {
		LockStoreException cause = this.engine.storeFailure(this.key, failure);
		if (cause instanceof TransientStoreException && !asked.givenUp(this.engine.now(), this.engine.timeoutNanos())) {
			logger.debug("Lock '{}': repeating a failed request", this.key, cause);
			asked.failed(this.engine.now());
		}
		else {
			giveUp(cause);
		}
	}

	/**
	 * The outcome is unknown: nobody gets the lock here, and the request is ended there.
	 */
	private void giveUp(LockStoreException cause) {
		failWaiters(cause);
		withdrawIfUnwanted();
	}

	private void grantedUnasked(Contender current, Grant grant) {
		long now = this.engine.now();
		long deadline = current.believeUntil(grant, now);
		if (deadline - now < EngineContext.SHORTEST_BELIEF_NANOS) {
			// Too little is known, or left: the answer to a repetition settles it.
			current.hurry(now);
			return;
		}
		hold(current, grant, deadline);
		if (this.hold != null) {
			this.hold.renewal().hurry(now);
		}
	}

	private void hold(Contender asked, Grant grant, long deadline) {
		this.contender = null;
		Waiter next = this.waiters.peekFirst();
		if (next == null || deadline - this.engine.now() <= 0) {
			withdraw(asked.request(), asked.speaker().lease());
			contend();
			return;
		}
		this.waiters.removeFirst();
		Hold held = new Hold(this.key, asked.request(), next, grant, deadline, this.engine.clock());
		if (!next.lease().duration().equals(asked.speaker().lease().duration())) {
			// The store granted the lease of a thread that has gone; ask for this one's.
			held.endNoLaterThan(LocalDeadline.after(this.engine.now(), next.lease().duration().toMillis()));
			held.renewal().hurry(this.engine.now());
		}
		this.hold = held;
		finish(next, new Waiter.Outcome.Granted(held));
		refuseOverdue();
	}

	// Holding

	private void reenter(Hold held, Waiter waiter) {
		if (held.renewal().lengthen(waiter.lease(), held.remaining(), this.engine.now())) {
			held.extensions().add(waiter);
			sendRenew(held);
		}
		else {
			held.enter();
			finish(waiter, new Waiter.Outcome.Granted(held));
		}
	}

	private void sendRenew(Hold held) {
		long sentAt = this.engine.now();
		held.renewal().sent(sentAt, this.engine.timeoutNanos());
		this.engine.renew(held).whenComplete((result, failure) -> renewAnswered(held, sentAt, result, failure));
	}

	private void renewAnswered(Hold held, long sentAt, @Nullable RenewResult result, @Nullable Throwable failure) {
		this.monitor.lock();
		try {
			loseIfExpired();
			if (held != this.hold) {
				return;
			}
			if (result instanceof RenewResult.Renewed renewed) {
				held.confirmed(LocalDeadline.after(sentAt, renewed.grant().remainingMillis()));
				held.renewal().confirmed(this.engine.now());
				grantExtensions(held);
			}
			else if (result instanceof RenewResult.Gone) {
				lose(held, Loss.TAKEN);
			}
			else {
				renewFailed(held, failure);
			}
		}
		finally {
			leaveMonitor();
		}
	}

	private void renewFailed(Hold held, @Nullable Throwable failure) {
		if (held.renewal().failed(this.engine.clock())) {
			logger.warn("Lock '{}': renewal failed, repeating it for the {} ms left of the lease", this.key,
					held.remaining() / 1_000_000, failure);
		}
		failExtensions(held, this.engine.storeFailure(this.key, failure));
	}

	private void grantExtensions(Hold held) {
		for (Waiter nested : held.extensions()) {
			held.enter();
			finish(nested, new Waiter.Outcome.Granted(held));
		}
		held.extensions().clear();
	}

	private void failExtensions(Hold held, RuntimeException failure) {
		held.extensions().forEach((nested) -> finish(nested, new Waiter.Outcome.Failed(failure)));
		held.extensions().clear();
	}

	private void loseIfExpired() {
		if (this.hold != null && this.hold.remaining() <= 0) {
			lose(this.hold, Loss.EXPIRED);
		}
	}

	private void lose(Hold held, Loss why) {
		this.hold = null;
		this.lostHolds.add(held);
		List<Runnable> callbacks = held.lose(why);
		failExtensions(held, held.lostException());
		this.afterwards.add(() -> {
			logger.warn("{}", held.lostException().getMessage());
			callbacks.forEach(this.engine::callBack);
		});
		contend();
	}

	private void tickRenewal(long now) {
		Hold held = this.hold;
		if (held == null || !held.renewal().due(now)) {
			return;
		}
		failExtensions(held, this.engine.storeFailure(this.key, null));
		if (!held.taker().owner().isAlive()) {
			held.renewal().stop();
			logger.warn("Lock '{}': thread '{}' ended without releasing it; it is not renewed any more", this.key,
					held.taker().owner().getName());
		}
		else {
			sendRenew(held);
		}
	}

	private void tickContender(long now) {
		Contender current = this.contender;
		if (current == null) {
			return;
		}
		if (current.givenUp(now, this.engine.timeoutNanos())) {
			giveUp(this.engine.storeFailure(this.key, null));
		}
		else if (current.sendDue(now)) {
			sendAcquire(current);
		}
	}

	// Ending

	private Withdrawal withdraw(RequestId request, Lease lease) {
		Withdrawal withdrawal = new Withdrawal(request, this.engine.overInStore(lease));
		this.withdrawals.add(withdrawal);
		sendFinish(withdrawal);
		return withdrawal;
	}

	private void withdrawOnce(RequestId request) {
		if (this.withdrawals.stream().noneMatch((known) -> known.request().equals(request))) {
			withdraw(request, this.engine.defaultLease());
		}
	}

	private void withdrawIfUnwanted() {
		Contender current = this.contender;
		if (current != null && this.waiters.isEmpty()) {
			this.contender = null;
			withdraw(current.request(), current.speaker().lease());
		}
	}

	private void sendFinish(Withdrawal withdrawal) {
		withdrawal.sent(this.engine.now(), this.engine.timeoutNanos());
		this.engine.finish(this.key, withdrawal.request())
			.whenComplete((result, failure) -> finishAnswered(withdrawal, result, failure));
	}

	private void finishAnswered(Withdrawal withdrawal, @Nullable FinishResult result, @Nullable Throwable failure) {
		this.monitor.lock();
		try {
			if (result != null) {
				this.withdrawals.remove(withdrawal);
				withdrawal.set(result);
				this.afterwards.add(withdrawal::wake);
			}
			else {
				logger.debug("Lock '{}': repeating a failed release", this.key, failure);
				withdrawal.failed(this.engine.now());
			}
		}
		finally {
			leaveMonitor();
		}
	}

	private void tickWithdrawals(long now) {
		this.withdrawals.removeIf((withdrawal) -> withdrawal.pointless(now));
		for (Withdrawal withdrawal : List.copyOf(this.withdrawals)) {
			if (withdrawal.sendDue(now)) {
				sendFinish(withdrawal);
			}
		}
	}

	// Telling threads

	private void refuseOverdue() {
		refuseOverdue(knownHolder());
	}

	private void refuseOverdue(@Nullable Holder holder) {
		long now = this.engine.now();
		this.waiters.removeIf((waiter) -> {
			boolean over = waiter.remaining(now) <= 0;
			if (over) {
				finish(waiter, new Waiter.Outcome.Busy(holder));
			}
			return over;
		});
	}

	private void refuse(Waiter waiter) {
		this.waiters.remove(waiter);
		finish(waiter, new Waiter.Outcome.Busy(knownHolder()));
	}

	private void failWaiters(LockException failure) {
		this.waiters.forEach((waiter) -> finish(waiter, new Waiter.Outcome.Failed(failure)));
		this.waiters.clear();
	}

	private @Nullable Holder knownHolder() {
		if (this.hold != null) {
			return this.engine.describe(this.hold);
		}
		return (this.contender != null) ? this.contender.holder() : null;
	}

	private void finish(Waiter waiter, Waiter.Outcome outcome) {
		waiter.set(outcome);
		this.afterwards.add(waiter::wake);
	}

	private LockException shuttingDown() {
		return new LockException("Lock '" + this.key + "' was not acquired: the lock template is shutting down", null);
	}

	// The monitor

	/**
	 * Leaves the monitor; the outermost exit plans the housekeeper's next visit, drops an
	 * idle entry, and then runs what must not run inside.
	 */
	private void leaveMonitor() {
		if (this.monitor.getHoldCount() > 1) {
			this.monitor.unlock();
			return;
		}
		List<Runnable> actions = this.afterwards;
		if (!actions.isEmpty()) {
			this.afterwards = new ArrayList<>(2);
		}
		retireIfIdle();
		long next = nextDue();
		this.due = next;
		this.monitor.unlock();
		actions.forEach(Runnable::run);
		this.engine.wakeBy(next);
	}

	private void retireIfIdle() {
		if (!this.retired && this.hold == null && this.contender == null && this.waiters.isEmpty()
				&& this.withdrawals.isEmpty() && this.lostHolds.isEmpty()) {
			this.retired = true;
			this.engine.forget(this.key, this);
		}
	}

	private long nextDue() {
		long next = this.engine.now() + LocalDeadline.FOREVER_NANOS;
		if (this.contender != null) {
			next = LocalDeadline.earlier(next, this.contender.due(this.engine.timeoutNanos()));
		}
		if (this.hold != null) {
			next = LocalDeadline.earlier(next, this.hold.deadline());
			if (this.hold.renewal().scheduled()) {
				next = LocalDeadline.earlier(next, this.hold.renewal().nextSend());
			}
		}
		for (Withdrawal withdrawal : this.withdrawals) {
			next = LocalDeadline.earlier(next, withdrawal.due());
		}
		return this.lostHolds.isEmpty() ? next
				: LocalDeadline.earlier(next, this.engine.now() + EngineContext.ORPHAN_CHECK_NANOS);
	}

}
