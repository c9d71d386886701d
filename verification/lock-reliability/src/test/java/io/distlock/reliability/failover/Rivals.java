package io.distlock.reliability.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.test.redis.RedisServer;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Templates, each like a process of its own, whose threads want the same locks all the
 * time.
 */
final class Rivals implements AutoCloseable {

	/** Long enough for a failover, and short enough to find out what it lost. */
	static final LockSettings FAST = LockSettings.builder().leaseTime(Duration.ofSeconds(6)).build();

	/** For faults nobody is to notice, on a machine that may be busy. */
	static final LockSettings PATIENT = LockSettings.builder().commandTimeout(Duration.ofSeconds(10)).build();

	private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	final Queue<Throwable> unnamed = new ConcurrentLinkedQueue<>();

	/** Their texts are asked for where there must be none. */
	final Queue<String> storeErrors = new ConcurrentLinkedQueue<>();

	final AtomicInteger busy = new AtomicInteger();

	private final Map<String, Ledger> ledgers = new ConcurrentHashMap<>();

	private final Map<String, Long> lastSuccess = new ConcurrentHashMap<>();

	private final List<CloseableLockTemplate> templates = new ArrayList<>();

	private final List<Thread> threads = new ArrayList<>();

	private final LongSupplier holdNanos;

	private volatile boolean stopped;

	Rivals(RedisConnectionFactory factory, RedisLockStoreSettings store, LockSettings settings, int processes,
			List<String> keys) {
		this(Collections.nCopies(processes, factory), store, settings, keys, () -> HOLD_NANOS);
	}

	/**
	 * Begins to want locks.
	 * @param factories one for each process
	 * @param store the settings of the stores
	 * @param settings the settings of the templates
	 * @param keys the locks
	 * @param holdNanos how long to hold a lock
	 */
	Rivals(List<? extends RedisConnectionFactory> factories, RedisLockStoreSettings store, LockSettings settings,
			List<String> keys, LongSupplier holdNanos) {
		this.holdNanos = holdNanos;
		keys.forEach((key) -> this.ledgers.put(key, new Ledger()));
		for (int i = 0; i < factories.size(); i++) {
			CloseableLockTemplate template = LockTemplateBuilder.forStore(new RedisLockStore(factories.get(i), store))
				.settings(settings)
				.build();
			this.templates.add(template);
			for (String key : keys) {
				Thread thread = new Thread(() -> work(template, key), "rival-" + i + "-" + key);
				thread.setDaemon(true);
				this.threads.add(thread);
			}
		}
		this.threads.forEach(Thread::start);
	}

	/** Whether a server has a grant that was believed in, or a later one. */
	static boolean knows(RedisServer server, LockHandle handle) {
		String[] parts = server.command("HGET", "lk:" + handle.key(), "o").split(";");
		return parts.length > 3 && Long.parseLong(parts[3]) >= handle.fencingToken();
	}

	List<CloseableLockTemplate> templates() {
		return this.templates;
	}

	Ledger ledger(String key) {
		return this.ledgers.get(key);
	}

	List<Ledger> ledgers() {
		return List.copyOf(this.ledgers.values());
	}

	/** Whether each of the templates got a lock of each key since a moment. */
	boolean allServedSince(long moment) {
		return this.threads.stream()
			.allMatch((thread) -> this.lastSuccess.getOrDefault(thread.getName(), moment - 1) - moment > 0);
	}

	private void work(CloseableLockTemplate template, String key) {
		Ledger ledger = this.ledgers.get(key);
		while (!this.stopped) {
			long before = ledger.highestToken();
			try {
				use(template.acquire(LockRequest.of(key).waitAtMost(Duration.ofSeconds(10))), ledger, before);
				this.lastSuccess.put(Thread.currentThread().getName(), System.nanoTime());
			}
			catch (LockBusyException ex) {
				this.busy.incrementAndGet();
			}
			catch (LockLostException ex) {
				ledger.lossesTold.incrementAndGet();
			}
			catch (LockStoreException ex) {
				this.storeErrors.add(String.valueOf(ex.getMessage()));
				LockSupport.parkNanos(HOLD_NANOS);
			}
			catch (Throwable ex) {
				this.unnamed.add(ex);
			}
		}
	}

	private void use(LockHandle handle, Ledger ledger, long before) {
		ledger.entered(handle, before);
		handle.onLost(ledger::notified);
		LockSupport.parkNanos(this.holdNanos.getAsLong());
		ledger.left(handle);
		try {
			handle.close();
		}
		catch (LockLostException ex) {
			ledger.notified(handle);
			throw ex;
		}
	}

	/** Ends the threads; templates stay. */
	void stop() throws InterruptedException {
		this.stopped = true;
		for (Thread thread : this.threads) {
			thread.join(TimeUnit.SECONDS.toMillis(30));
			if (thread.isAlive()) {
				throw new AssertionError(thread.getName() + " is stuck");
			}
		}
	}

	int grants() {
		return ledgers().stream().mapToInt((ledger) -> ledger.grants.get()).sum();
	}

	int doubleHolds() {
		return ledgers().stream().mapToInt((ledger) -> ledger.doubleHolds.get()).sum();
	}

	int tokenErrors() {
		return ledgers().stream().mapToInt((ledger) -> ledger.tokenErrors.get()).sum();
	}

	/** How many holders were joined by another one while they believed in their lock. */
	int joined() {
		return ledgers().stream().mapToInt(Ledger::joined).sum();
	}

	/** How many of those were notified of their loss, at the latest by their release. */
	int joinedNotified() {
		return ledgers().stream().mapToInt((ledger) -> ledger.joinedNotified.get()).sum();
	}

	/** How long two believed at the same time at most. */
	Duration longestOverlap() {
		return Duration.ofNanos(ledgers().stream().flatMap((ledger) -> ledger.overlaps.stream()).reduce(0L, Math::max));
	}

	int lossesTold() {
		return ledgers().stream().mapToInt((ledger) -> ledger.lossesTold.get()).sum();
	}

	@Override
	public String toString() {
		return grants() + " grants, " + doubleHolds() + " double holds, " + tokenErrors() + " token errors, "
				+ lossesTold() + " losses told, " + this.storeErrors.size() + " store errors, " + this.busy + " busy, "
				+ this.unnamed.size() + " other errors";
	}

	@Override
	public void close() {
		this.stopped = true;
		this.templates.forEach(CloseableLockTemplate::close);
	}

}
