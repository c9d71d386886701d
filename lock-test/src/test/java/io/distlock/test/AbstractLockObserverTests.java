package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;

/** A template with an observer, and another one on the same store without. */
abstract class AbstractLockObserverTests {

	static final LockRequest LOCK = LockRequest.of("stock:42").named("stock").calledFrom("Stock.sell");

	static final LockRequest ONCE = LOCK.waitAtMost(Duration.ZERO);

	final AtomicBoolean silent = new AtomicBoolean();

	private final Executor messenger = (message) -> {
		if (!this.silent.get()) {
			new Thread(message).start();
		}
	};

	final InMemoryLockServer server = new InMemoryLockServer(LockClock.system(), this.messenger);

	final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore(this.server));

	final ObservedSteps steps = new ObservedSteps();

	final CloseableLockTemplate here = template(this.store, this.steps);

	final CloseableLockTemplate elsewhere = template(new InMemoryLockStore(this.server), LockObserver.NONE);

	static CloseableLockTemplate template(LockStore store, LockObserver observer) {
		LockSettings settings = LockSettings.builder().application("shop").host("pod").build();
		return LockTemplateBuilder.forStore(store).settings(settings).observer(observer).build();
	}

	/** Starts a thread and returns once the observer was notified that it waits. */
	final Thread inWaitingThread(Runnable body) {
		long before = waits();
		Thread thread = new Thread(body);
		thread.start();
		Awaitility.await().until(() -> waits() > before);
		return thread;
	}

	private long waits() {
		return this.steps.names().stream().filter("waits"::equals).count();
	}

	@AfterEach
	void close() {
		this.store.heal();
		this.here.shutdown(Duration.ZERO);
		this.elsewhere.shutdown(Duration.ZERO);
	}

}
