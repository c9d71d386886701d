package io.distlock.reliability.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import io.distlock.LockHandle;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.reliability.Pass;
import io.distlock.test.Pause;
import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Masters of a Cluster change, and slots move, while locks are held and wanted. */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
@Tag("ci")
class ClusterFailoverLoopTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** How a master loses its slots. */
	private enum Fault {

		HAND_OVER {
			@Override
			void happen(RedisServer master, RedisServer replica) {
				do {
					replica.command("CLUSTER", "FAILOVER");
				}
				// The replica gives up after five seconds.
				while (!Pause.atMost(Duration.ofSeconds(6), () -> replica.command("ROLE").startsWith("master")));
			}
		},

		TAKE_OVER {
			@Override
			void happen(RedisServer master, RedisServer replica) {
				replica.command("CLUSTER", "FAILOVER", "TAKEOVER");
			}
		},

		KILL {
			@Override
			void happen(RedisServer master, RedisServer replica) {
				master.kill();
			}
		};

		abstract void happen(RedisServer master, RedisServer replica);

	}

	@Test
	void tokensRiseAndDoubleHoldsAreLostWritesWhenMastersChange() throws Exception {
		RedisCluster cluster = start(Duration.ofSeconds(2));
		List<String> keys = keys(cluster);
		int rounds = Pass.current().of(3, 51);
		LettuceConnectionFactory factory = Connections.to(cluster);
		int lostWrites = 0;
		Duration slowest = Duration.ZERO;
		try (cluster; Rivals rivals = new Rivals(factory, RedisLockStoreSettings.DEFAULTS, Rivals.FAST, 3, keys)) {
			for (int round = 0; round < rounds; round++) {
				awaitServed(rivals);
				Fault fault = Fault.values()[round % Fault.values().length];
				// Another master each time the same fault comes again.
				String key = keys.get((round + round / 3) % keys.size());
				int doubleHolds = rivals.doubleHolds();
				int lost = fail(cluster, fault, key, rivals);
				lostWrites += lost;
				long begun = System.nanoTime();
				awaitServed(rivals);
				Duration recovery = Duration.ofNanos(System.nanoTime() - begun);
				slowest = (recovery.compareTo(slowest) > 0) ? recovery : slowest;
				if (fault == Fault.KILL) {
					assertThat(rivals.doubleHolds() - doubleHolds).isLessThanOrEqualTo(lost);
				}
			}
			rivals.stop();
			System.out.println("Cluster: " + rounds + " failovers, " + rivals + ", " + lostWrites
					+ " lost writes of held locks, recovery <= " + slowest.toMillis() + " ms");
			assertThat(rivals.unnamed).isEmpty();
			assertThat(rivals.tokenErrors()).isZero();
		}
		finally {
			factory.destroy();
		}
	}

	private static RedisCluster start(Duration nodeTimeout) {
		return RedisCluster.builder().replicas(1).nodeTimeout(nodeTimeout).start();
	}

	/** How many locks that were believed in the successor does not know. */
	private static int fail(RedisCluster cluster, Fault fault, String key, Rivals rivals) {
		RedisServer master = cluster.masterOf("lk:" + key);
		RedisServer replica = cluster.nodes()
			.stream()
			.filter((node) -> node.command("ROLE").startsWith("slave\n" + master.host() + "\n" + master.port()))
			.findFirst()
			.orElseThrow();
		fault.happen(master, replica);
		List<LockHandle> believed = rivals.ledger(key).believers();
		cluster.awaitOtherMasterThan(master, "lk:" + key);
		int lost = (int) believed.stream().filter((handle) -> !Rivals.knows(replica, handle)).count();
		if (!master.isRunning()) {
			master.restart();
		}
		await().atMost(PATIENCE).until(() -> master.command("INFO", "replication").contains("master_link_status:up"));
		return lost;
	}

	@Test
	void nobodyNoticesWhenSlotsMove() throws Exception {
		// A stall must not make nodes vote for other masters. A long timeout at the start
		// would delay their first contact as long.
		RedisCluster cluster = start(Duration.ofSeconds(5));
		cluster.nodes().forEach((node) -> node.command("CONFIG", "SET", "cluster-node-timeout", "30000"));
		List<String> keys = keys(cluster);
		int moves = Pass.current().of(6, 201);
		LettuceConnectionFactory factory = Connections.to(cluster);
		try (cluster;
				Rivals rivals = new Rivals(factory,
						RedisLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(10)).build(), Rivals.PATIENT,
						3, keys)) {
			awaitServed(rivals);
			for (int move = 0; move < moves; move++) {
				String key = "lk:" + keys.get(move % keys.size());
				int slot = cluster.slot(key);
				RedisServer source = cluster.masterOf(slot);
				RedisServer target = otherMaster(cluster, source);
				cluster.beginToMove(slot, target);
				int before = rivals.grants();
				await().atMost(PATIENCE).until(() -> rivals.grants() > before + keys.size());
				cluster.move(slot, target);
				cluster.awaitOtherMasterThan(source, key);
			}
			awaitServed(rivals);
			rivals.stop();
			System.out.println("Cluster: " + moves + " slots moved, " + rivals);
			assertThat(rivals.unnamed).isEmpty();
			assertThat(rivals.tokenErrors()).isZero();
			assertThat(rivals.doubleHolds()).isZero();
			assertThat(rivals.lossesTold()).isZero();
			assertThat(rivals.storeErrors).isEmpty();
		}
		finally {
			factory.destroy();
		}
	}

	private static void awaitServed(Rivals rivals) {
		long since = System.nanoTime();
		await().atMost(PATIENCE).until(() -> rivals.allServedSince(since));
	}

	/** One key for each master. */
	private static List<String> keys(RedisCluster cluster) {
		List<String> keys = new ArrayList<>();
		for (RedisServer master : cluster.nodes().subList(0, 3)) {
			String key = UUID.randomUUID().toString();
			while (cluster.masterOf("lk:" + key) != master) {
				key = UUID.randomUUID().toString();
			}
			keys.add(key);
		}
		return keys;
	}

	private static RedisServer otherMaster(RedisCluster cluster, RedisServer master) {
		List<RedisServer> masters = cluster.nodes()
			.stream()
			.filter((node) -> node.command("ROLE").startsWith("master"))
			.toList();
		return masters.get((masters.indexOf(master) + 1) % masters.size());
	}

}
