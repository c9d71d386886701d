package io.distlock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.key.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.LockClock;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A handle is closed while another thread uses it. */
class ClosedMeanwhileTests {

	private static final int READINGS = 100;

	@Test
	void ensureHeldWhenClosedMeanwhileThenReleasedAndNotLost() {
		closeAnywhere(LockHandle::ensureHeld);
	}

	@Test
	void extendWhenClosedMeanwhileThenReleasedAndNotLost() {
		closeAnywhere((handle) -> handle.extend(Duration.ofSeconds(1)));
		closeAnywhere((handle) -> handle.extend(Duration.ofMinutes(1)));
	}

	@Test
	void extendAsyncWhenClosedMeanwhileThenReleasedAndNotLost() {
		closeAnywhere((handle) -> {
			Throwable failure = handle.extendAsync(Duration.ofMinutes(1))
				.toCompletableFuture()
				.handle((done, ex) -> ex)
				.join();
			if (failure instanceof RuntimeException own) {
				throw own;
			}
		});
	}

	/** Each time at another reading of the clock. */
	private static void closeAnywhere(Consumer<LockHandle> use) {
		int refused = 0;
		for (int reading = 1; reading < READINGS; reading++) {
			World world = new World(reading);
			Throwable failure = catchThrowable(() -> use.accept(world.handle));
			boolean over = world.left > 0;
			world.left = 0;
			if (failure != null) {
				assertThat(failure).as("closed at reading %s", reading)
					.isInstanceOf(IllegalStateException.class)
					.hasMessageContaining("released");
				refused++;
			}
			if (over) {
				assertThat(refused).isPositive();
				return;
			}
		}
		throw new AssertionError("The clock is read more than " + READINGS + " times");
	}

	private static final class World implements LockClock {

		private final ModelClock clock = new ModelClock();

		private final LockHandle handle;

		private final Thread user = Thread.currentThread();

		private int left;

		World(int reading) {
			EngineContext context = new EngineContext(
					new InMemoryLockStore(new InMemoryLockServer(this.clock.elsewhere(), Runnable::run)),
					LockSettings.DEFAULTS, this, "here", LockTemplates.DEFAULT, LockObserver.NONE, Runnable::run,
					() -> 0.5);
			CompletableFuture<LockHandle> acquired = new LockEngine(context).acquireAsync(LockRequest.of("stock:42"))
				.toCompletableFuture();
			this.handle = acquired.join();
			this.left = reading;
		}

		/** By another thread, which waits if this one is in the monitor of the key. */
		private void closeAtReading() {
			if (this.left > 0 && Thread.currentThread() == this.user && --this.left == 0) {
				Thread closer = new Thread(this.handle::closeAsync, "closer");
				closer.setDaemon(true);
				closer.start();
				while (closer.isAlive() && closer.getState() != Thread.State.WAITING) {
					Thread.onSpinWait();
				}
			}
		}

		@Override
		public long nanoTime() {
			closeAtReading();
			return this.clock.nanoTime();
		}

		@Override
		public long epochMillis() {
			closeAtReading();
			return this.clock.epochMillis();
		}

		@Override
		public Instant instant() {
			return this.clock.instant();
		}

		@Override
		public void park(long nanos) {
			throw new IllegalStateException("Everything is answered at once");
		}

	}

}
