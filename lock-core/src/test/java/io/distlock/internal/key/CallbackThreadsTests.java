package io.distlock.internal.key;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Threads for callbacks that may block, on a Java version without virtual threads. */
class CallbackThreadsTests {

	private final CallbackThreads threads = new CallbackThreads(4);

	@Test
	void executeWhenManyComeAtOnceThenOnFewThreads() throws InterruptedException {
		CountDownLatch ended = new CountDownLatch(3000);
		AtomicInteger most = new AtomicInteger();
		for (int i = 0; i < 3000; i++) {
			this.threads.execute(() -> {
				most.accumulateAndGet(this.threads.threads(), Math::max);
				ended.countDown();
			});
		}
		assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
		assertThat(most.get()).isLessThan(100);
	}

	/** Each waits for the one behind it. */
	@Test
	void executeWhenAllWaitForOneThatHasNoThreadThenThereIsOneMore() throws InterruptedException {
		List<CountDownLatch> turns = new ArrayList<>();
		for (int i = 0; i <= 8; i++) {
			turns.add(new CountDownLatch(1));
		}
		for (int i = 0; i < 8; i++) {
			int own = i;
			this.threads.execute(() -> {
				await(turns.get(own + 1));
				turns.get(own).countDown();
			});
		}
		this.threads.execute(() -> turns.get(8).countDown());
		assertThat(turns.get(0).await(15, TimeUnit.SECONDS)).isTrue();
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
