package io.distlock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.key.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.LockClock;
import io.distlock.stores.LockTemplates;

/**
 * Two engines on one server, without threads: a test runs the callbacks. The clock of one
 * engine disturbs those who read it.
 */
abstract class EngineWorld implements LockClock {

	static final Duration LEASE = Duration.ofSeconds(30);

	final ModelClock clock = new ModelClock();

	private final Deque<Runnable> callbacks = new ArrayDeque<>();

	private final InMemoryLockServer server = new InMemoryLockServer(this.clock.elsewhere(), Runnable::run);

	final EngineContext context = context("here", this);

	final LockEngine engine = new LockEngine(this.context);

	final LockEngine elsewhere = new LockEngine(context("elsewhere", this.clock));

	private EngineContext context(String name, LockClock of) {
		LockSettings settings = LockSettings.builder().leaseTime(LEASE).waitTime(Duration.ZERO).build();
		return new EngineContext(new InMemoryLockStore(this.server), settings, of, name, LockTemplates.DEFAULT,
				LockObserver.NONE, this::callBack, () -> 0.5);
	}

	/** Whatever happens to a thread that reads the clock. */
	abstract void disturb();

	/** By a thread of the engine, unless a test does otherwise. */
	void callBack(Runnable callback) {
		this.callbacks.add(callback);
	}

	final void runCallbacks() {
		while (!this.callbacks.isEmpty()) {
			this.callbacks.remove().run();
		}
	}

	final LockHandle acquireAsync(LockRequest request) {
		CompletableFuture<LockHandle> acquired = this.engine.acquireAsync(request).toCompletableFuture();
		runCallbacks();
		return acquired.join();
	}

	@Override
	public final long nanoTime() {
		disturb();
		return this.clock.nanoTime();
	}

	@Override
	public final long epochMillis() {
		disturb();
		return this.clock.epochMillis();
	}

	@Override
	public final Instant instant() {
		return this.clock.instant();
	}

	@Override
	public void park(long nanos) {
		throw new IllegalStateException("Everything is answered at once");
	}

}
