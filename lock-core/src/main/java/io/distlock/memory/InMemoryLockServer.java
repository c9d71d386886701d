package io.distlock.memory;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.distlock.spi.LockClock;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/**
 * The locks that several {@link InMemoryLockStore stores} of one process share, as
 * processes share a Redis. Locks are gone with the process.
 */
public final class InMemoryLockServer {

	private static final int OPERATIONS_BETWEEN_SWEEPS = 1024;

	private final ReentrantLock monitor = new ReentrantLock();

	private final Map<String, LockState> locks = new HashMap<>();

	private final Map<String, StoreListener> listeners = new HashMap<>();

	private final LockClock clock;

	private final Executor messenger;

	private int operations;

	/** Creates a server that lives by the machine's clock. */
	public InMemoryLockServer() {
		this(LockClock.system(), Messenger.shared());
	}

	/**
	 * Creates a server.
	 * @param clock its time
	 * @param messenger delivers grants to the instances; must not run them on the calling
	 * thread
	 */
	public InMemoryLockServer(LockClock clock, Executor messenger) {
		this.clock = clock;
		this.messenger = messenger;
	}

	/**
	 * Forgets everything, as a Redis does that restarts without persistence.
	 */
	public void flush() {
		this.monitor.lock();
		try {
			this.locks.clear();
		}
		finally {
			this.monitor.unlock();
		}
	}

	void connect(String instance, StoreListener listener) {
		this.monitor.lock();
		try {
			this.listeners.put(instance, listener);
		}
		finally {
			this.monitor.unlock();
		}
	}

	void disconnect(String instance) {
		this.monitor.lock();
		try {
			this.listeners.remove(instance);
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** Does one thing to one lock, atomically. */
	<T> T on(String key, Function<LockState, T> operation) {
		this.monitor.lock();
		try {
			sweepNowAndThen();
			return operation.apply(this.locks.computeIfAbsent(key, (absent) -> new LockState(absent, this)));
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** The store's clock, in milliseconds. */
	long now() {
		return TimeUnit.NANOSECONDS.toMillis(this.clock.nanoTime());
	}

	LockClock clock() {
		return this.clock;
	}

	/** Reports to an instance that its queued request was granted. */
	void reportGrant(String key, InMemoryHold ownership, long now) {
		RequestId request = ownership.request();
		StoreListener listener = this.listeners.get(request.engine());
		if (listener != null) {
			this.messenger.execute(() -> listener.granted(key, request, ownership.grant(now)));
		}
	}

	/** Reports a waiting request to the holders, each engine once. */
	void reportContention(String key, Collection<InMemoryHold> holds) {
		holds.stream().map((hold) -> hold.request().engine()).distinct().forEach((engine) -> {
			StoreListener listener = this.listeners.get(engine);
			if (listener != null) {
				this.messenger.execute(() -> listener.contended(key));
			}
		});
	}

	private void sweepNowAndThen() {
		if (++this.operations % OPERATIONS_BETWEEN_SWEEPS == 0) {
			long now = now();
			this.locks.values().removeIf((lock) -> lock.forgettable(now));
		}
	}

}
