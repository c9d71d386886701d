package io.distlock.internal;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;

import io.distlock.LockHandle;
import io.distlock.LockListener;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.key.EngineContext;
import io.distlock.internal.key.LockEntry;
import io.distlock.observe.LockObserver;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;

/**
 * The real engine without its threads: the simulation decides when the housekeeper makes
 * a round, and runs callbacks of users.
 */
public final class SimulatedEngine {

	/** Rounds of the housekeeper are at least this far apart. */
	public static final long ROUND_NANOS = Housekeeper.ROUND_NANOS;

	private final EngineContext context;

	private final LockEngine engine;

	public SimulatedEngine(LockStore store, LockSettings settings, LockClock clock, String instance, Executor callbacks,
			DoubleSupplier random) {
		this.context = new EngineContext(store, settings, clock, instance, LockListener.NONE, LockObserver.NONE,
				callbacks, random);
		this.engine = new LockEngine(this.context);
	}

	public CompletionStage<LockHandle> acquire(LockRequest request) {
		return this.engine.acquireAsync(request);
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

	/** Whether a caller still waits in the queue of this process for a lock. */
	public boolean waits(String key, String caller) {
		AtomicBoolean waits = new AtomicBoolean();
		LockEntry entry = this.engine.table().find(key);
		if (entry != null) {
			entry.look((hold) -> {
			}, (waiter) -> waits.compareAndSet(false, waiter.caller().equals(caller)));
		}
		return waits.get();
	}

	public boolean idle() {
		return this.engine.isIdle();
	}

}
