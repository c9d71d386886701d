package io.distlock.internal;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

import io.distlock.Holder;
import io.distlock.LockListener;
import io.distlock.LockOptions;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.spi.Capability;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.text.KeyText;

/** What the entries of one engine share: the store, the clock, the names. */
final class EngineContext {

	/**
	 * A pushed grant with less than this left is not used before the store confirmed it.
	 */
	static final long SHORTEST_BELIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	/** How often to look whether the owner of a lost hold is still there to be told. */
	static final long ORPHAN_CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** How long a queued request or a claim may outlive its instance in a store. */
	private static final long LONGEST_CLAIM_NANOS = TimeUnit.SECONDS.toNanos(10);

	private final LockStore store;

	private final LockSettings settings;

	private final EngineClock clock;

	private final String instance;

	private final AtomicLong requests = new AtomicLong();

	private final Failures failures;

	private final StoreCommands commands;

	private final LockTable table;

	private final Housekeeper housekeeper;

	private final Callbacks callbacks;

	private final DoubleSupplier random;

	private final Announcer announcer;

	private final ClockWatch watch;

	private final RenewalLag renewalLag;

	private final Lease defaultLease;

	private final long never;

	private volatile boolean accepting = true;

	private volatile boolean finished;

	EngineContext(LockStore store, LockSettings settings, LockClock clock, String instance, LockListener listener) {
		this(store, settings, clock, instance, listener, Callbacks.threads(),
				() -> ThreadLocalRandom.current().nextDouble());
	}

	/**
	 * What is shared by an engine whose surroundings are given.
	 * @param store where locks are kept
	 * @param settings what requests do not say
	 * @param clock the time
	 * @param instance id among all engines of the store
	 * @param listener told what goes wrong
	 * @param callbacks runs what users want to be told
	 * @param random numbers from 0 to 1 for jitter
	 */
	EngineContext(LockStore store, LockSettings settings, LockClock clock, String instance, LockListener listener,
			Executor callbacks, DoubleSupplier random) {
		this.store = store;
		this.settings = settings;
		this.clock = new EngineClock(clock);
		this.instance = instance;
		this.callbacks = new Callbacks(callbacks);
		this.random = random;
		this.defaultLease = new Lease(settings.leaseTime(), true);
		this.failures = new Failures(settings, this.clock);
		this.commands = new StoreCommands(store, this);
		this.table = new LockTable(this);
		this.announcer = new Announcer(listener, this.callbacks);
		this.watch = new ClockWatch(this.clock, this.announcer, () -> wakeBy(now()));
		this.housekeeper = new Housekeeper(this.table, this.clock, this.watch);
		this.never = this.clock.nanoTime() + LocalDeadline.FOREVER_NANOS;
		this.renewalLag = new RenewalLag(this.clock.nanoTime());
	}

	EngineClock clock() {
		return this.clock;
	}

	long now() {
		return this.clock.nanoTime();
	}

	/** A moment that does not come while this process lives. */
	long never() {
		return this.never;
	}

	LockSettings settings() {
		return this.settings;
	}

	LockStore store() {
		return this.store;
	}

	/** What to throw for what. */
	Failures failures() {
		return this.failures;
	}

	/** What to ask of the store. */
	StoreCommands commands() {
		return this.commands;
	}

	LockTable table() {
		return this.table;
	}

	Housekeeper housekeeper() {
		return this.housekeeper;
	}

	/** To be told what goes wrong. */
	Announcer announcer() {
		return this.announcer;
	}

	ClockWatch watch() {
		return this.watch;
	}

	RenewalLag renewalLag() {
		return this.renewalLag;
	}

	String instance() {
		return this.instance;
	}

	long timeoutNanos() {
		return this.settings.commandTimeout().toNanos();
	}

	boolean accepting() {
		return this.accepting;
	}

	void stopAccepting() {
		this.accepting = false;
	}

	/** What a request wants, completed by the settings. */
	Wish wish(LockRequest request) {
		return wish(request, LocalDeadline.nanos(WaitTime.of(request, this.settings.waitTime()).time()));
	}

	Wish wish(LockRequest request, long waitNanos) {
		Lease lease = request.leaseTime().map((fixed) -> new Lease(fixed, false)).orElseGet(this::defaultLease);
		LockOptions options = options(request);
		Sharing sharing = Sharing.of(request);
		if (options.minHold() != null && !(sharing instanceof Sharing.Exclusive)) {
			throw new IllegalArgumentException("Lock '" + KeyText.of(request.key())
					+ "' cannot have a minimum hold: it is shared with others. Leave out one of the two");
		}
		if (sharing instanceof Sharing.Permit && this.store.unsupported().contains(Capability.PERMITS)) {
			throw new UnsupportedOperationException("There are no permits of '" + KeyText.of(request.key()) + "': "
					+ Capability.PERMITS.lackedBy(this.store));
		}
		return new Wish(lease, sharing, waitNanos, request.maxWaiters().orElse(this.settings.maxWaiters()),
				request.caller(), options);
	}

	/** The options of a request, completed by the settings. */
	LockOptions options(LockRequest request) {
		return request.options().orElse(this.settings.options());
	}

	/** Whether the store is stopped: it answers nothing any more, and nobody repeats. */
	boolean finished() {
		return this.finished;
	}

	void finish() {
		this.finished = true;
	}

	Lease defaultLease() {
		return this.defaultLease;
	}

	/**
	 * When a request is over in the store by itself: a copy under way is refused after
	 * the command timeout, and what it took before ends with the lease.
	 * @param lease the lease it asked for
	 * @return a moment of the monotonic clock
	 */
	long overInStore(Lease lease) {
		return now() + 2 * timeoutNanos() + Math.max(lease.nanos(), LONGEST_CLAIM_NANOS);
	}

	Backoff newBackoff() {
		return new Backoff(this.random);
	}

	RequestId nextRequest(int slot) {
		return new RequestId(this.instance, slot, this.requests.incrementAndGet());
	}

	void wakeBy(long due) {
		this.housekeeper.wakeBy(due);
	}

	/** For users, whose continuations may block. */
	<T> CompletableFuture<T> newFuture() {
		return new CallbackFuture<>(this.callbacks::run);
	}

	void callBack(Runnable callback) {
		this.callbacks.run(callback);
	}

	Holder describe(Hold hold) {
		return describe(hold.taker(), hold.acquiredAt());
	}

	Holder describe(Waiter waiter, Instant since) {
		return new Holder(this.settings.application(), this.settings.host(), this.instance, waiter.ownerName(),
				waiter.caller(), since);
	}

}
