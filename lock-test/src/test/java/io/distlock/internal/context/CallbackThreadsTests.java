package io.distlock.internal.context;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Threads for callbacks that may block, on a Java version without virtual threads. */
class CallbackThreadsTests {

	private static final int MANY = 300;

	private final ThreadPoolExecutor threads = CallbackThreads.platform();

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	/** Each waits for the one behind it. */
	@Test
	void executeWhenAllWaitForTheLastOneThenItBeginsNevertheless() throws InterruptedException {
		List<CountDownLatch> turns = new ArrayList<>();
		for (int i = 0; i <= MANY; i++) {
			turns.add(new CountDownLatch(1));
		}
		for (int i = 0; i < MANY; i++) {
			int own = i;
			this.threads.execute(() -> {
				await(turns.get(own + 1));
				turns.get(own).countDown();
			});
		}
		this.threads.execute(() -> turns.get(MANY).countDown());
		assertThat(turns.get(0).await(15, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void executeWhenAThreadIsIdleThenOnThatThread() {
		Set<Thread> used = ConcurrentHashMap.newKeySet();
		AtomicBoolean again = new AtomicBoolean();
		Awaitility.await().until(() -> {
			this.threads.execute(() -> again.compareAndSet(false, !used.add(Thread.currentThread())));
			return again.get();
		});
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
