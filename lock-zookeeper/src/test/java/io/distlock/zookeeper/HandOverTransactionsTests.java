package io.distlock.zookeeper;

import java.util.concurrent.TimeUnit;

import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How many transactions a lock costs on its way from process to process. */
class HandOverTransactionsTests {

	private static final String LOCK = "hand-over";

	private static final String COUNTER = "/hand-over-counter";

	private static final int MOST_ROUNDS = 200;

	/**
	 * Queuing, and releasing it to the process that waits. A heartbeat may come between,
	 * and a slow machine forgets who had the lock, so the least of several rounds counts.
	 */
	@Test
	void lockGoesFromProcessToProcessWithTwoTransactions() throws Exception {
		String address = Servers.shared().address();
		try (CuratorFramework counter = Servers.started(Servers.client(address));
				StoreProcess one = new StoreProcess("one", Servers.store(address, Servers.LONG_SESSION));
				StoreProcess two = new StoreProcess("two", Servers.store(address, Servers.LONG_SESSION))) {
			counter.create().forPath(COUNTER);
			assertThat(one.acquire(LOCK, 0, true)).isInstanceOf(AcquireResult.Granted.class);
			StoreProcess holder = one;
			StoreProcess waiter = two;
			long least = Long.MAX_VALUE;
			for (int round = 0; round < MOST_ROUNDS && least > 2; round++) {
				long before = transactions(counter);
				assertThat(waiter.acquire(LOCK, round + 1, true)).isInstanceOf(AcquireResult.Queued.class);
				assertThat(holder.contended().poll(20, TimeUnit.SECONDS)).isEqualTo(LOCK);
				assertThat(holder.finish(LOCK, round)).isEqualTo(FinishResult.RELEASED);
				assertThat(waiter.granted().poll(20, TimeUnit.SECONDS)).extracting(StoreProcess.Granted::request)
					.isEqualTo(waiter.request(round + 1));
				least = Math.min(least, transactions(counter) - before - 1);
				StoreProcess next = holder;
				holder = waiter;
				waiter = next;
			}
			assertThat(least).isEqualTo(2);
		}
	}

	/** Each transaction has the next number, also one that is refused. */
	private static long transactions(CuratorFramework counter) throws Exception {
		return counter.setData().forPath(COUNTER).getMzxid();
	}

}
