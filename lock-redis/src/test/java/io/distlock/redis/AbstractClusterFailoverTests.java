package io.distlock.redis;

import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.test.Pause;
import io.distlock.test.Standstill;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The master of some locks goes away and its replica takes over; others stay. */
@Execution(ExecutionMode.CONCURRENT)
abstract class AbstractClusterFailoverTests {

	private static final Duration SOON = Duration.ofSeconds(60);

	private static final int SLOTS = 16_384;

	private static final int EDGE = 512;

	private final Client client;

	AbstractClusterFailoverTests(Client client) {
		this.client = client;
	}

	@Test
	void locksWorkAgainWhenMasterWasKilledAndOthersAllTheTime() throws Exception {
		locksWorkAgainAndOthersAllTheTime(RedisServer::kill);
	}

	final void locksWorkAgainAndOthersAllTheTime(Consumer<RedisServer> fault) throws Exception {
		Standstill.repeat(() -> failOver(fault));
	}

	private void failOver(Consumer<RedisServer> fault) throws Exception {
		try (RedisCluster cluster = RedisCluster.builder().replicas(1).nodeTimeout(Duration.ofSeconds(1)).start()) {
			RedisConnectionFactory factory = this.client.connect(cluster);
			try (TemplatesUnderTest templates = new TemplatesUnderTest(factory, RedisLockStoreSettings.DEFAULTS)) {
				CloseableLockTemplate one = templates.add();
				CloseableLockTemplate two = templates.add();
				RedisServer former = cluster.nodes().get(0);
				String key = key(cluster, former);
				LockHandle held = one.acquire(LockRequest.of(key));
				// It waits on until the successor answers, and the lock is held until
				// then.
				FutureTask<Long> waiter = TemplatesUnderTest.waiter(two, key, SOON.multipliedBy(3));
				awaitQueued(former, key, two);
				awaitInStep(former, cluster.nodes().get(3));
				Traffic traffic = new Traffic(two, key(cluster, cluster.nodes().get(1)));
				// Somebody always wants what is not there.
				Traffic hopeless = new Traffic(two, key(cluster, former));
				await().until(() -> traffic.cycles.get() > 0 && hopeless.cycles.get() > 0);
				fault.accept(former);
				RedisServer successor = cluster.nodes().get(3);
				await().atMost(SOON).until(() -> successor.command("ROLE").startsWith("master"));
				TemplatesUnderTest.awaitWorking(one, key(cluster, successor));
				awaitBusy(two, key);
				traffic.stop();
				hopeless.stop();
				assertThat(traffic.unexplained).isEmpty();
				assertThat(hopeless.failures).isNotEmpty()
					.allSatisfy((failure) -> assertThat(failure).isInstanceOf(LockStoreException.class));
				assertThat(held.isHeld()).isTrue();
				FutureTask<Long> next = TemplatesUnderTest.waiter(two, key);
				awaitQueued(successor, key, two);
				held.close();
				assertThat(TemplatesUnderTest.get(next, SOON)).isGreaterThan(held.fencingToken());
				assertServedOrTold(waiter);
			}
			finally {
				Client.close(factory);
			}
		}
	}

	/** Busy is what only a server that answers can say. */
	private static void awaitBusy(CloseableLockTemplate template, String key) {
		await().atMost(SOON)
			.ignoreExceptionsInstanceOf(LockStoreException.class)
			.untilAsserted(() -> assertThat(template.tryAcquire(LockRequest.of(key))).isEmpty());
	}

	private static void assertServedOrTold(FutureTask<Long> waiter) throws Exception {
		try {
			assertThat(TemplatesUnderTest.get(waiter, SOON)).isPositive();
		}
		catch (ExecutionException ex) {
			assertThat(ex).hasCauseInstanceOf(LockStoreException.class);
		}
	}

	private static String key(RedisCluster cluster, RedisServer master) {
		while (true) {
			String key = "failover:" + UUID.randomUUID();
			// The slots next to those of another master may share a thread with them.
			int slot = cluster.slot("lk:" + key);
			boolean inside = slot > EDGE && slot < SLOTS - EDGE && cluster.masterOf(slot - EDGE) == master
					&& cluster.masterOf(slot + EDGE) == master;
			if (inside) {
				return key;
			}
		}
	}

	private static void awaitQueued(RedisServer server, String key, CloseableLockTemplate waiting) {
		await().until(() -> server.command("HKEYS", "lk:" + key).contains("w:" + waiting.instance()));
	}

	private static void awaitInStep(RedisServer master, RedisServer replica) {
		long offset = offset(master, "master_repl_offset:");
		await().until(() -> offset(replica, "slave_repl_offset:") >= offset);
	}

	private static long offset(RedisServer server, String name) {
		return server.command("INFO", "replication")
			.lines()
			.filter((line) -> line.startsWith(name))
			.mapToLong((line) -> Long.parseLong(line.substring(name.length())))
			.findFirst()
			.orElseThrow();
	}

	/** Threads that use a lock over and over. */
	private static final class Traffic {

		final AtomicInteger cycles = new AtomicInteger();

		final Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();

		/** Those in which the machine did not stand still. */
		final Queue<RuntimeException> unexplained = new ConcurrentLinkedQueue<>();

		private final AtomicBoolean stopped = new AtomicBoolean();

		private final FutureTask<Void> task;

		Traffic(CloseableLockTemplate template, String key) {
			this.task = TestThreads.inThread(() -> {
				while (!this.stopped.get()) {
					Duration before = Standstill.total();
					try {
						template.acquire(LockRequest.of(key)).close();
						this.cycles.incrementAndGet();
					}
					catch (RuntimeException ex) {
						this.failures.add(ex);
						// A command that was under way while this machine stalled may
						// be out of time.
						if (Standstill.total().equals(before)) {
							this.unexplained.add(ex);
						}
					}
					// Often enough to meet each moment of a failover, and not a load of
					// its own.
					Pause.of(Duration.ofMillis(1));
				}
				return null;
			});
		}

		void stop() throws Exception {
			this.stopped.set(true);
			TemplatesUnderTest.get(this.task, SOON);
		}

	}

}
