package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.key.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockReleased;
import io.distlock.spi.CallingThread;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A thread that executes the command of its own release. */
class ReleasingThreadTests {

	private final List<String> steps = new ArrayList<>();

	/** Other commands for the lock may wait for this one, and an observer may block. */
	@Test
	void closeThenTheCommandIsExecutedBeforeTheObserverIsNotified() {
		ModelClock clock = new ModelClock();
		LockStore store = byCallers(new InMemoryLockStore(new InMemoryLockServer(clock.elsewhere(), Runnable::run)));
		LockEngine engine = new LockEngine(new EngineContext(store, LockSettings.DEFAULTS, clock, "here",
				LockTemplates.DEFAULT, new EachObserved(this::observer), Runnable::run, () -> 0.5));
		engine.acquire(LockRequest.of("stock:42")).close();
		assertThat(this.steps).containsExactly("command", "observer");
	}

	private AcquisitionObserver observer() {
		return new AcquisitionObserver() {

			@Override
			public void released(LockReleased released) {
				ReleasingThreadTests.this.steps.add("observer");
			}

		};
	}

	private LockStore byCallers(LockStore store) {
		return new ForwardingStore(store) {

			@Override
			public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor,
					CallingThread caller) {
				CompletableFuture<FinishResult> answer = new CompletableFuture<>();
				assertThat(caller.offer(() -> {
					ReleasingThreadTests.this.steps.add("command");
					answer.complete(finish(key, request, keepFor).toCompletableFuture().join());
				})).isTrue();
				return answer;
			}

		};
	}

}
