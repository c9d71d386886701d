package io.distlock.zookeeper;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.distlock.Holder;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How many transactions a lock costs on its way from process to process. */
class HandOverTransactionsTests {

	private static final String LOCK = "stock";

	private static final int MOST_ROUNDS = 200;

	/**
	 * Queuing, and releasing it to the process that waits. A heartbeat may come between,
	 * and a slow machine forgets who had the lock, so the least of several rounds counts.
	 */
	@Test
	void lockGoesFromProcessToProcessWithTwoTransactions() throws Exception {
		TestingServer server = Servers.start(Duration.ofSeconds(2));
		try (CuratorFramework counter = Servers.client(server.getConnectString())
			.retryPolicy(new RetryOneTime(100))
			.build()) {
			counter.start();
			counter.create().forPath("/counter");
			Process one = new Process("one", server);
			Process two = new Process("two", server);
			try {
				assertThat(one.acquire(0)).isInstanceOf(AcquireResult.Granted.class);
				Process holder = one;
				Process waiter = two;
				long least = Long.MAX_VALUE;
				for (int round = 0; round < MOST_ROUNDS && least > 2; round++) {
					long before = transactions(counter);
					assertThat(waiter.acquire(round + 1)).isInstanceOf(AcquireResult.Queued.class);
					assertThat(holder.contended.poll(20, TimeUnit.SECONDS)).isEqualTo(LOCK);
					assertThat(holder.finish(round)).isEqualTo(FinishResult.RELEASED);
					assertThat(waiter.granted.poll(20, TimeUnit.SECONDS)).isEqualTo(waiter.request(round + 1));
					least = Math.min(least, transactions(counter) - before - 1);
					Process next = holder;
					holder = waiter;
					waiter = next;
				}
				assertThat(least).isEqualTo(2);
			}
			finally {
				one.store.stop();
				two.store.stop();
			}
		}
		finally {
			Servers.stop(server);
		}
	}

	/** Each transaction has the next number, also one that is refused. */
	private static long transactions(CuratorFramework counter) throws Exception {
		return counter.setData().forPath("/counter").getMzxid();
	}

	/** A process with one request at a time. */
	private static final class Process implements StoreListener {

		private final BlockingQueue<RequestId> granted = new ArrayBlockingQueue<>(MOST_ROUNDS);

		private final BlockingQueue<String> contended = new ArrayBlockingQueue<>(MOST_ROUNDS);

		private final String name;

		private final ZooKeeperLockStore store;

		Process(String name, TestingServer server) {
			this.name = name;
			this.store = Servers.store(server.getConnectString(), Servers.LONG_SESSION);
			this.store.start(name, this);
		}

		RequestId request(long number) {
			return new RequestId(this.name, number);
		}

		AcquireResult acquire(long number) {
			return join(this.store
				.acquire(new AcquireCommand(LOCK, request(number), Duration.ofSeconds(30), Sharing.EXCLUSIVE, true, 1,
						Duration.ofSeconds(10), new Holder("app", "host", this.name, "", "", Instant.EPOCH))));
		}

		FinishResult finish(long number) {
			return join(this.store.finish(LOCK, request(number), Duration.ZERO));
		}

		private static <T> T join(CompletionStage<T> stage) {
			return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
		}

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			this.granted.add(request);
		}

		@Override
		public void contended(String key) {
			this.contended.add(key);
		}

		@Override
		public void reconnected() {
			// Nothing is missed.
		}

	}

}
