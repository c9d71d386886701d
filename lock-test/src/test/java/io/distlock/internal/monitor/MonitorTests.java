package io.distlock.internal.monitor;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MonitorTests {

	private static final int ROUNDS = 100_000;

	private final AtomicInteger ran = new AtomicInteger();

	private final Monitor monitor = new QuietMonitor();

	@Test
	void runWhenManyThreadsLeaveThenEachActionRunsOnce() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			Callable<Void> worker = this::work;
			for (Future<Void> done : threads.invokeAll(List.of(worker, worker, worker, worker))) {
				done.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.ran).hasValue(2 * ROUNDS);
	}

	@Test
	void runWhenEnclosedThenActionsRunOutsideBoth() {
		Monitor inner = new Monitor(new WakeTime(0), 0) {

			@Override
			protected Monitor enclosing() {
				return MonitorTests.this.monitor;
			}

			@Override
			protected long settle() {
				return 0;
			}

			@Override
			public void tick() {
			}

		};
		this.monitor.run(() -> {
			inner.run(() -> {
				inner.afterwards(this.ran::incrementAndGet);
				inner.afterwards(this.ran::incrementAndGet);
			});
			assertThat(this.ran).hasValue(0);
		});
		assertThat(this.ran).hasValue(2);
		inner.run(() -> inner.afterwards(this.ran::incrementAndGet));
		assertThat(this.ran).hasValue(3);
	}

	/**
	 * Half of the visits plan something: those who do not must not touch what others
	 * plan.
	 */
	private Void work() {
		IntStream.range(0, ROUNDS).forEach((round) -> this.monitor.run(() -> {
			if (round % 2 == 0) {
				this.monitor.afterwards(this.ran::incrementAndGet);
			}
		}));
		return null;
	}

}
