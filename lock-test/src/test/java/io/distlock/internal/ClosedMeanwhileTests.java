package io.distlock.internal;

import java.time.Duration;
import java.util.function.Consumer;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
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

	private static final class World extends EngineWorld {

		private final LockHandle handle = acquireAsync(LockRequest.of("stock:42"));

		private final Thread user = Thread.currentThread();

		private int left;

		World(int reading) {
			this.left = reading;
		}

		@Override
		void callBack(Runnable callback) {
			callback.run();
		}

		/**
		 * Closed by another thread, which waits if this one is in the monitor of the key.
		 */
		@Override
		void disturb() {
			if (this.left > 0 && Thread.currentThread() == this.user && --this.left == 0) {
				Thread closer = new Thread(this.handle::closeAsync, "closer");
				closer.setDaemon(true);
				closer.start();
				while (closer.isAlive() && closer.getState() != Thread.State.WAITING) {
					Thread.onSpinWait();
				}
			}
		}

	}

}
