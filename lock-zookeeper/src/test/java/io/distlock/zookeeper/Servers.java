package io.distlock.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;

import io.distlock.LockSettings;
import io.distlock.test.redis.FreePort;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/** Servers of this JVM, and stores on them. */
final class Servers {

	/** With time for a machine that runs many tests at once. */
	static final ZooKeeperLockStoreSettings SETTINGS = settings().build();

	/** For templates, for the same reason. */
	static final LockSettings PATIENT = LockSettings.builder().commandTimeout(Duration.ofSeconds(10)).build();

	/** So that the whole lease of a contract's hold is sure. */
	static final Duration LONG_SESSION = Duration.ofSeconds(130);

	private Servers() {
	}

	/** A builder of {@link #SETTINGS} that a test goes on with. */
	static ZooKeeperLockStoreSettings.Builder settings() {
		return ZooKeeperLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(10));
	}

	/** What one of several servers is started with. */
	static InstanceSpec spec(Duration tick) {
		return new InstanceSpec(null, FreePort.find("127.0.0.1"), -1, -1, true, -1, (int) tick.toMillis(), 1000,
				Map.of("maxSessionTimeout", Long.toString(Duration.ofMinutes(10).toMillis())));
	}

	static TestingServer start(Duration tick) {
		try {
			return new TestingServer(spec(tick), true);
		}
		catch (Exception ex) {
			throw new IllegalStateException("ZooKeeper does not start", ex);
		}
	}

	/** The address of a server for all tests of this JVM that leave it as it was. */
	static String shared() {
		return Shared.SERVER.getConnectString();
	}

	static void stop(TestingServer server) {
		try {
			server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A store with a client of its own. */
	static ZooKeeperLockStore store(String address, Duration session) {
		return new ZooKeeperLockStore(client(address), settings().sessionTimeout(session).build());
	}

	static CuratorFrameworkFactory.Builder client(String address) {
		return CuratorFrameworkFactory.builder().connectString(address);
	}

	private static final class Shared {

		private static final TestingServer SERVER = start(Duration.ofSeconds(2));

		static {
			Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(SERVER), "shared-servers-end"));
		}

	}

}
