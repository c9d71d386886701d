package io.distlock.internal.context;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

import io.distlock.Holder;
import io.distlock.LockSettings;
import io.distlock.internal.hold.Owner;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.monitor.WakeTime;
import io.distlock.internal.observe.Observers;
import io.distlock.internal.outage.SharedRetries;
import io.distlock.internal.outage.StoreCommands;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.ClockWatch;
import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.time.RenewalLag;
import io.distlock.observe.LockObserver;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.Capability;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/** The parts that all keys of one engine share: store, clock, settings and names. */
public final class EngineContext {

	private final LockStore store;

	private final LockSettings settings;

	private final EngineClock clock;

	private final String instance;

	private final AtomicLong requests = new AtomicLong();

	private final Messages messages;

	private final StoreCommands commands;

	private final Callbacks callbacks;

	private final Backoff backoff;

	/** Runs observers off the threads that send commands, because observers may block. */
	private final Callbacks.InOrder reports;

	private final Observers observers;

	private final ClockWatch watch;

	private final RenewalLag renewalLag;

	private final WakeTime wakeTime;

	private final RequestDefaults defaults;

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
		this(store, settings, clock, instance, storeId, observer, CallbackThreads.create(),
				() -> ThreadLocalRandom.current().nextDouble());
	}

	/**
	 * Creates what the keys of an engine share, with given callbacks and random numbers.
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
		this.store = store;
		this.settings = settings;
		this.clock = new EngineClock(clock);
		this.instance = instance;
		this.callbacks = new Callbacks(callbacks);
		this.backoff = new Backoff(random);
		this.messages = new Messages(settings, this.clock, store::describe);
		this.reports = this.callbacks.inOrder();
		this.observers = new Observers(storeId, observer, this.reports, this.reports::executeUnlessBehind);
		this.defaults = new RequestDefaults(settings, store, this.observers);
		this.never = this.clock.nanoTime() + LocalDeadline.FOREVER_NANOS;
		this.wakeTime = new WakeTime(this.never);
		this.commands = new StoreCommands(store, this.clock, this.observers,
				new SharedRetries(this.backoff, () -> this.wakeTime.noLaterThan(now())),
				// Each end is due soon, so none has to be woken.
				new SharedRetries(this.backoff, () -> {
				}));
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
	 * Returns a moment that never comes during the life of this process.
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
	 * Returns the factory of the exceptions for callers that do not get a lock.
	 * @return the factory
	 */
	public Messages messages() {
		return this.messages;
	}

	/** Returns what sends the commands of all keys to the store. */
	public StoreCommands commands() {
		return this.commands;
	}

	/**
	 * Notes that a command of a key ended. While the store is being stopped, the end of a
	 * command says nothing about the state of the store.
	 */
	public void commandEnded(StoreCommand command, long sentAt, @Nullable Throwable failure,
			@Nullable Monitor monitor) {
		if (!this.stopped) {
			this.commands.ended(command, failure, monitor);
		}
		this.commands.reportCommand(command, sentAt, failure, monitor);
	}

	/** Returns the observers of all keys. */
	public Observers observers() {
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
	 * Returns the watch that detects jumps of clocks.
	 * @return the watch
	 */
	public ClockWatch watch() {
		return this.watch;
	}

	/**
	 * Returns the measurement of how late renewals are sent.
	 * @return the measurement
	 */
	public RenewalLag renewalLag() {
		return this.renewalLag;
	}

	/**
	 * Returns the moment at which the housekeeping thread wakes.
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
	 * Returns how long the store may take to answer. The time is longer while the store
	 * connects for the first time.
	 * @return nanoseconds
	 */
	public long timeoutNanos() {
		return this.settings.commandTimeout().toNanos() + this.store.connecting().toNanos();
	}

	/** Returns whether new acquisitions are accepted, which ends with the shutdown. */
	public boolean accepting() {
		return this.accepting;
	}

	/** Refuses all waiters from now on. */
	public void stopAccepting() {
		this.accepting = false;
	}

	/**
	 * Returns whether the store is stopped. A stopped store answers nothing, and no
	 * command is repeated.
	 * @return {@code true} after {@link #stop()}
	 */
	public boolean stopped() {
		return this.stopped;
	}

	/** Notes that the store is being stopped. */
	public void stop() {
		this.stopped = true;
	}

	/** Notes that the engine sends no more commands. */
	public void abandoned() {
		this.commands.outage().stopped();
	}

	/**
	 * Logs that the store does not answer or refuses to grant locks, if that has lasted
	 * and is not logged yet.
	 * @return when to call this again at the latest, a moment of the monotonic clock
	 */
	public long checkOutage() {
		return this.commands.outage().check(this.never);
	}

	/** Notes that the store can probably be asked again. */
	public void reconnected() {
		this.commands.retries().answered();
	}

	/**
	 * Returns whether the store answers again, so that the commands that were held back
	 * must be sent now.
	 * @return {@code true} once after each time without answers
	 */
	public boolean takeRecovery() {
		return this.commands.retries().takeRecovery();
	}

	/**
	 * Returns the defaults that complete requests.
	 * @return the defaults of this engine
	 */
	public RequestDefaults defaults() {
		return this.defaults;
	}

	/** Returns whether the store knows the processes that wait. */
	public boolean queuesInStore() {
		return !this.store.unsupported().contains(Capability.QUEUE);
	}

	/**
	 * Returns when a request is over in the store even without a command. The store
	 * refuses a copy in flight after the command timeout. A hold that such a copy has
	 * taken before ends with its lease.
	 * @param longest the longest term it requested
	 * @return a moment of the monotonic clock
	 */
	public long overInStore(LeaseTerm longest) {
		return now() + 2 * timeoutNanos() + Math.max(longest.nanos(), this.store.waiterLifetime().toNanos());
	}

	/** Returns the backoff of the first failure of a command. */
	public Backoff backoff() {
		return this.backoff;
	}

	/** Creates the id of a new request. */
	public RequestId nextRequest(int slot) {
		return new RequestId(this.instance, slot, this.requests.incrementAndGet());
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

	/** Returns the holder that others see for an owner. */
	public Holder describe(Owner owner, Instant since) {
		return describe(owner.name(), owner.caller(), since, owner.observed().trace());
	}

	/** Describes a holder for the messages of other processes. */
	public Holder describe(String owner, String caller, Instant since, String trace) {
		return new Holder(this.settings.application(), this.settings.host(), this.instance, owner, caller, since,
				trace);
	}

}
