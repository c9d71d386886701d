package io.distlock.reliability.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.test.Pause;

/**
 * A process whose heap is full for a while, with locks and permits. Afterwards it says
 * what works again. Started with a small heap.
 */
public final class FullHeap {

	/** Survives it that a busy machine does something else for two thirds of it. */
	private static final Duration LEASE = Duration.ofSeconds(15);

	private FullHeap() {
	}

	/**
	 * Fills the heap.
	 * @param args for how many seconds
	 */
	public static void main(String[] args) throws Exception {
		LockSettings settings = LockSettings.builder().leaseTime(LEASE).build();
		CloseableLockTemplate locks = LockTemplateBuilder.forStore(new InMemoryLockStore()).settings(settings).build();
		List<LockHandle> held = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			held.add(locks.acquire("lock" + i));
			held.add(locks.acquire(LockRequest.permit("permit" + i, 3)));
		}
		fill(Duration.ofSeconds(Integer.parseInt(args[0])));
		System.gc();
		LockHandle lock = locks.acquire("later");
		CompletableFuture<LockHandle> waiting = locks
			.acquireAsync(LockRequest.of("later").waitAtMost(Duration.ofMillis(500)))
			.toCompletableFuture();
		System.out.println("time limit kept: " + ends(waiting));
		System.out.println("renewed: " + isRenewed(lock));
		System.out.println("overdue: " + (locks.housekeepingOverdue().compareTo(LEASE) > 0));
		System.exit(0);
	}

	/** Larger arrays first, so that even small objects find no room in the end. */
	private static void fill(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		Object[] hoard = new Object[4_000_000];
		int count = 0;
		int size = 1 << 16;
		while (System.nanoTime() < end) {
			try {
				hoard[count] = new byte[size];
				count++;
			}
			catch (OutOfMemoryError ex) {
				size = Math.max(16, size >> 1);
			}
		}
	}

	/** A renewal leaves more of the lease than before. */
	private static boolean isRenewed(LockHandle lock) {
		Duration[] left = { lock.remaining() };
		return Pause.atMost(LEASE.multipliedBy(2), () -> {
			Duration before = left[0];
			left[0] = lock.remaining();
			return left[0].compareTo(before) > 0;
		});
	}

	private static boolean ends(CompletableFuture<LockHandle> waiting) throws InterruptedException {
		try {
			waiting.get(30, TimeUnit.SECONDS);
			return false;
		}
		catch (ExecutionException ex) {
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
	}

}
