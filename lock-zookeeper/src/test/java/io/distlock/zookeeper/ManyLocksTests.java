package io.distlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.distlock.LockStoreException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * More locks than fit into one answer of ZooKeeper are listed and swept, and no
 * connection is lost. The client accepts a twentieth of the usual 1 MB, so that a few
 * thousand locks are many.
 */
@Tag("ci")
class ManyLocksTests {

	private static final int BUFFER = 50_000;

	private static final int LOCKS = 2000;

	private static final int TOGETHER = 50;

	private static final Duration SESSION = Duration.ofSeconds(30);

	/** Of each test, as nobody can delete all that a test leaves. */
	private final String root = "/" + UUID.randomUUID();

	private final Znodes znodes = new Znodes("", this.root);

	private final AtomicInteger interruptions = new AtomicInteger();

	private final AtomicLong requests = new AtomicLong();

	private CuratorFramework client;

	private StoreProcess process;

	@BeforeEach
	void start() {
		ZKClientConfig small = new ZKClientConfig();
		small.setProperty(ZKClientConfig.JUTE_MAXBUFFER, Integer.toString(BUFFER));
		this.client = Servers.started(Servers.client(Servers.shared().address())
			.zkClientConfig(small)
			.sessionTimeoutMs(Math.toIntExact(SESSION.toMillis())));
		this.client.getConnectionStateListenable().addListener((changed, state) -> {
			if (!state.isConnected()) {
				this.interruptions.incrementAndGet();
			}
		});
		this.process = new StoreProcess("e" + UUID.randomUUID(),
				new ZooKeeperLockStore(this.client,
						Servers.settings()
							.root(this.root)
							.sessionTimeout(SESSION)
							.commandTimeout(StoreProcess.TIMEOUT)
							.build()));
		awaitGrant("alive");
	}

	/** A session that was there before the store has to prove itself first. */
	private void awaitGrant(String key) {
		Awaitility.await()
			.atMost(SESSION.multipliedBy(4))
			.ignoreExceptions()
			.until(() -> this.process.acquire(key, this.requests.incrementAndGet()) instanceof AcquireResult.Granted);
	}

	@AfterEach
	void stop() {
		this.process.close();
		this.client.close();
	}

	/** What a process has left that died with many locks. */
	private void leave(List<String> paths) throws Exception {
		String text = "1|0;0;0;|Hdead;1;dead.0000000000000001-1;E;64;1;" + Long.MAX_VALUE + ";1000;0;0;app;host;;;;";
		byte[] data = new RecordNode("identity", false, 64, 0, text).data();
		for (int i = 0; i < paths.size(); i += TOGETHER) {
			List<Op> operations = new ArrayList<>();
			for (String path : paths.subList(i, Math.min(i + TOGETHER, paths.size()))) {
				operations.add(Op.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
				operations.add(
						Op.create(path + "/identity", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
			}
			this.client.getZookeeperClient().getZooKeeper().multi(operations);
		}
	}

	@Test
	void manyLocksAreListedAndSwept() throws Exception {
		leave(IntStream.range(0, LOCKS)
			.mapToObj((i) -> this.znodes.lock("order:" + i + ":" + "x".repeat(100)))
			.toList());
		int listed = 0;
		String cursor = "";
		do {
			LockPage page = StoreProcess.join(this.process.store().list(new ListCommand("", cursor, 1000)));
			listed += page.locks().size();
			cursor = page.next();
		}
		while (!cursor.isEmpty());
		assertThat(listed).as("those of the dead are over").isOne();
		assertThat(SweeperTests.names(this.client, this.znodes)).hasSize(LOCKS + 1);
		int deleted = StoreProcess
			.join(SweeperTests.sweeper(this.client.getZookeeperClient().getZooKeeper(), this.znodes).sweep());
		assertThat(deleted).isEqualTo(LOCKS);
		assertThat(SweeperTests.names(this.client, this.znodes)).containsExactly("kalive");
		assertThat(this.interruptions).hasValue(0);
	}

	@Test
	void aFolderWithTooManyNamesIsNotListed() throws Exception {
		String folder = this.znodes.spread().get(0);
		leave(IntStream.rangeClosed(0, Calls.MOST_NAMES).mapToObj((i) -> folder + "/k" + i).toList());
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> StoreProcess.join(this.process.store().list(new ListCommand("", "", 10))))
			.withCauseExactlyInstanceOf(LockStoreException.class)
			.withMessageContaining(folder)
			.withMessageContaining((Calls.MOST_NAMES + 1) + " records");
		awaitGrant("next");
		assertThat(this.interruptions).hasValue(0);
	}

}
