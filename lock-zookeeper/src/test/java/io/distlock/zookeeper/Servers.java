package io.distlock.zookeeper;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.databases.ZooKeeperServer;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.records.place.RecordEvents;
import io.distlock.spi.LockStore;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;

/** The server of this JVM, and stores and clients on any server. */
final class Servers {

	/** With time for a machine that runs many tests at once. */
	static final ZooKeeperLockStoreSettings SETTINGS = settings().build();

	/** So that the whole lease of a contract's hold is sure. */
	static final Duration LONG_SESSION = Duration.ofSeconds(130);

	private static final Duration PATIENCE = Duration.ofSeconds(120);

	private Servers() {
	}

	/** A builder of {@link #SETTINGS} that a test goes on with. */
	static ZooKeeperLockStoreSettings.Builder settings() {
		return ZooKeeperLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(10));
	}

	/** A template that gives commands the time of {@link #SETTINGS}. */
	static CloseableLockTemplate template(LockStore store) {
		return LockTemplateBuilder.forStore(store)
			.settings(LockSettings.builder().commandTimeout(SETTINGS.commandTimeout()).build())
			.build();
	}

	/** A server for all tests of this JVM that leave it as it was. */
	static ZooKeeperServer shared() {
		return Shared.SERVER;
	}

	/** A store with a client of its own. */
	static ZooKeeperLockStore store(String address, Duration session) {
		return new ZooKeeperLockStore(client(address), settings().sessionTimeout(session).build());
	}

	/** Records that are connected. Their messages reach nobody. */
	static ZooKeeperLockRecords records(CuratorFrameworkFactory.Builder client, ZooKeeperLockStoreSettings settings) {
		ZooKeeperLockRecords records = new ZooKeeperLockRecords(Client.Own.of(client, settings), settings);
		records.start("me", new NoEvents());
		Awaitility.await().atMost(PATIENCE).until(() -> records.estimate().isPresent());
		return records;
	}

	static CuratorFrameworkFactory.Builder client(String address) {
		return CuratorFrameworkFactory.builder().connectString(address);
	}

	/** A started client. */
	static CuratorFramework started(CuratorFrameworkFactory.Builder client) {
		CuratorFramework started = client.retryPolicy(new RetryOneTime(100)).build();
		started.start();
		return started;
	}

	/** The first session may take long on a busy machine, and so may the next one. */
	static void awaitAnswer(CloseableLockTemplate template) {
		Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
			template.acquire(LockRequest.of("first:" + template.instance())).close();
			return true;
		});
	}

	/** Another client resumes the session and closes it. */
	static void killSession(String address, CuratorFramework client) throws Exception {
		Awaitility.await().atMost(PATIENCE).until(() -> client.getZookeeperClient().isConnected());
		ZooKeeper session = client.getZookeeperClient().getZooKeeper();
		ZooKeeper thief = new ZooKeeper(address, session.getSessionTimeout(), (event) -> {
		}, session.getSessionId(), session.getSessionPasswd());
		Awaitility.await().atMost(PATIENCE).until(() -> thief.getState().isConnected() || !thief.getState().isAlive());
		thief.close();
	}

	/** Nobody waits for messages. */
	static final class NoEvents implements RecordEvents {

		@Override
		public void message(String text) {
		}

		@Override
		public void missed() {
		}

	}

	private static final class Shared {

		private static final ZooKeeperServer SERVER = ZooKeeperServer.start();

		static {
			Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close, "shared-server-end"));
		}

	}

}
