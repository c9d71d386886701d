package io.distlock.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.context.EngineContext;
import io.distlock.observe.LockObserver;
import io.distlock.operations.LockOperations;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;

/**
 * The lock template of one process. It owns the table of keys, the housekeeper and the
 * shutdown. It passes a request for one key to {@link SingleLocks} and a request for
 * several keys to {@link SeveralLocks}.
 */
public final class LockEngine implements CloseableLockTemplate, LockOperations.Provider {

	private final EngineContext context;

	private final LockTable table;

	private final SingleLocks locks;

	private final LockOperations operations;

	private final Housekeeper housekeeper;

	private final Shutdown shutdown;

	/**
	 * Creates an engine and starts its store and its housekeeper.
	 * @param store where locks are kept
	 * @param settings what requests do not say
	 * @param clock the time
	 * @param instance id among all engines of the store
	 * @param storeId what observers know the store by
	 * @param observer notified of each step
	 */
	public LockEngine(LockStore store, LockSettings settings, LockClock clock, String instance, String storeId,
			LockObserver observer) {
		this(new EngineContext(store, settings, clock, instance, storeId, observer));
		this.housekeeper.start();
	}

	/**
	 * Creates an engine and starts its store, without a housekeeping thread.
	 * @param context what its keys share
	 */
	LockEngine(EngineContext context) {
		this.context = context;
		this.table = new LockTable(context);
		this.locks = new SingleLocks(this.table, context);
		this.operations = new EngineOperations(this.table, context);
		this.housekeeper = new Housekeeper(this.table, context);
		this.shutdown = new Shutdown(context, this.table, this.housekeeper);
		context.store().start(context.instance(), this.table);
	}

	@Override
	public String instance() {
		return this.context.instance();
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		if (request.keys().size() > 1) {
			return new SeveralLocks(request, this.locks, this.context).acquire();
		}
		return this.locks.acquire(request);
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		if (request.keys().size() > 1) {
			return new SeveralLocks(request, this.locks, this.context).tryAcquire();
		}
		return this.locks.tryAcquire(request);
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		if (request.keys().size() > 1) {
			return new AsyncSeveralLocks(request, this.locks, this.context).begin();
		}
		return this.locks.acquireAsync(request, this.context.defaults().complete(request));
	}

	@Override
	public LockOperations operations() {
		return this.operations;
	}

	@Override
	public boolean isLocked(String key) {
		return !this.operations.find(key).holds().isEmpty();
	}

	@Override
	public int holdCount(String key) {
		return this.locks.holdCount(LockRequest.of(key).key());
	}

	@Override
	public Lock getLock(String key) {
		return new ThreadLock(LockRequest.of(key), this.locks);
	}

	@Override
	public ReadWriteLock getReadWriteLock(String key) {
		LockRequest write = LockRequest.of(key);
		return new ThreadLock.ReadWrite(new ThreadLock(write.mode(LockMode.SHARED), this.locks),
				new ThreadLock(write, this.locks));
	}

	@Override
	public Duration renewalLag() {
		return this.context.renewalLag().longest(this.context.now());
	}

	@Override
	public Duration housekeepingOverdue() {
		return Duration.ofNanos(Math.max(0, this.housekeeper.overdue(this.context.now())));
	}

	@Override
	public boolean shutdown(Duration grace) {
		return this.shutdown.run(grace);
	}

	@Override
	public boolean isIdle() {
		return this.table.isEmpty();
	}

	LockTable table() {
		return this.table;
	}

	Housekeeper housekeeper() {
		return this.housekeeper;
	}

}
