package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What others leave where the locks are harms no other lock. */
class ForeignZnodesTests implements StoreListener {

	/** With time for a machine that runs many tests at once. */
	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private static TestingServer server;

	/** Of each test, as nobody can delete all that a test leaves. */
	private final String root = "/" + UUID.randomUUID();

	private final Znodes znodes = new Znodes("", this.root);

	private final String engine = "e" + UUID.randomUUID();

	private final BlockingQueue<Grant> granted = new LinkedBlockingQueue<>();

	private final BlockingQueue<String> contended = new LinkedBlockingQueue<>();

	private CuratorFramework stranger;

	private ZooKeeperLockStore store;

	@BeforeAll
	static void startServer() {
		server = Servers.start(Duration.ofSeconds(2));
	}

	@AfterAll
	static void stopServer() {
		Servers.stop(server);
	}

	@BeforeEach
	void start() {
		this.stranger = Servers.client(server.getConnectString()).retryPolicy(new RetryOneTime(100)).build();
		this.stranger.start();
		this.store = store();
		this.store.start(this.engine, this);
	}

	private ZooKeeperLockStore store() {
		return new ZooKeeperLockStore(Servers.client(server.getConnectString()),
				Servers.settings()
					.root(this.root)
					.sessionTimeout(Servers.LONG_SESSION)
					.commandTimeout(TIMEOUT)
					.build());
	}

	@AfterEach
	void stop() {
		this.store.stop();
		this.stranger.close();
	}

	@Test
	void lockWhoseZnodeHasAForeignChildIsReleasedAndTakenAgain() throws Exception {
		assertThat(acquire("stock", 1)).isInstanceOf(AcquireResult.Granted.class);
		this.stranger.create().forPath(this.znodes.lock("stock") + "/note");
		assertThat(join(this.store.finish("stock", new RequestId(this.engine, 1), Duration.ZERO)))
			.isEqualTo(FinishResult.RELEASED);
		assertThat(join(this.store.inspect("stock")).isUsed()).isFalse();
		assertThat(acquire("stock", 2)).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void listLeavesOutWhatMayNotBeRead() throws Exception {
		acquire("before", 1);
		acquire("stock", 1);
		hide("kbetween");
		assertThat(join(this.store.list(new ListCommand("", "", 100))).locks()).extracting(LockSnapshot::key)
			.containsExactly("before", "stock");
	}

	@Test
	void sweeperSkipsWhatMayNotBeReadAndNamesThatNoProcessCanHave() throws Exception {
		acquire("alive", 1);
		hide("ka");
		record("kb", "../locks");
		record("kc", "dead.0000000000000001-1");
		assertThat(sweep()).isEqualTo(2);
		assertThat(this.stranger.getChildren().forPath(this.znodes.locks())).containsExactlyInAnyOrder("kalive", "ka");
	}

	@Test
	void lockOfAProcessWhoseNameNoProcessCanHaveIsFree() throws Exception {
		acquire("other", 1);
		record("kstock", "../locks");
		assertThat(acquire("stock", 1)).isInstanceOf(AcquireResult.Granted.class);
	}

	/** Whoever may write mailboxes without the rights to lock could let anybody in. */
	@Test
	void messageThatSaysTheLockIsGrantedLetsNobodyIn() throws Exception {
		ZooKeeperLockStore holder = store();
		String name = "h" + UUID.randomUUID();
		holder.start(name, this);
		try {
			assertThat(join(holder.acquire(command("stock", name, 1, true)))).isInstanceOf(AcquireResult.Granted.class);
			assertThat(join(this.store.acquire(command("stock", this.engine, 1, true))))
				.isInstanceOf(AcquireResult.Queued.class);
			String incarnation = this.stranger.getChildren()
				.forPath(this.znodes.lives())
				.stream()
				.filter((other) -> other.startsWith(this.engine))
				.findAny()
				.orElseThrow();
			String forged = "G;" + this.engine + ";1;stock;";
			this.stranger.setData()
				.forPath(this.znodes.mail(incarnation),
						(forged + "\nW;behind it;").getBytes(StandardCharsets.US_ASCII));
			Awaitility.await().atMost(TIMEOUT).until(() -> this.contended.contains("behind it"));
			assertThat(join(holder.finish("stock", new RequestId(name, 1), Duration.ZERO)))
				.isEqualTo(FinishResult.RELEASED);
			Grant grant = this.granted.poll(20, TimeUnit.SECONDS);
			assertThat(grant).isNotNull();
			assertThat(grant.fencingToken()).isLessThan(1L << 53);
			assertThat(this.granted).isEmpty();
		}
		finally {
			holder.stop();
		}
	}

	@Test
	void lockWhoseZnodeHasLostItsChildSaysWhatToDelete() throws Exception {
		assertThat(acquire("stock", 1)).isInstanceOf(AcquireResult.Granted.class);
		String path = this.znodes.lock("stock");
		for (String child : this.stranger.getChildren().forPath(path)) {
			this.stranger.delete().forPath(path + "/" + child);
		}
		long begun = System.nanoTime();
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> join(this.store.finish("stock", new RequestId(this.engine, 1), Duration.ZERO)))
			.withCauseExactlyInstanceOf(LockStoreException.class)
			.withMessageContaining("is damaged")
			.withMessageContaining("deleteall " + path);
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(TIMEOUT.dividedBy(2));
		this.stranger.delete().deletingChildrenIfNeeded().forPath(path);
		assertThat(acquire("stock", 2)).isInstanceOf(AcquireResult.Granted.class);
	}

	/** A znode that only its creator, who is somebody else, may read. */
	private void hide(String name) throws Exception {
		ACL other = new ACL(ZooDefs.Perms.ALL, new Id("digest", "other:secret"));
		this.stranger.create()
			.withACL(List.of(other))
			.forPath(this.znodes.locks() + "/" + name, "secret".getBytes(StandardCharsets.US_ASCII));
	}

	/** A lock that a process holds, as it would be written. */
	private void record(String name, String incarnation) throws Exception {
		String text = "1|0;0;0;|Hdead;1;" + incarnation + ";E;64;1;" + Long.MAX_VALUE + ";1000;0;0;app;host;;;;";
		String path = this.znodes.locks() + "/" + name;
		byte[] data = new RecordNode("identity", false, 64, 0, text).data();
		this.stranger.create().forPath(path, data);
		this.stranger.create().forPath(path + "/identity", new byte[0]);
	}

	private int sweep() throws Exception {
		ZooKeeper session = this.stranger.getZookeeperClient().getZooKeeper();
		String name = LiveProcesses.name("-", session.getSessionId(), 1);
		ProcessSession processSession = new ProcessSession(session, name, this.znodes.live(name), System.nanoTime());
		LiveProcesses processes = new LiveProcesses(processSession.calls(), this.znodes, () -> {
		});
		join(processSession.begin(List
			.of(Op.create(this.znodes.live(name), new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL))));
		join(processes.watch());
		return join(new Sweeper(processSession, processes, this.znodes).sweep());
	}

	private AcquireResult acquire(String key, long number) {
		return join(this.store.acquire(command(key, this.engine, number, false)));
	}

	private static AcquireCommand command(String key, String name, long number, boolean queue) {
		return new AcquireCommand(key, new RequestId(name, number), Duration.ofSeconds(30), Sharing.EXCLUSIVE, queue, 1,
				TIMEOUT, new Holder("app", "host", name, "", "", Instant.EPOCH));
	}

	private static <T> T join(CompletionStage<T> stage) {
		return CompletableFuture.allOf(stage.toCompletableFuture())
			.orTimeout(3 * TIMEOUT.toSeconds(), TimeUnit.SECONDS)
			.thenApply((nothing) -> stage.toCompletableFuture().join())
			.join();
	}

	@Override
	public void granted(String key, RequestId request, Grant grant) {
		this.granted.add(grant);
	}

	@Override
	public void contended(String key) {
		this.contended.add(key);
	}

	@Override
	public void reconnected() {
		// Nobody waits.
	}

}
