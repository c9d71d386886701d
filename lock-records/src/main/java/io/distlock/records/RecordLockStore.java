package io.distlock.records;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.distlock.LockStoreException;
import io.distlock.records.place.LockRecords;
import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.records.place.RecordTraits;
import io.distlock.records.state.LockState;
import io.distlock.records.state.LockText;
import io.distlock.records.state.StateRules;
import io.distlock.records.state.UnreadableRecordException;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.Capability;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store on any place with a compare-and-set operation. It reads the record of a lock,
 * executes commands on it with the state machine that all stores share, and writes the
 * record if no other write has changed it. It supports every feature of a store: queue,
 * readers, permits, fencing tokens, and messages if the place sends them.
 */
public final class RecordLockStore implements LockStore {

	private static final Logger logger = LoggerFactory.getLogger(RecordLockStore.class);

	private static final long WAITER_MILLIS = 4000;

	private static final long PLACE_MILLIS = 50;

	/** The longest claim of a grant that was pushed. */
	private static final long CLAIM_MILLIS = 6000;

	private static final long KEEP_MILLIS = 10_000;

	private static final int MAX_WAITERS = 200;

	private final EndedRequests ended = new EndedRequests();

	private final LockRecords records;

	private final RecordSettings settings;

	private final StateRules rules;

	private final Scheduler scheduler;

	private final LongSupplier nanoTime;

	private final DoubleSupplier random;

	private volatile @Nullable Running running;

	/**
	 * Creates a store.
	 * @param records the place
	 * @param settings the times of the store
	 */
	public RecordLockStore(LockRecords records, RecordSettings settings) {
		this(records, settings, rules(records.traits(), settings), Scheduler.shared(), System::nanoTime,
				() -> ThreadLocalRandom.current().nextDouble());
	}

	RecordLockStore(LockRecords records, RecordSettings settings, StateRules rules, Scheduler scheduler,
			LongSupplier nanoTime, DoubleSupplier random) {
		this.records = records;
		this.settings = settings;
		this.rules = rules;
		this.scheduler = scheduler;
		this.nanoTime = nanoTime;
		this.random = random;
	}

	static StateRules rules(RecordTraits traits, RecordSettings settings) {
		return new StateRules(traits.lifetime(), settings.graceAfterLease().toMillis(), WAITER_MILLIS, PLACE_MILLIS,
				WAITER_MILLIS / 2, KEEP_MILLIS, MAX_WAITERS, false);
	}

	@Override
	public void start(String instance, StoreListener listener) {
		RecordPipelines pipelines = new RecordPipelines(new PipelineContext(this.records, this.rules, instance,
				this.scheduler, this.ended, this.nanoTime, this.random, this.settings));
		GrantedHere holds = new GrantedHere(pipelines);
		Running started = new Running(pipelines, holds, new RecordMessages(pipelines, holds, listener,
				() -> new PollPace(this.settings, this.records::listens, this.nanoTime, this.random)));
		this.running = started;
		this.records.start(instance, started.messages());
	}

	@Override
	public Duration connecting() {
		return this.records.connecting();
	}

	@Override
	public Duration waiterLifetime() {
		return Duration.ofMillis(WAITER_MILLIS + MAX_WAITERS * PLACE_MILLIS + CLAIM_MILLIS);
	}

	@Override
	public String describe() {
		return this.records.describe();
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return acquire(command, CallingThread.NONE);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		String key = command.key();
		if (this.ended.contains(key, command.request())) {
			return submitted(AcquireResult.Ended::new);
		}
		Running now = this.running;
		if (now == null) {
			return notRunning();
		}
		this.records.expectMessages();
		PollPace pace = command.queue() ? now.messages().asked(key, command.request()) : now.messages().newPace();
		PollPace.Command executions = pace.command();
		// Most likely the lock is still taken, and a write in vain costs others more.
		RecordCommand.Kind kind = pace.waits() ? RecordCommand.Kind.LOOK : RecordCommand.Kind.TAKE;
		return submit(key, kind, command.timeout(), (holds) -> (state, time) -> holds.answer(command,
				time.incarnation(), state.acquire(command, time, executions.execution())), caller)
			.thenApply((result) -> {
				if (!(result instanceof AcquireResult.Queued)) {
					now.messages().over(key, command.request());
				}
				if (result instanceof AcquireResult.Busy) {
					this.ended.put(key, command.request(), FinishResult.UNKNOWN);
				}
				return result;
			});
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return finish(key, request, keepFor, CallingThread.NONE);
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor, CallingThread caller) {
		Optional<FinishResult> first = this.ended.answer(key, request);
		if (first.isPresent()) {
			// Ended before, as by a release by force that this process has ordered.
			Optional.ofNullable(this.running).ifPresent((now) -> now.over(key, request));
			return submitted(first::get);
		}
		return submit(key, RecordCommand.Kind.RELEASE, this.settings.commandTimeout(),
				(holds) -> (state, time) -> holds.ending(key, request, state.finish(request, keepFor, time)), caller)
			.whenComplete((result, failure) -> {
				// Not earlier: an answer that the request is queued may still be on its
				// way.
				Optional.ofNullable(this.running).ifPresent((now) -> now.messages().over(key, request));
				if (failure == null) {
					this.ended.put(key, request, result);
				}
				else {
					endUnconfirmed(key, request);
				}
			});
	}

	private void endUnconfirmed(String key, RequestId request) {
		Running now = this.running;
		if (now != null) {
			now.holds().endUnconfirmed(key, request);
		}
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		// Sessions renew themselves, so most likely nothing needs to be written.
		RecordCommand.Kind kind = this.rules.byClock() ? RecordCommand.Kind.CHANGE : RecordCommand.Kind.LOOK;
		return submit(command.key(), kind, this.settings.commandTimeout(),
				(holds) -> (state, time) -> holds.answer(command, time.incarnation(), state.renew(command, time)),
				CallingThread.NONE);
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return submit(key, RecordCommand.Kind.LOOK, this.settings.commandTimeout(),
				(holds) -> (state, time) -> () -> state.inspect(time));
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return submit(command.key(), RecordCommand.Kind.CHANGE, this.settings.commandTimeout(),
				(holds) -> (state, time) -> state.forceRelease(command, time));
	}

	@Override
	public Set<Capability> unsupported() {
		return this.records.lists() ? Set.of() : Set.of(Capability.LISTING);
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		if (this.running == null) {
			return notRunning();
		}
		return this.records.list(command.prefix(), command.cursor(), command.most())
			.thenApply((listing) -> new LockPage(
					listing.records().stream().map(this::read).flatMap(Optional::stream).toList(), listing.next()));
	}

	/**
	 * Reads one record of a list. An unreadable record must not hide other locks. A
	 * command on its lock reports the reason.
	 */
	private Optional<LockSnapshot> read(LockRecords.Named named) {
		LockRecords.Seen seen = named.seen();
		try {
			LockState state = LockText.read(seen.text(), named.key(), this.rules);
			state.numberTokens(seen.tokenFloor());
			LockSnapshot lock = state.inspect(seen.time());
			return Optional.of(lock).filter(LockSnapshot::isUsed);
		}
		catch (UnreadableRecordException ex) {
			logger.debug("Lock '{}' in {} is not listed: its record cannot be read", KeyText.of(named.key()),
					describe(), ex);
			return Optional.empty();
		}
	}

	@Override
	public void stop() {
		Running stopped = this.running;
		this.running = null;
		if (stopped != null) {
			stopped.pipelines().stop();
			stopped.holds().clear();
		}
		this.records.stop();
	}

	/**
	 * Returns whether a record has a hold of this process. The caller has read the
	 * record, for instance in a transaction that locks the row. This method ignores the
	 * clock: while the row is locked, the record cannot change.
	 * @param key the lock
	 * @param text the record, empty if there is none
	 * @param fencingToken the token of a handle that this store granted; a later hold has
	 * a higher token
	 * @return whether the hold with this token is in the record
	 * @throws LockStoreException if the record cannot be read, if this store is not
	 * running, or if the record has permits of a semaphore, because a token does not tell
	 * permits apart
	 */
	public boolean isHeldHere(String key, String text, long fencingToken) {
		Running now = this.running;
		if (now == null) {
			throw LockStoreException.notRunning("store on " + describe());
		}
		try {
			LockState state = LockText.read(text, key, this.rules);
			if (state.hasPermits()) {
				throw new LockStoreException(key, "'" + KeyText.of(key) + "' in " + describe() + " is a semaphore, and "
						+ "its record does not say which permit a transaction has: take permits outside of transactions "
						+ "that are checked before their commit", null);
			}
			return state.inspect(new StoreTime(0, 1, now.pipelines().context().engine(), (incarnation) -> false))
				.holds()
				.stream()
				.anyMatch((hold) -> isOwn(hold, now.pipelines().context().engine())
						&& now.holds().firstToken(key, hold.request(), hold.fencingToken()) <= fencingToken);
		}
		catch (UnreadableRecordException ex) {
			throw new LockStoreException(key, "The record of lock '" + KeyText.of(key) + "' in " + describe()
					+ " cannot be read: " + ex.getMessage(), ex);
		}
	}

	private static boolean isOwn(LockSnapshot.Hold hold, String engine) {
		return hold.request().engine().equals(engine);
	}

	/** Returns how much this process remembers: of locks, of holds and of waiters. */
	int remembered() {
		Running now = this.running;
		return (now != null) ? now.pipelines().size() + now.holds().size() + now.messages().size() : 0;
	}

	/**
	 * Returns an answer that needs no look at the place. Fails if the store is not
	 * running.
	 */
	private <T> CompletionStage<T> submitted(Supplier<T> answer) {
		return (this.running != null) ? CompletableFuture.completedFuture(answer.get()) : notRunning();
	}

	private <T> CompletionStage<T> submit(String key, RecordCommand.Kind kind, Duration timeout,
			Function<GrantedHere, BiFunction<LockState, StoreTime, Supplier<T>>> action) {
		return submit(key, kind, timeout, action, CallingThread.NONE);
	}

	private <T> CompletionStage<T> submit(String key, RecordCommand.Kind kind, Duration timeout,
			Function<GrantedHere, BiFunction<LockState, StoreTime, Supplier<T>>> action, CallingThread caller) {
		Running now = this.running;
		if (now == null) {
			return notRunning();
		}
		RecordCommand<T> command = new RecordCommand<>(kind, deadline(timeout), action.apply(now.holds()), caller);
		now.pipelines().submit(key, command);
		return command.answer();
	}

	private long deadline(Duration timeout) {
		return this.nanoTime.getAsLong() + timeout.plus(this.records.connecting()).toNanos();
	}

	private <T> CompletionStage<T> notRunning() {
		return CompletableFuture.failedFuture(LockStoreException.notRunning("store on " + describe()));
	}

	/**
	 * Holds what exists only between start and stop.
	 *
	 * @param pipelines the commands by lock
	 * @param holds the holds that this process was granted
	 * @param messages the requests of this process that wait
	 */
	private record Running(RecordPipelines pipelines, GrantedHere holds, RecordMessages messages) {

		/** Forgets a request that has ended. */
		void over(String key, RequestId request) {
			this.messages.over(key, request);
			this.holds.over(key, request);
		}

	}

}
