package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.distlock.LockHandle;
import io.distlock.LockListener;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.key.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A caller that goes away while its lock is on the way to it. */
class AsyncAcquisitionTests {

	private static final LockRequest JOB = LockRequest.of("a").holdAtLeast(Duration.ofSeconds(10));

	private final ModelClock clock = new ModelClock();

	private final InMemoryLockServer server = new InMemoryLockServer(this.clock.elsewhere(), Runnable::run);

	private final Deque<Runnable> callbacks = new ArrayDeque<>();

	private final LockEngine here = engine("here");

	private final LockEngine elsewhere = engine("elsewhere");

	private LockEngine engine(String name) {
		LockSettings settings = LockSettings.builder().waitTime(Duration.ZERO).build();
		return new LockEngine(new EngineContext(new InMemoryLockStore(this.server), settings, this.clock, name,
				LockListener.NONE, LockObserver.NONE, this.callbacks::add, () -> 0.5));
	}

	private void runCallbacks() {
		while (!this.callbacks.isEmpty()) {
			this.callbacks.remove().run();
		}
	}

	private boolean takenElsewhere(String key) {
		Optional<LockHandle> lock = this.elsewhere.tryAcquire(LockRequest.of(key));
		lock.ifPresent(LockHandle::close);
		return lock.isEmpty();
	}

	@Test
	void cancelWhenGrantedMeanwhileThenFreeAtOnceThoughThereIsAMinimumHold() {
		CompletableFuture<LockHandle> future = this.here.acquireAsync(JOB).toCompletableFuture();
		assertThat(takenElsewhere("a")).isTrue();
		future.cancel(false);
		runCallbacks();
		assertThat(takenElsewhere("a")).as("no body ran").isFalse();
		assertThat(this.here.isIdle()).isTrue();
	}

	@Test
	void cancelWhenTheFirstOfSeveralIsGrantedThenAllAreFreeAtOnce() {
		LockRequest both = LockRequest.ofAll(List.of("a", "b")).holdAtLeast(Duration.ofSeconds(10));
		CompletableFuture<LockHandle> future = this.here.acquireAsync(both).toCompletableFuture();
		this.callbacks.remove().run();
		assertThat(takenElsewhere("a") && takenElsewhere("b")).isTrue();
		future.cancel(false);
		runCallbacks();
		assertThat(takenElsewhere("a") || takenElsewhere("b")).as("no body ran").isFalse();
		assertThat(this.here.isIdle()).isTrue();
	}

	@Test
	void acquireAsyncThenCompletedWithWhatIsHeld() {
		CompletableFuture<LockHandle> future = this.here.acquireAsync(JOB).toCompletableFuture();
		runCallbacks();
		assertThat(future.join().isHeld()).isTrue();
	}

}
