package io.distlock.memory;

import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.records.state.LockState;
import io.distlock.records.state.StateMessage;
import io.distlock.records.state.StateRules;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.StoreListener;

/**
 * Keeps the locks that several {@link InMemoryLockStore stores} of one process share, as
 * processes share a Redis. The locks end with the process.
 */
public final class InMemoryLockServer {

	private static final int OPERATIONS_BETWEEN_SWEEPS = 1024;

	private static final long KEEP_MILLIS = 10_000;

	/** Starts each cursor, because a key may be empty and a cursor must not be. */
	private static final char CURSOR = '=';

	private final ReentrantLock monitor = new ReentrantLock();

	/** The last used one comes last. */
	private final Map<String, StoredLock> locks = new LinkedHashMap<>(16, 0.75f, true);

	private final Map<String, StoreListener> listeners = new HashMap<>();

	private final LockClock clock;

	private final Executor messenger;

	/**
	 * The wall clock's time at zero of the monotonic clock. Leases thus ignore later
	 * jumps of the wall clock.
	 */
	private final long epochMillis;

	private int operations;

	/** Creates a server that uses the machine's clock. */
	public InMemoryLockServer() {
		this(LockClock.system(), Messenger.shared());
	}

	/**
	 * Creates a server.
	 * @param clock the time of the server
	 * @param messenger delivers grants to the instances; must not run them on the calling
	 * thread
	 */
	public InMemoryLockServer(LockClock clock, Executor messenger) {
		this.clock = clock;
		this.messenger = messenger;
		this.epochMillis = clock.epochMillis() - TimeUnit.NANOSECONDS.toMillis(clock.nanoTime());
	}

	/**
	 * Forgets everything, like a Redis that restarts without persistence.
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

	/** Executes one operation on one lock for an engine, atomically. */
	<T> T on(String key, String engine, BiFunction<LockState, StoreTime, Supplier<T>> operation) {
		this.monitor.lock();
		try {
			sweepNowAndThen();
			StoredLock lock = this.locks.computeIfAbsent(key, StoredLock::new);
			StoreTime time = time(engine);
			lock.touchedAt = time.now();
			T answer = operation.apply(lock.state, time).get();
			List<StateMessage> messages = lock.state.takeMessages();
			if (!messages.isEmpty()) {
				messages.forEach((message) -> report(key, message));
			}
			return answer;
		}
		finally {
			this.monitor.unlock();
		}
	}

	/** Finds locks that have holders or waiters, in the order of their keys. */
	LockPage list(ListCommand command) {
		this.monitor.lock();
		try {
			StoreTime time = time("");
			List<LockSnapshot> found = this.locks.entrySet()
				.stream()
				.filter((lock) -> lock.getKey().startsWith(command.prefix())
						&& (CURSOR + lock.getKey()).compareTo(command.cursor()) > 0)
				.sorted(Map.Entry.comparingByKey())
				.map((lock) -> lock.getValue().state.inspect(time))
				.filter(LockSnapshot::isUsed)
				.limit(command.most() + 1L)
				.toList();
			boolean last = found.size() <= command.most();
			List<LockSnapshot> page = last ? found : found.subList(0, command.most());
			return new LockPage(page, last ? "" : CURSOR + page.get(page.size() - 1).key());
		}
		finally {
			this.monitor.unlock();
		}
	}

	private StoreTime time(String engine) {
		Instant instant = this.clock.instant();
		long micros = Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
		long now = this.epochMillis + TimeUnit.NANOSECONDS.toMillis(this.clock.nanoTime());
		return new StoreTime(now, Math.max(1, micros), engine, (incarnation) -> false);
	}

	private void report(String key, StateMessage message) {
		StoreListener listener = this.listeners.get(message.engine());
		if (listener == null) {
			return;
		}
		if (message instanceof StateMessage.Granted granted) {
			this.messenger.execute(() -> listener.granted(key, granted.request(), granted.grant()));
		}
		else if (message instanceof StateMessage.Revoked) {
			this.messenger.execute(() -> listener.revoked(key));
		}
		else {
			this.messenger.execute(() -> listener.contended(key));
		}
	}

	private void sweepNowAndThen() {
		if (++this.operations % OPERATIONS_BETWEEN_SWEEPS == 0) {
			StoreTime time = time("");
			Iterator<StoredLock> locks = this.locks.values().iterator();
			while (locks.hasNext()) {
				StoredLock lock = locks.next();
				if (time.now() - lock.touchedAt <= KEEP_MILLIS) {
					return;
				}
				if (!lock.state.isHeld(time)) {
					locks.remove();
				}
			}
		}
	}

	/** A lock and the time of its last use. */
	private static final class StoredLock {

		private final LockState state;

		private long touchedAt;

		private StoredLock(String key) {
			this.state = new LockState(key, StateRules.MEMORY);
		}

	}

}
