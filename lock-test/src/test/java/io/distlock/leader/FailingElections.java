package io.distlock.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.internal.AllocationFault;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;
import io.distlock.test.Pause;
import io.distlock.test.VirtualClock;
import org.jspecify.annotations.Nullable;

import static io.distlock.test.TestThreads.runInThread;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets one allocation of the threads of an election fail after the other, each in an
 * election of its own, while it leads, hands over, leads again and stops.
 */
final class FailingElections {

	/** More than an election allocates. */
	private static final int MOST = 1_000;

	private final VirtualClock clock;

	private final Duration lease;

	private final Supplier<LockStore> stores;

	private final List<String> problems = new ArrayList<>();

	FailingElections() {
		this(new VirtualClock());
	}

	private FailingElections(VirtualClock clock) {
		this(clock, Duration.ofSeconds(30), inMemory(new InMemoryLockServer(clock, Runnable::run)));
	}

	/**
	 * Lets allocations fail on a store of another kind.
	 * @param clock the time of the elections
	 * @param lease the lease of their locks
	 * @param stores connects one more process to the store
	 */
	FailingElections(VirtualClock clock, Duration lease, Supplier<LockStore> stores) {
		this.clock = clock;
		this.lease = lease;
		this.stores = stores;
	}

	private static Supplier<LockStore> inMemory(InMemoryLockServer server) {
		return () -> new InMemoryLockStore(server);
	}

	/** Called by the test, through another class loader. */
	void failEach(String name) {
		CloseableLockTemplate locks = template();
		CloseableLockTemplate elsewhere = template();
		// Classes are initialized, which may fail only once.
		attempt(locks, elsewhere, name, Integer.MAX_VALUE);
		int number = 1;
		while (number < MOST && attempt(locks, elsewhere, name + number, number)) {
			number++;
		}
		assertThat(number).as("allocations").isBetween(20, MOST - 1);
		assertThat(this.problems).isEmpty();
		for (CloseableLockTemplate template : List.of(locks, elsewhere)) {
			advanceUntil(runInThread(template::close)::isDone);
		}
	}

	private CloseableLockTemplate template() {
		return LockTemplateBuilder.forStore(this.stores.get())
			.settings(LockSettings.builder().leaseTime(this.lease).build())
			.clock(this.clock)
			.build();
	}

	private boolean attempt(CloseableLockTemplate locks, CloseableLockTemplate elsewhere, String name, int number) {
		AtomicInteger open = new AtomicInteger();
		LeaderElection election = new LeaderElection(locks, name, this.clock)
			.onGranted((token) -> open.incrementAndGet())
			.onRevoked((token) -> open.decrementAndGet());
		String threads = "distributed-lock-leader-" + name;
		AllocationFault.arm(number,
				(thread) -> thread.getName().equals(threads) || thread.getName().equals(threads + "-granted"));
		election.start();
		boolean led = advanceUntil(election::isLeader);
		election.handOver();
		boolean ledAgain = advanceUntil(election::isLeader);
		CompletableFuture<?> stopped = election.stop().toCompletableFuture();
		boolean over = advanceUntil(stopped::isDone);
		String place = AllocationFault.disarm();
		check(led, "leads", number, place);
		check(ledAgain, "leads again", number, place);
		check(over, "stops", number, place);
		check(advanceUntil(() -> open.get() == 0), "revokes what it has granted", number, place);
		check(advanceUntil(() -> isFree(elsewhere, "leader:" + name)), "releases its lock", number, place);
		return place != null;
	}

	private void check(boolean kept, String what, int number, @Nullable String place) {
		if (!kept) {
			this.problems.add("never " + what + ", " + number + ": " + place);
		}
	}

	private static boolean isFree(CloseableLockTemplate elsewhere, String key) {
		return elsewhere.tryAcquire(key).map((lock) -> {
			lock.closeAsync();
			return true;
		}).orElse(false);
	}

	private boolean advanceUntil(BooleanSupplier condition) {
		for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
			Pause.atMost(Duration.ofMillis(20), condition);
			if (!condition.getAsBoolean()) {
				this.clock.advance(Duration.ofMillis(500));
			}
		}
		return condition.getAsBoolean();
	}

}
