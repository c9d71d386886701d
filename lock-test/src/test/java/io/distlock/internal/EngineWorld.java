package io.distlock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.context.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import io.distlock.stores.LockTemplates;

/**
 * Two engines on one server, without threads: a test runs the callbacks. The clock of one
 * engine disturbs those who read it.
 */
abstract class EngineWorld implements LockClock {

	static final Duration LEASE = Duration.ofSeconds(30);

	final ModelClock clock;

	final EngineContext context;

	final LockEngine engine;

	final LockEngine elsewhere;

	private final Deque<Runnable> callbacks = new ArrayDeque<>();

	/** On a server in memory. */
	EngineWorld() {
		this(new ModelClock());
	}

	private EngineWorld(ModelClock clock) {
		this(clock, memory(new InMemoryLockServer(clock.elsewhere(), Runnable::run)));
	}

	/**
	 * On a server of another kind.
	 * @param clock the time of both engines
	 * @param stores connects one more engine to the server
	 */
	EngineWorld(ModelClock clock, Supplier<? extends LockStore> stores) {
		this.clock = clock;
		this.context = context(stores.get(), "here", this);
		this.engine = new LockEngine(this.context);
		this.elsewhere = new LockEngine(context(stores.get(), "elsewhere", clock));
	}

	private EngineContext context(LockStore store, String name, LockClock of) {
		LockSettings settings = LockSettings.builder().leaseTime(LEASE).waitTime(Duration.ZERO).build();
		return new EngineContext(store, settings, of, name, LockTemplates.DEFAULT, LockObserver.NONE, this::callBack,
				() -> 0.5);
	}

	private static Supplier<LockStore> memory(InMemoryLockServer server) {
		return () -> new InMemoryLockStore(server);
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
