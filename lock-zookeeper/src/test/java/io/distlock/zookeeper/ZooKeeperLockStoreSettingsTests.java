package io.distlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ZooKeeperLockStoreSettingsTests {

	private static final ZooKeeperLockStoreSettings DEFAULTS = ZooKeeperLockStoreSettings.DEFAULTS;

	@Test
	void aWrongValueIsNamed() {
		refused((settings) -> settings.root("locks")).withMessageContaining("'locks'")
			.withMessageContaining("/distributed-lock");
		refused((settings) -> settings.root("/locks/"));
		refused((settings) -> settings.acl(List.of())).withMessageContaining("ACL");
		refused((settings) -> settings.sessionTimeout(Duration.ofMillis(999)))
			.withMessage("The session timeout of a store on ZooKeeper must be between 1s and 1h, was 999ms");
		refused((settings) -> settings.commandTimeout(Duration.ZERO));
		refused((settings) -> settings.connectionTimeout(Duration.ofDays(1)));
	}

	private static ThrowableAssertAlternative<IllegalArgumentException> refused(
			UnaryOperator<ZooKeeperLockStoreSettings.Builder> wrong) {
		ZooKeeperLockStoreSettings.Builder settings = wrong.apply(ZooKeeperLockStoreSettings.builder());
		return assertThatIllegalArgumentException().isThrownBy(settings::build);
	}

	@Test
	void theEntriesOfTheAclAreCopied() {
		List<ACL> entries = new ArrayList<>(ZooDefs.Ids.READ_ACL_UNSAFE);
		ZooKeeperLockStoreSettings settings = ZooKeeperLockStoreSettings.builder().acl(entries).build();
		entries.clear();
		assertThat(settings.acl()).isEqualTo(ZooDefs.Ids.READ_ACL_UNSAFE);
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
