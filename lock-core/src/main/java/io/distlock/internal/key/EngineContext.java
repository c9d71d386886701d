package io.distlock.internal.key;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

import io.distlock.Holder;
import io.distlock.LockInterruptedException;
import io.distlock.LockOptions;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.OnLost;
import io.distlock.internal.observe.Observers;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.ClockWatch;
import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.time.RenewalLag;
import io.distlock.internal.time.WakeTime;
import io.distlock.observe.LockObserver;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.CallingThread;
import io.distlock.spi.Capability;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/** What all keys of one engine share: the store, the clock, settings and names. */
public final class EngineContext {

	/**
	 * A pushed grant with less than this left is not used until the store confirmed it.
	 */
	static final long SHORTEST_PUSHED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	/** How often to check whether the owner of an unreported loss has ended. */
	static final long ORPHAN_CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);

	private final LockStore store;

	private final LockSettings settings;

	private final EngineClock clock;

	private final String instance;

	private final AtomicLong requests = new AtomicLong();

	private final Messages messages;

	private final StoreCommands commands;

	private final Callbacks callbacks;

	private final Backoff backoff;

	/** Observers, which may block, off the threads that send commands. */
	private final Callbacks.InOrder reports;

	private final Observers observers;

	private final ClockWatch watch;

	private final RenewalLag renewalLag;

	private final WakeTime wakeTime;

	private final LeaseTerm defaultTerm;

	private final long never;

	private volatile boolean accepting = true;

	private volatile boolean stopped;

	/**
	 * Creates what the keys of an engine share.
	 * @param store where locks are kept
	 * @param settings what requests do not say
	 * @param clock the time
	 * @param instance id among all engines of the store
	 * @param storeId what observers know the store by
	 * @param observer notified of each step
	 */
	public EngineContext(LockStore store, LockSettings settings, LockClock clock, String instance, String storeId,
			LockObserver observer) {
		this(store, settings, clock, instance, storeId, observer, CallbackThreads.create(), CallbackThreads.unlimited(),
				() -> ThreadLocalRandom.current().nextDouble());
	}

	/**
	 * Creates the same for given surroundings.
	 * @param store where locks are kept
	 * @param settings what requests do not say
	 * @param clock the time
	 * @param instance id among all engines of the store
	 * @param storeId what observers know the store by
	 * @param observer notified of each step
	 * @param callbacks runs callbacks of users
	 * @param random numbers from 0 to 1 for jitter
	 */
	public EngineContext(LockStore store, LockSettings settings, LockClock clock, String instance, String storeId,
			LockObserver observer, Executor callbacks, DoubleSupplier random) {
		this(store, settings, clock, instance, storeId, observer, callbacks, callbacks, random);
	}

	private EngineContext(LockStore store, LockSettings settings, LockClock clock, String instance, String storeId,
			LockObserver observer, Executor callbacks, Executor ordered, DoubleSupplier random) {
		this.store = store;
		this.settings = settings;
		this.clock = new EngineClock(clock);
		this.instance = instance;
		this.callbacks = new Callbacks(callbacks, ordered);
		this.backoff = new Backoff(random);
		this.defaultTerm = new LeaseTerm(settings.leaseTime(), true);
		this.messages = new Messages(settings, this.clock);
		this.reports = this.callbacks.inOrder();
		this.observers = new Observers(storeId, observer, this.reports, this.reports::executeUnlessBehind);
		this.never = this.clock.nanoTime() + LocalDeadline.FOREVER_NANOS;
		this.wakeTime = new WakeTime(this.never);
		this.commands = new StoreCommands(store, this.clock, this.observers,
				new SharedRetries(this.backoff, () -> this.wakeTime.noLaterThan(now())));
		this.watch = new ClockWatch(storeId, this.clock, this.observers::clockJumped,
				() -> this.wakeTime.noLaterThan(now()));
		this.renewalLag = new RenewalLag(this.clock.nanoTime());
	}

	/**
	 * Returns the monotonic clock.
	 * @return the clock
	 */
	public EngineClock clock() {
		return this.clock;
	}

	/**
	 * Returns the time.
	 * @return a moment of the monotonic clock
	 */
	public long now() {
		return this.clock.nanoTime();
	}

	/**
	 * Returns a moment that does not come while this process lives.
	 * @return a moment of the monotonic clock
	 */
	public long never() {
		return this.never;
	}

	/**
	 * Returns the settings.
	 * @return what requests do not say
	 */
	public LockSettings settings() {
		return this.settings;
	}

	/**
	 * Returns the store.
	 * @return where locks are kept
	 */
	public LockStore store() {
		return this.store;
	}

	/**
	 * Returns the exceptions for callers that do not get a lock.
	 * @return their texts
	 */
	public Messages messages() {
		return this.messages;
	}

	StoreCommands commands() {
		return this.commands;
	}

	/**
	 * A command of a key ended; while the store is being stopped that says nothing about
	 * the store.
	 */
	void commandEnded(StoreCommand command, long sentAt, @Nullable Throwable failure, @Nullable Monitor monitor) {
		if (!this.stopped) {
			this.commands.ended(command, failure, monitor);
		}
		this.commands.report(command, sentAt, failure, monitor);
	}

	Observers observers() {
		return this.observers;
	}

	/**
	 * Returns whether observers were notified of all losses and waits.
	 * @return {@code false} while there is something to report
	 */
	public boolean isReported() {
		return this.reports.isIdle();
	}

	/**
	 * Returns what detects jumps of clocks.
	 * @return the watch
	 */
	public ClockWatch watch() {
		return this.watch;
	}

	/**
	 * Returns how late renewals are sent.
	 * @return the measurement
	 */
	public RenewalLag renewalLag() {
		return this.renewalLag;
	}

	/**
	 * Returns when the housekeeping thread wakes.
	 * @return the moment
	 */
	public WakeTime wakeTime() {
		return this.wakeTime;
	}

	/**
	 * Returns the id of the engine.
	 * @return the id
	 */
	public String instance() {
		return this.instance;
	}

	/**
	 * Returns how long the store may take to answer: longer while it connects for the
	 * first time.
	 * @return nanoseconds
	 */
	public long timeoutNanos() {
		return this.settings.commandTimeout().toNanos() + this.store.connecting().toNanos();
	}

	boolean accepting() {
		return this.accepting;
	}

	/** Refuses all waiters from now on. */
	public void stopAccepting() {
		this.accepting = false;
	}

	/**
	 * Returns whether the store is stopped: it answers nothing and nothing is repeated.
	 * @return {@code true} after {@link #stop()}
	 */
	public boolean stopped() {
		return this.stopped;
	}

	/** The store is being stopped. */
	public void stop() {
		this.stopped = true;
	}

	/** Nothing is asked of the store any more. */
	public void abandoned() {
		this.commands.outage().stopped();
	}

	/** The store can be asked again, as far as is known. */
	public void reconnected() {
		this.commands.retries().answered();
	}

	/**
	 * Returns whether the store answers again, and what was held back is to be sent now.
	 * @return {@code true} once after each time without answers
	 */
	public boolean takeRecovery() {
		return this.commands.retries().takeRecovery();
	}

	/**
	 * Completes a request by the settings, and begins to observe it.
	 * @param request what to acquire
	 * @return what it wants
	 */
	public AcquireOptions acquireOptions(LockRequest request) {
		return acquireOptions(request, waitNanos(request));
	}

	/**
	 * Returns how long a request waits.
	 * @param request what to acquire
	 * @return nanoseconds
	 */
	public long waitNanos(LockRequest request) {
		return LocalDeadline.nanos(AcquireOptions.WaitTime.timeOf(request, this.settings.waitTime()));
	}

	/**
	 * Completes a request by the settings, and begins to observe it.
	 * @param request what to acquire
	 * @param waitNanos how long to wait
	 * @return what it wants
	 */
	public AcquireOptions acquireOptions(LockRequest request, long waitNanos) {
		LeaseTerm term = request.leaseTime().map((fixed) -> new LeaseTerm(fixed, false)).orElse(this.defaultTerm);
		LockOptions options = request.options().orElse(this.settings.options());
		Sharing sharing = Sharing.of(request);
		if (options.minHold() != null && !(sharing instanceof Sharing.Exclusive)) {
			throw new IllegalArgumentException("Lock '" + KeyText.of(request.key())
					+ "' cannot have a minimum hold: it is shared with others. Leave out one of the two");
		}
		if (sharing instanceof Sharing.Permit && this.store.unsupported().contains(Capability.PERMITS)) {
			throw new UnsupportedOperationException("There are no permits of '" + KeyText.of(request.key()) + "': "
					+ Capability.PERMITS.lackedBy(this.store));
		}
		return new AcquireOptions(term, sharing, waitNanos, this.observers.store(), request.name(), request.caller(),
				options, this.observers.acquiring(request));
	}

	/**
	 * Creates an extension of a hold, which waits no longer than the store may take to
	 * answer.
	 * @param hold what to extend
	 * @param atLeast how long it must last from now
	 * @param caller the thread that will await it, or {@code null}
	 * @return the extension
	 */
	public Extension extension(Hold hold, Duration atLeast, @Nullable Thread caller) {
		AcquireOptions options = new AcquireOptions(new LeaseTerm(atLeast, false), hold.sharing(), timeoutNanos(), "",
				LockOptions.NONE);
		return new Extension(hold, options, caller, this.clock, this.callbacks,
				() -> this.messages.unanswered(hold.key(), null));
	}

	/**
	 * Returns what a request wants to happen if its lock is lost.
	 * @param request the request
	 * @return its choice, or that of the settings
	 */
	public @Nullable OnLost onLost(LockRequest request) {
		OnLost wanted = request.options().onLost();
		return (wanted != null) ? wanted : this.settings.options().onLost();
	}

	/** Whether processes that wait are known in the store. */
	boolean queuesInStore() {
		return !this.store.unsupported().contains(Capability.QUEUE);
	}

	LeaseTerm defaultTerm() {
		return this.defaultTerm;
	}

	/**
	 * Returns when a request is over in the store without a command: a copy in flight is
	 * refused after the command timeout, and what it took before ends with the lease.
	 * @param term the longest term it requested
	 * @return a moment of the monotonic clock
	 */
	long overInStore(LeaseTerm term) {
		return now() + 2 * timeoutNanos() + Math.max(term.nanos(), this.store.waiterLifetime().toNanos());
	}

	/** When to repeat a command that has not failed yet. */
	Backoff backoff() {
		return this.backoff;
	}

	RequestId nextRequest(int slot) {
		return new RequestId(this.instance, slot, this.requests.incrementAndGet());
	}

	/** Creates a command without the time of the grant, which the store knows. */
	AcquireCommand acquireCommand(String key, AcquireRequest request) {
		Waiter waiter = request.waiter();
		return new AcquireCommand(key, request.id(), waiter.term().duration(), waiter.sharing(), request.queue(),
				request.tokens(), this.settings.commandTimeout(), describe(waiter.owner(), Instant.EPOCH));
	}

	/**
	 * Reads a lock. Blocks, at most for the command timeout.
	 * @param key the lock
	 * @return its state
	 * @throws LockInterruptedException if interrupted; the flag stays set
	 */
	public LockSnapshot inspect(String key) {
		return await(key, this.commands.inspect(key));
	}

	/**
	 * Takes a lock for a moment, without a waiter and so without observers of waits and
	 * holds. Blocks, for two command timeouts at most.
	 * @param key the lock
	 * @throws LockInterruptedException if interrupted; the flag stays set
	 */
	public void probe(String key) {
		RequestId request = nextRequest(0);
		Duration timeout = this.settings.commandTimeout();
		Holder holder = new Holder(this.settings.application(), this.settings.host(), this.instance,
				ForeignText.nameOf(Thread.currentThread()), "probe", Instant.EPOCH, "");
		long sentAt = now();
		await(key,
				this.commands
					.acquire(new AcquireCommand(key, request, timeout.multipliedBy(3), Sharing.EXCLUSIVE, false, 1,
							timeout, holder), CallingThread.NONE)
					.whenComplete((result, failure) -> commandEnded(StoreCommand.ACQUIRE, sentAt, failure, null)));
		long releasedAt = now();
		await(key, this.commands.finish(key, request, Duration.ZERO, CallingThread.NONE)
			.whenComplete((result, failure) -> commandEnded(StoreCommand.RELEASE, releasedAt, failure, null)));
	}

	/**
	 * Ends holds by force. Blocks, at most for the command timeout.
	 * @param command which holds
	 * @return the requests whose holds were ended by force
	 * @throws LockInterruptedException if interrupted; the flag stays set
	 */
	public Set<RequestId> forceRelease(ForceReleaseCommand command) {
		return await(command.key(), this.commands.forceRelease(command));
	}

	/**
	 * Finds locks. Blocks, at most for the command timeout.
	 * @param command which locks
	 * @return some of them
	 * @throws LockInterruptedException if interrupted; the flag stays set
	 */
	public LockPage list(ListCommand command) {
		return await(command.prefix() + "*", this.commands.list(command));
	}

	private <T> T await(String key, CompletionStage<T> answer) {
		try {
			return answer.toCompletableFuture().get(timeoutNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockInterruptedException(key, ex);
		}
		catch (TimeoutException ex) {
			throw this.messages.unanswered(key, null);
		}
		catch (ExecutionException ex) {
			throw this.messages.ofStore(key, ex);
		}
	}

	/**
	 * Creates a future for users, whose continuations may block.
	 * @param <T> type of its value
	 * @return the future
	 */
	public <T> CompletableFuture<T> newFuture() {
		return this.callbacks.newFuture();
	}

	/**
	 * Runs a callback of users.
	 * @param callback may block
	 */
	public void callBack(Runnable callback) {
		this.callbacks.run(callback);
	}

	Holder describe(Hold hold) {
		return describe(hold.owner(), hold.acquiredAt());
	}

	private Holder describe(Owner owner, Instant since) {
		return new Holder(this.settings.application(), this.settings.host(), this.instance, owner.name(),
				owner.caller(), since, owner.observed().trace());
	}

}
