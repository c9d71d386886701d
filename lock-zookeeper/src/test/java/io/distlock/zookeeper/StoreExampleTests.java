package io.distlock.zookeeper;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.LockStore;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The example of {@code docs/stores.md}. */
class StoreExampleTests {

	@Test
	void storeKeepsLocks() {
		TestingServer server = Servers.start(Duration.ofSeconds(2));
		String address = server.getConnectString();
		// tag::store[]
		LockStore store = new ZooKeeperLockStore(CuratorFrameworkFactory.builder().connectString(address),
				ZooKeeperLockStoreSettings.builder().sessionTimeout(Duration.ofSeconds(20)).build());
		// end::store[]
		// The first connection may take longer than a second on a busy machine.
		LockSettings patient = LockSettings.builder().commandTimeout(Duration.ofSeconds(10)).build();
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(store).settings(patient).build();
				LockHandle handle = template.acquire(LockRequest.of("book"))) {
			assertThat(handle.isHeld()).isTrue();
		}
		finally {
			Servers.stop(server);
		}
	}

}
