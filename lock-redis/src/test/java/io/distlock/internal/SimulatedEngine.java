package io.distlock.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.waiting.Waiter;
import io.distlock.observe.LockObserver;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;
import io.distlock.stores.LockTemplates;

/**
 * The real engine without its threads: the simulation decides when the housekeeper makes
 * a round, and runs callbacks of users.
 */
public final class SimulatedEngine {

	/** Rounds of the housekeeper are at least this far apart. */
	public static final long ROUND_NANOS = Housekeeper.ROUND_NANOS;

	private final EngineContext context;

	private final LockEngine engine;

	/** Those that had to wait for a lock, by caller. */
	private final Map<String, Waiter> waiters = new HashMap<>();

	public SimulatedEngine(LockStore store, LockSettings settings, LockClock clock, String instance, Executor callbacks,
			DoubleSupplier random) {
		this.context = new EngineContext(store, settings, clock, instance, LockTemplates.DEFAULT, LockObserver.NONE,
				callbacks, random);
		this.engine = new LockEngine(this.context);
	}

	public CompletionStage<LockHandle> acquire(LockRequest request) {
		CompletionStage<LockHandle> acquired = this.engine.acquireAsync(request);
		LockEntry entry = this.engine.table().find(request.key());
		if (entry != null) {
			entry.visit((hold) -> {
			}, (waiter) -> {
				if (waiter.owner().caller().equals(request.caller())) {
					this.waiters.put(request.caller(), waiter);
				}
			});
		}
		return acquired;
	}

	/** When the housekeeper wants to make its next round, by the clock of the engine. */
	public long roundDue() {
		return this.context.wakeTime().get();
	}

	public void makeRound() {
		this.context.watch().check();
		this.engine.housekeeper().visitDue(this.context.now());
	}

	/** Whether the engine remembers what an instance has of a lock. */
	public boolean knows(String key, String instance) {
		return this.engine.table().find(key, RequestId.parse(instance, 1)) != null;
	}

	/**
	 * Whether the outcome of a caller is undecided, wherever its waiter may be. Looks
	 * only: the engine does nothing because of this question.
	 */
	public boolean waits(String caller) {
		this.waiters.values().removeIf((waiter) -> waiter.outcome() != null);
		return this.waiters.containsKey(caller);
	}

	public boolean idle() {
		return this.engine.isIdle();
	}

}
