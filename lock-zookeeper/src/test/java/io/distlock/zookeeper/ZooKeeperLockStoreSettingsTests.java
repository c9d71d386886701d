package io.distlock.zookeeper;

import java.time.Duration;
import java.util.List;

import org.apache.curator.framework.CuratorFrameworkFactory;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ZooKeeperLockStoreSettingsTests {

	private static final ZooKeeperLockStoreSettings DEFAULTS = ZooKeeperLockStoreSettings.DEFAULTS;

	@Test
	void aWrongValueIsNamed() {
		assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withRoot("locks"))
			.withMessageContaining("'locks'")
			.withMessageContaining("/distributed-lock");
		assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withRoot("/locks/"));
		assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withAcl(List.of())).withMessageContaining("ACL");
		assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withSessionTimeout(Duration.ofMillis(999)))
			.withMessage("The session timeout of a store on ZooKeeper must be between 1s and 1h, was 999ms");
		assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withCommandTimeout(Duration.ZERO));
		assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withConnectionTimeout(Duration.ofDays(1)));
	}

	@Test
	void aClientWithoutAddressIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ZooKeeperLockStore(CuratorFrameworkFactory.builder(), DEFAULTS))
			.withMessageContaining("connectString");
	}

	@Test
	void theDescriptionHasTheAddressAndNoSecret() {
		ZooKeeperLockStore store = new ZooKeeperLockStore(Servers.client("zk-1:2181,zk-2:2181/app")
			.namespace("shop")
			.authorization("digest", "u:secret".getBytes()), DEFAULTS);
		assertThat(store.describe()).isEqualTo("ZooKeeper at zk-1:2181,zk-2:2181/app under /shop/distributed-lock");
	}

}
