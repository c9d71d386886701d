package io.distlock.zookeeper;

import java.time.Duration;
import java.util.List;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SweeperTests {

	private final Znodes znodes = new Znodes("", Servers.SETTINGS.root());

	@Test
	void recordsOfDeadProcessesAreDeletedAndThoseOfOthersStay() throws Exception {
		TestingServer server = Servers.start(Duration.ofMillis(300));
		try (CuratorFramework dying = client(server);
				CuratorFramework sweeping = client(server);
				CloseableLockTemplate alive = template(client(server), "alive")) {
			template(dying, "dead");
			List<String> before = sweeping.getChildren().forPath(this.znodes.locks());
			assertThat(before).containsExactlyInAnyOrder("kalive", "kdead");
			kill(server, dying);
			Sweeper sweeper = sweeper(sweeping.getZookeeperClient().getZooKeeper());
			assertThat(sweeper.sweep().toCompletableFuture().get()).isOne();
			assertThat(sweeping.getChildren().forPath(this.znodes.locks())).containsExactly("kalive");
		}
		finally {
			Servers.stop(server);
		}
	}

	private static CuratorFramework client(TestingServer server) throws Exception {
		CuratorFramework client = Servers.client(server.getConnectString())
			.sessionTimeoutMs(10_000)
			.retryPolicy(new RetryOneTime(100))
			.build();
		client.start();
		client.blockUntilConnected();
		return client;
	}

	/** Holds a lock; never closed by the one that dies. */
	private static CloseableLockTemplate template(CuratorFramework client, String key) {
		CloseableLockTemplate template = LockTemplateBuilder.forStore(new ZooKeeperLockStore(client, Servers.SETTINGS))
			.build();
		Awaitility.await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
			LockHandle held = template.acquire(LockRequest.of(key));
			return held.isHeld();
		});
		return template;
	}

	private static void kill(TestingServer server, CuratorFramework client) throws Exception {
		ZooKeeper session = client.getZookeeperClient().getZooKeeper();
		ZooKeeper thief = new ZooKeeper(server.getConnectString(), 10_000, (event) -> {
		}, session.getSessionId(), session.getSessionPasswd());
		Awaitility.await().until(() -> thief.getState().isConnected());
		thief.close();
	}

	/** Of a process whose name comes before all others. */
	private Sweeper sweeper(ZooKeeper session) throws Exception {
		String name = LiveProcesses.name("-", session.getSessionId(), 1);
		ProcessSession processSession = new ProcessSession(session, name, this.znodes.live(name), System.nanoTime());
		LiveProcesses processes = new LiveProcesses(processSession.calls(), this.znodes, () -> {
		});
		processSession
			.begin(List
				.of(Op.create(this.znodes.live(name), new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL)))
			.toCompletableFuture()
			.get();
		processes.watch().toCompletableFuture().get();
		return new Sweeper(processSession, processes, this.znodes);
	}

}
