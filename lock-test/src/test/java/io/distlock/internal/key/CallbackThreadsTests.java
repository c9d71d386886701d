package io.distlock.internal.key;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

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

	/** Those that were added for earlier ones are stuck, too. */
	@Test
	void executeWhenManyMoreThanUsualAreStuckThenTheNextOneWaitsNoLongerThanTheFirst() throws InterruptedException {
		CountDownLatch never = new CountDownLatch(1);
		List<Long> waits = new ArrayList<>();
		for (int i = 0; i < 24; i++) {
			CountDownLatch begun = new CountDownLatch(1);
			long since = System.nanoTime();
			this.threads.execute(() -> {
				begun.countDown();
				await(never);
			});
			assertThat(begun.await(30, TimeUnit.SECONDS)).as("callback %d", i).isTrue();
			waits.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
			awaitEndOfGrowth();
		}
		never.countDown();
		// If each waited 100 ms longer than the one before, these would wait for 1.3 s
		// and more. A
		// busy machine adds to some of them: the least counts.
		assertThat(Collections.min(waits.subList(16, 24))).as("%s", waits).isLessThan(1000);
	}

	private void awaitEndOfGrowth() {
		long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
		while (this.threads.isGrowing() && System.nanoTime() - limit < 0) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
		}
		assertThat(this.threads.isGrowing()).isFalse();
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
