package io.distlock.internal;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.sun.management.ThreadMXBean;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.context.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What one lock costs does not depend on how many others the process holds. The steps of
 * a search are counted by what they allocate, which does not depend on the machine.
 */
class ManyLocksTests {

	private static final int MANY = 10_000;

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final ModelClock clock = new ModelClock();

	private final LockEngine engine = new LockEngine(
			new EngineContext(new InMemoryLockStore(new InMemoryLockServer(this.clock.elsewhere(), Runnable::run)),
					LockSettings.builder().leaseTime(Duration.ofHours(1)).build(), this.clock, "here",
					LockTemplates.DEFAULT, LockObserver.NONE, Runnable::run, () -> 0.5));

	private final List<LockHandle> held = new ArrayList<>();

	private static long bytesOf(Runnable action) {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 20; i++) {
			long before = THREADS.getCurrentThreadAllocatedBytes();
			action.run();
			least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
		}
		return least;
	}

	@Test
	void revokedWhenManyLocksAreHeldThenOnlyItsOwnIsVisited() {
		this.held.add(acquire(LockRequest.permit("stock", 2)));
		for (int i = 0; i < MANY; i++) {
			this.held.add(acquire(LockRequest.of("lock" + i)));
		}
		assertThat(bytesOf(() -> this.engine.table().revoked("unknown"))).isLessThan(1_000);
	}

	private LockHandle acquire(LockRequest request) {
		return this.engine.acquireAsync(request).toCompletableFuture().join();
	}

}
