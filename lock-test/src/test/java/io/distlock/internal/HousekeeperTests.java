package io.distlock.internal;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.output.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The one thread for all keys goes on, whatever is thrown at it. */
@Execution(ExecutionMode.CONCURRENT)
class HousekeeperTests {

	private static final int SEEDS = Seeds.of("housekeeper.seeds", 50, 200);

	/** Errors come at one of so many readings of the clock. */
	@ParameterizedTest
	@ValueSource(ints = { 40, 400 })
	void runWhenErrorsComeAnywhereThenRenewalsTimeLimitsAndLossesGoOn(int oneOf) {
		int errors = 0;
		for (int seed = 0; seed < SEEDS; seed++) {
			World world = new World(seed, oneOf);
			LockHandle lock = world.acquireAsync(LockRequest.of("lock"));
			LockHandle reader = world.acquireAsync(LockRequest.of("read").mode(LockMode.SHARED));
			LockHandle permit = world.acquireAsync(LockRequest.permit("permit", 2));
			AtomicInteger lost = new AtomicInteger();
			world.acquireAsync(LockRequest.of("fixed").leaseFor(Duration.ofSeconds(20)))
				.onLost((handle) -> lost.incrementAndGet());
			world.elsewhere.acquire(LockRequest.of("taken").leaseFor(Duration.ofHours(1)));
			CompletableFuture<LockHandle> waiting = world.engine
				.acquireAsync(LockRequest.of("taken").waitAtMost(Duration.ofSeconds(10)))
				.toCompletableFuture();

			world.run(Duration.ofSeconds(15));
			assertThat(waiting).as("wait of 10 s, seed %s", seed).isCompletedExceptionally();
			world.run(Duration.ofSeconds(10));
			assertThat(lost).as("loss of a lease of 20 s, seed %s", seed).hasValue(1);
			world.run(EngineWorld.LEASE.multipliedBy(3));
			assertThat(lock.isHeld()).as("renewed, seed %s", seed).isTrue();
			assertThat(reader.isHeld()).as("reader renewed, seed %s", seed).isTrue();
			assertThat(permit.isHeld()).as("permit renewed, seed %s", seed).isTrue();
			assertThat(world.elsewhere.tryAcquire(LockRequest.of("lock"))).isEmpty();
			errors += world.errors;
		}
		assertThat(errors).isGreaterThan(SEEDS);
	}

	/** As in a health check: how long nothing was renewed. */
	@Test
	void overdueWhenTurnsFailThenSinceTheLastOne() {
		World world = new World(0, Integer.MAX_VALUE);
		world.acquireAsync(LockRequest.of("lock"));
		world.run(Duration.ofSeconds(20));
		assertThat(world.engine.housekeepingOverdue()).isLessThan(Duration.ofSeconds(1));
		world.oneOf = 1;
		// A pause that fails as well takes real time.
		world.run(Duration.ofSeconds(5));
		assertThat(world.engine.housekeepingOverdue()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(6));
		world.oneOf = Integer.MAX_VALUE;
		world.run(Duration.ofSeconds(20));
		assertThat(world.engine.housekeepingOverdue()).isLessThan(Duration.ofSeconds(1));
	}

	/** The housekeeper on the thread of the test: time passes while it parks. */
	private static final class World extends EngineWorld {

		private final Random random;

		private int oneOf;

		private boolean turning;

		private long end;

		private int errors;

		World(int seed, int oneOf) {
			this.random = new Random(seed);
			this.oneOf = oneOf;
		}

		/** Turns for some time. */
		void run(Duration time) {
			this.end = this.clock.nanoTime() + time.toNanos();
			this.turning = true;
			this.engine.housekeeper().runWhile(() -> this.clock.nanoTime() - this.end < 0);
			this.turning = false;
		}

		@Override
		void disturb() {
			if (this.turning && this.random.nextInt(this.oneOf) == 0) {
				this.errors++;
				throw this.random.nextBoolean() ? new OutOfMemoryError("test") : new StackOverflowError("test");
			}
		}

		@Override
		public void park(long nanos) {
			this.turning = false;
			try {
				this.clock.moveTo(this.clock.nanoTime() + Math.min(Math.max(nanos, 1), TimeUnit.SECONDS.toNanos(1)));
				runCallbacks();
			}
			finally {
				this.turning = true;
			}
			disturb();
		}

	}

}
