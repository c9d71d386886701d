package io.distlock.redis.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.redis.client.FakeLink.State;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.TestThreads;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Connections that break, age and end at random while threads use them. */
@Timeout(60)
class KeptConnectionsAtRandomTests {

	/**
	 * Whatever happens, a connection is used by one thread and closed once, there are
	 * never more than the limit, all of the limit can be used afterwards, no thread waits
	 * for ever, a reply is not lost, and in the end all are closed.
	 */
	@Test
	void commandsWhenConnectionsBreakAgeAndEndAtRandom() throws Exception {
		for (int seed = 0; seed < 80; seed++) {
			new Round(seed).run();
		}
	}

	private static final class Round {

		private static final int THREADS = 5;

		private final Random random;

		private final int most;

		private final String name;

		private final Queue<FakeLink> links = new ConcurrentLinkedQueue<>();

		private final Queue<Runnable> sweeps = new ConcurrentLinkedQueue<>();

		private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();

		private final AtomicLong nanoTime = new AtomicLong();

		private final KeptConnections connections;

		Round(int seed) {
			this.random = new Random(seed);
			this.most = 1 + seed % 3;
			this.name = "seed " + seed;
			this.connections = new KeptConnections(this::open, this.most, Duration.ofDays(1), this.nanoTime::get,
					this::later);
		}

		private FakeLink open(Duration atMost) {
			if (ThreadLocalRandom.current().nextInt(8) == 0) {
				throw new IllegalStateException("refused");
			}
			FakeLink link = new FakeLink();
			this.links.add(link);
			if (alive() > this.most) {
				this.surprises.add(new AssertionError("more than " + this.most));
			}
			return link;
		}

		private void later(Runnable sweep) {
			if (ThreadLocalRandom.current().nextInt(8) == 0) {
				throw new RejectedExecutionException("a test");
			}
			this.sweeps.add(sweep);
		}

		private long alive() {
			return this.links.stream().filter((link) -> link.state == State.OPEN).count();
		}

		void run() throws Exception {
			boolean closes = this.random.nextBoolean();
			List<FutureTask<Void>> threads = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				Random own = new Random(this.random.nextLong());
				boolean closer = closes && i < 2;
				threads.add(TestThreads.inThread(() -> {
					for (int n = 0; n < 25; n++) {
						step(own);
					}
					if (closer) {
						this.connections.close();
					}
					for (int n = 0; n < 5; n++) {
						step(own);
					}
					return null;
				}));
			}
			for (FutureTask<Void> thread : threads) {
				TestThreads.get(thread);
			}
			if (closes) {
				assertThat(alive()).as(this.name).isZero();
			}
			assertAllOfTheLimitCanBeUsed();
			this.connections.close();
			this.connections.close();
			assertThat(this.surprises).as(this.name).isEmpty();
			assertThat(alive()).as(this.name).isZero();
			assertThat(this.links).as(this.name).noneMatch((link) -> link.misused);
		}

		private void assertAllOfTheLimitCanBeUsed() throws Exception {
			CountDownLatch all = new CountDownLatch(this.most);
			List<FutureTask<Void>> users = new ArrayList<>();
			for (int i = 0; i < this.most; i++) {
				users.add(TestThreads.inThread(() -> {
					while (isRefused(() -> {
						all.countDown();
						KeptConnectionsTests.awaitEnd(all);
					})) {
						Thread.onSpinWait();
					}
					return null;
				}));
			}
			for (FutureTask<Void> user : users) {
				TestThreads.get(user);
			}
		}

		private boolean isRefused(Runnable command) {
			FakeLink.beforeReply.set(command);
			Throwable failure = catchThrowable(() -> KeptConnectionsTests.send(this.connections));
			FakeLink.beforeReply.remove();
			return failure != null && "refused".equals(failure.getMessage());
		}

		private void step(Random own) {
			int action = own.nextInt(20);
			if (action == 0) {
				this.nanoTime.addAndGet(KeptConnections.IDLE.dividedBy(2).toNanos());
			}
			Runnable sweep = (action < 3) ? this.sweeps.poll() : null;
			if (sweep != null) {
				sweep.run();
			}
			Throwable expected = failure(action);
			if (action == 6 || action == 7) {
				Thread.currentThread().interrupt();
			}
			FakeLink.beforeReply.set(() -> {
				Thread.yield();
				if (expected instanceof RuntimeException exception) {
					throw exception;
				}
				if (expected instanceof Error error) {
					throw error;
				}
			});
			Throwable failure = catchThrowable(() -> KeptConnectionsTests.send(this.connections));
			FakeLink.beforeReply.remove();
			boolean interrupted = action == 6 || action == 7;
			Thread.interrupted();
			if (failure != expected && !(failure != null && "refused".equals(failure.getMessage()))
					&& !(interrupted && failure instanceof TransientStoreException)) {
				this.surprises.add((failure != null) ? failure : new AssertionError("no " + expected));
			}
		}

		private static @Nullable Throwable failure(int action) {
			return switch (action) {
				case 3 -> new FakeLink.ErrorReply();
				case 4, 5, 6 -> new IllegalStateException("lost");
				case 8 -> KeptConnectionsTests.NO_MEMORY;
				default -> null;
			};
		}

	}

}
