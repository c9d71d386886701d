package io.distlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.databases.ZooKeeperServer;
import io.distlock.output.LogLines;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("ci")
class SweeperTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final Znodes znodes = new Znodes("", Servers.SETTINGS.root());

	@Test
	void recordsOfDeadProcessesAreDeletedAndThoseOfOthersStay() throws Exception {
		try (ZooKeeperServer server = ZooKeeperServer.start(Duration.ofMillis(300));
				CuratorFramework dying = client(server);
				CuratorFramework sweeping = client(server);
				CloseableLockTemplate alive = template(client(server), "alive")) {
			template(dying, "dead");
			List<String> before = names(sweeping, this.znodes);
			assertThat(before).containsExactlyInAnyOrder("kalive", "kdead");
			Servers.killSession(server.address(), dying);
			Sweeper sweeper = sweeper(sweeping.getZookeeperClient().getZooKeeper(), this.znodes);
			assertThat(sweeper.sweep().toCompletableFuture().get()).isOne();
			assertThat(names(sweeping, this.znodes)).containsExactly("kalive");
		}
	}

	/**
	 * A folder may be closed to this process for ever, so each sweep tells it once,
	 * however many folders and records are left.
	 */
	@Test
	void sweepThatFailsIsToldOnceWithItsReason() throws Exception {
		try (ZooKeeperServer server = ZooKeeperServer.start(Duration.ofMillis(300));
				CuratorFramework dying = client(server);
				CuratorFramework sweeping = client(server);
				LogLines log = LogLines.of("io.distlock.zookeeper")) {
			template(dying, "dead");
			Servers.killSession(server.address(), dying);
			Sweeper sweeper = sweeper(sweeping.getZookeeperClient().getZooKeeper(), this.znodes);
			List<String> closed = List.of(this.znodes.spread().get(0), folder(sweeping, "kdead"));
			for (String folder : closed) {
				setRights(sweeping, folder, ZooDefs.Perms.ADMIN);
			}
			assertThat(sweeper.run("host:1").toCompletableFuture()).failsWithin(PATIENCE);
			assertThat(warnings(log)).singleElement()
				.asString()
				.contains("under " + this.znodes.locks() + " in ZooKeeper at host:1 were not deleted",
						"tried again within 15 minutes", "NoAuth");
			for (String folder : closed) {
				setRights(sweeping, folder, ZooDefs.Perms.ALL);
			}
			assertThat(sweeper.run("host:1").toCompletableFuture()).succeedsWithin(PATIENCE).isEqualTo(1);
			assertThat(warnings(log)).hasSize(1);
		}
	}

	private static void setRights(CuratorFramework operator, String path, int rights) throws Exception {
		operator.setACL()
			.withACL(List.of(new ACL(rights | ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
			.forPath(path);
	}

	private String folder(CuratorFramework client, String name) throws Exception {
		for (String folder : this.znodes.spread()) {
			if (client.getChildren().forPath(folder).contains(name)) {
				return folder;
			}
		}
		throw new AssertionError(name);
	}

	private static List<String> warnings(LogLines log) {
		return log.events()
			.stream()
			.filter((line) -> line.getLevel().isGreaterOrEqual(Level.WARN))
			.map((line) -> line.getFormattedMessage())
			.filter((line) -> line.contains("were not deleted"))
			.toList();
	}

	/** Returns the names of the records. */
	static List<String> names(CuratorFramework client, Znodes znodes) throws Exception {
		List<String> names = new ArrayList<>();
		for (String folder : znodes.spread()) {
			names.addAll(client.getChildren().forPath(folder));
		}
		return names;
	}

	private static CuratorFramework client(ZooKeeperServer server) throws Exception {
		CuratorFramework client = Servers.started(Servers.client(server.address()).sessionTimeoutMs(10_000));
		client.blockUntilConnected();
		return client;
	}

	/** Holds a lock; never closed by the one that dies. */
	private static CloseableLockTemplate template(CuratorFramework client, String key) {
		CloseableLockTemplate template = Servers.template(new ZooKeeperLockStore(client, Servers.SETTINGS));
		Awaitility.await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
			LockHandle held = template.acquire(LockRequest.of(key));
			return held.isHeld();
		});
		return template;
	}

	/** Of a process whose name comes before all others. */
	static Sweeper sweeper(ZooKeeper session, Znodes znodes) throws Exception {
		String name = LiveProcesses.name("-", session.getSessionId(), 1);
		ProcessSession processSession = new ProcessSession(session, name, znodes.live(name), System.nanoTime());
		LiveProcesses processes = new LiveProcesses(processSession.calls(), znodes, () -> {
		});
		processSession
			.begin(List
				.of(Op.create(znodes.live(name), new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL)))
			.toCompletableFuture()
			.get();
		processes.watch().toCompletableFuture().get();
		return new Sweeper(processSession, processes, znodes);
	}

}
