package io.distlock.reliability.rig;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.Capability;
import io.distlock.spi.LockStore;
import io.distlock.test.Pause;

/**
 * A process that uses many keys, each once, and prints how much more of its heap is in
 * use than before. The server is in another process.
 */
public final class UsedOnce {

	/**
	 * How many keys are used before the first measurement, and again before the second.
	 */
	public static final int KEYS = 15_000;

	/** How much of the heap more or less is in use by chance. */
	public static final int SLACK = KEYS * 50;

	private static final int SETTLED = SLACK / 10;

	/** What each key leaves if a test asks for it. */
	private static final int LEAK = 100;

	/** No lease is over because a machine stalls. */
	private static final Duration LEASE = Duration.ofSeconds(120);

	private static final int THREADS = 8;

	private final Queue<byte[]> leaked = new ConcurrentLinkedQueue<>();

	private final CloseableLockTemplate locks;

	private final boolean permits;

	private UsedOnce(LockStore store) {
		this.permits = !store.unsupported().contains(Capability.PERMITS);
		this.locks = LockTemplateBuilder.forStore(store)
			.settings(LockSettings.builder().leaseTime(LEASE).commandTimeout(LEASE.dividedBy(4)).build())
			.build();
	}

	/**
	 * Uses keys.
	 * @param arguments the store, its address, how long something may be kept in seconds,
	 * and whether something is kept for ever
	 */
	public static void main(String[] arguments) throws InterruptedException {
		Parent.dieWithIt();
		UsedOnce used = new UsedOnce(Stores.connect(arguments[0], arguments[1], LEASE));
		used.use(0, false);
		long before = settled();
		used.use(KEYS, Boolean.parseBoolean(arguments[3]));
		long[] kept = new long[1];
		Pause.atMost(Duration.ofSeconds(Long.parseLong(arguments[2])), () -> {
			Pause.of(Duration.ofSeconds(1));
			kept[0] = heap() - before;
			return kept[0] < SLACK;
		});
		System.out.println("kept: " + kept[0] + " of " + before + ", of a leak: " + used.leaked.size());
		System.exit(0);
	}

	private void use(int from, boolean leaks) throws InterruptedException {
		AtomicInteger next = new AtomicInteger(from);
		List<Thread> threads = Stream.generate(() -> new Thread(() -> {
			for (int i = next.getAndIncrement(); i < from + KEYS; i = next.getAndIncrement()) {
				use(i);
				if (leaks) {
					this.leaked.add(new byte[LEAK - Long.BYTES * 5]);
				}
			}
		})).limit(THREADS).toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
	}

	private void use(int number) {
		String key = "once:" + number;
		LockRequest request = (this.permits && number % 3 == 0) ? LockRequest.permit(key, 2) : LockRequest.of(key);
		try (LockHandle lock = this.locks.acquire(request)) {
			if (lock.fencingToken() < 0) {
				throw new IllegalStateException("No lock");
			}
		}
	}

	/** Returns how much is in use when no more of it is forgotten after a while. */
	private static long settled() {
		long least = Long.MAX_VALUE;
		long now = heap();
		while (now < least - SETTLED) {
			least = now;
			Pause.of(Duration.ofSeconds(10));
			now = heap();
			System.out.println("heap: " + now);
		}
		return Math.min(least, now);
	}

	private static long heap() {
		// What a reference queue gives away is freed by the next collection.
		for (int i = 0; i < 3; i++) {
			System.gc();
			Pause.of(Duration.ofMillis(200));
		}
		Runtime runtime = Runtime.getRuntime();
		return runtime.totalMemory() - runtime.freeMemory();
	}

}
