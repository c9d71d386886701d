package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import io.distlock.LockStoreException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockSnapshot;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What others leave where the locks are harms no other lock. */
class ForeignZnodesTests {

	/** Of each test, as nobody can delete all that a test leaves. */
	private final String root = "/" + UUID.randomUUID();

	private final Znodes znodes = new Znodes("", this.root);

	private CuratorFramework stranger;

	private StoreProcess process;

	@BeforeEach
	void start() {
		this.stranger = Servers.started(Servers.client(Servers.shared().address()));
		this.process = process("e" + UUID.randomUUID());
	}

	private StoreProcess process(String name) {
		return new StoreProcess(name,
				new ZooKeeperLockStore(Servers.client(Servers.shared().address()),
						Servers.settings()
							.root(this.root)
							.sessionTimeout(Servers.LONG_SESSION)
							.commandTimeout(StoreProcess.TIMEOUT)
							.build()));
	}

	@AfterEach
	void stop() {
		this.process.close();
		this.stranger.close();
	}

	@Test
	void lockWhoseZnodeHasAForeignChildIsReleasedAndTakenAgain() throws Exception {
		assertThat(this.process.acquire("stock", 1)).isInstanceOf(AcquireResult.Granted.class);
		this.stranger.create().forPath(this.znodes.lock("stock") + "/note");
		assertThat(this.process.finish("stock", 1)).isEqualTo(FinishResult.RELEASED);
		assertThat(StoreProcess.join(this.process.store().inspect("stock")).isUsed()).isFalse();
		assertThat(this.process.acquire("stock", 2)).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void listLeavesOutWhatMayNotBeRead() throws Exception {
		this.process.acquire("before", 1);
		this.process.acquire("stock", 1);
		hide("kbetween");
		assertThat(StoreProcess.join(this.process.store().list(new ListCommand("", "", 100))).locks())
			.extracting(LockSnapshot::key)
			.containsExactly("before", "stock");
	}

	@Test
	void sweeperSkipsWhatMayNotBeReadAndNamesThatNoProcessCanHave() throws Exception {
		this.process.acquire("alive", 1);
		hide("ka");
		record("kb", "../locks");
		record("kc", "dead.0000000000000001-1");
		assertThat(sweep()).isEqualTo(2);
		assertThat(SweeperTests.names(this.stranger, this.znodes)).containsExactlyInAnyOrder("kalive", "ka");
	}

	@Test
	void lockOfAProcessWhoseNameNoProcessCanHaveIsFree() throws Exception {
		this.process.acquire("other", 1);
		record("kstock", "../locks");
		assertThat(this.process.acquire("stock", 1)).isInstanceOf(AcquireResult.Granted.class);
	}

	/** Whoever may write mailboxes without the rights to lock could let anybody in. */
	@Test
	void messageThatSaysTheLockIsGrantedLetsNobodyIn() throws Exception {
		try (StoreProcess holder = process("h" + UUID.randomUUID())) {
			assertThat(holder.acquire("stock", 1, true)).isInstanceOf(AcquireResult.Granted.class);
			assertThat(this.process.acquire("stock", 1, true)).isInstanceOf(AcquireResult.Queued.class);
			String incarnation = this.stranger.getChildren()
				.forPath(this.znodes.lives())
				.stream()
				.filter((other) -> other.startsWith(this.process.name()))
				.findAny()
				.orElseThrow();
			String forged = "G;" + this.process.name() + ";1;stock;";
			this.stranger.setData()
				.forPath(this.znodes.mail(incarnation),
						(forged + "\nW;behind it;").getBytes(StandardCharsets.US_ASCII));
			Awaitility.await().atMost(StoreProcess.TIMEOUT).until(() -> this.process.contended().contains("behind it"));
			assertThat(holder.finish("stock", 1)).isEqualTo(FinishResult.RELEASED);
			StoreProcess.Granted granted = this.process.granted().poll(20, TimeUnit.SECONDS);
			assertThat(granted).isNotNull();
			assertThat(granted.grant().fencingToken()).isLessThan(1L << 53);
			assertThat(this.process.granted()).isEmpty();
		}
	}

	@Test
	void lockWhoseZnodeHasLostItsChildSaysWhatToDelete() throws Exception {
		assertThat(this.process.acquire("stock", 1)).isInstanceOf(AcquireResult.Granted.class);
		String path = this.znodes.lock("stock");
		for (String child : this.stranger.getChildren().forPath(path)) {
			this.stranger.delete().forPath(path + "/" + child);
		}
		long begun = System.nanoTime();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> this.process.finish("stock", 1))
			.withCauseExactlyInstanceOf(LockStoreException.class)
			.withMessageContaining("is damaged")
			.withMessageContaining("deleteall " + path);
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(StoreProcess.TIMEOUT.dividedBy(2));
		this.stranger.delete().deletingChildrenIfNeeded().forPath(path);
		assertThat(this.process.acquire("stock", 2)).isInstanceOf(AcquireResult.Granted.class);
	}

	/** A znode that only its creator, who is somebody else, may read. */
	private void hide(String name) throws Exception {
		ACL other = new ACL(ZooDefs.Perms.ALL, new Id("digest", "other:secret"));
		this.stranger.create()
			.withACL(List.of(other))
			.forPath(this.znodes.path(name), "secret".getBytes(StandardCharsets.US_ASCII));
	}

	/** A lock that a process holds, as it would be written. */
	private void record(String name, String incarnation) throws Exception {
		String text = "1|0;0;0;|Hdead;1;" + incarnation + ";E;64;1;" + Long.MAX_VALUE + ";1000;0;0;app;host;;;;";
		String path = this.znodes.path(name);
		byte[] data = new RecordNode("identity", false, 64, 0, text).data();
		this.stranger.create().forPath(path, data);
		this.stranger.create().forPath(path + "/identity", new byte[0]);
	}

	private int sweep() throws Exception {
		return StoreProcess
			.join(SweeperTests.sweeper(this.stranger.getZookeeperClient().getZooKeeper(), this.znodes).sweep());
	}

}
