package io.distlock.zookeeper;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.spi.LockStore;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The example of {@code docs/stores.md}. */
class StoreExampleTests {

	@Test
	void storeKeepsLocks() {
		String address = Servers.shared().address();
		// tag::store[]
		LockStore store = new ZooKeeperLockStore(CuratorFrameworkFactory.builder().connectString(address),
				ZooKeeperLockStoreSettings.builder().sessionTimeout(Duration.ofSeconds(20)).build());
		// end::store[]
		try (CloseableLockTemplate template = Servers.template(store);
				LockHandle handle = template.acquire(LockRequest.of("book"))) {
			assertThat(handle.isHeld()).isTrue();
		}
	}

}
