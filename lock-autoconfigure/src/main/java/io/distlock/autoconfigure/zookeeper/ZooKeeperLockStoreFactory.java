package io.distlock.autoconfigure.zookeeper;

import java.util.List;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.ZooDefs;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.autoconfigure.MarkedBeans;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.autoconfigure.StoreSettings;
import io.distlock.spi.StoreCheckResult;
import io.distlock.zookeeper.ZooKeeperLockStore;
import io.distlock.zookeeper.ZooKeeperLockStoreSettings;
import io.distlock.zookeeper.ZooKeeperStartupCheck;

/**
 * Makes stores on ZooKeeper.
 *
 * @param beans has the clients of the application
 * @param settings the settings of all stores
 * @param environment determines whether there is a connect string
 * @param customizers change the settings and the client of each store
 */
record ZooKeeperLockStoreFactory(ListableBeanFactory beans, LockSettings settings, Environment environment,
		ObjectProvider<ZooKeeperLockStoreBuilderCustomizer> customizers) implements LockStoreFactory {

	@Override
	public String type() {
		return "zookeeper";
	}

	@Override
	public boolean isReady() {
		return this.environment.containsProperty("distributed-lock.zookeeper.connect-string") || BeanFactoryUtils
			.beanNamesForTypeIncludingAncestors(this.beans, CuratorFramework.class, true, false).length > 0;
	}

	@Override
	public String missing() {
		return "no CuratorFramework bean and no distributed-lock.zookeeper.connect-string";
	}

	@Override
	public CreatedStore create(Definition definition) {
		ZooKeeperLockProperties properties = definition.bind(ZooKeeperLockProperties.GROUP,
				ZooKeeperLockProperties.class);
		ZooKeeperLockStoreSettings own = settings(definition, properties);
		String connectString = properties.connectString();
		if (connectString == null) {
			CuratorFramework client = client(definition, properties);
			return new CreatedStore(new ZooKeeperLockStore(client, own))
				.checkedBy(check(definition, properties, new ZooKeeperStartupCheck(client, own), List.of()));
		}
		if (connectString.isBlank()) {
			throw new LockConfigurationException(
					"The property " + definition.path() + "zookeeper.connect-string is empty.",
					"Set it, for instance to zk-1:2181,zk-2:2181,zk-3:2181, or remove it.");
		}
		CuratorFrameworkFactory.Builder client = CuratorFrameworkFactory.builder().connectString(connectString);
		this.customizers.orderedStream().forEach((each) -> each.customizeClient(definition.id(), client));
		boolean open = client.getAuthInfos() != null && own.acl().equals(ZooDefs.Ids.OPEN_ACL_UNSAFE);
		List<String> warnings = open ? List.of("Locks in ZooKeeper are open to all clients although the client has "
				+ "credentials: anybody who reaches the servers can take, release and delete them. Set an ACL in the "
				+ "ZooKeeperLockStoreBuilderCustomizer bean; znodes that exist keep their ACL") : List.of();
		return new CreatedStore(new ZooKeeperLockStore(client, own))
			.checkedBy(check(definition, properties, new ZooKeeperStartupCheck(client, own), warnings));
	}

	private ZooKeeperLockStoreSettings settings(Definition definition, ZooKeeperLockProperties properties) {
		ZooKeeperLockStoreSettings.Builder builder = ZooKeeperLockStoreSettings.builder();
		return StoreSettings.of(definition.path() + "zookeeper.*", ZooKeeperLockStoreBuilderCustomizer.class, () -> {
			builder.root(properties.root())
				.sessionTimeout(properties.sessionTimeout(this.settings.leaseTime()))
				.commandTimeout(this.settings.commandTimeout());
			this.customizers.orderedStream().forEach((each) -> each.customize(definition.id(), builder));
			return builder.build();
		});
	}

	/** Chooses the client of the application, and never picks the first of several. */
	private CuratorFramework client(Definition definition, ZooKeeperLockProperties properties) {
		String path = definition.path() + "zookeeper.";
		if (properties.sessionTimeout() != null) {
			throw new LockConfigurationException("The property " + path
					+ "session-timeout has no effect: the client is a CuratorFramework bean, which has its own.",
					"Configure the bean, or set " + path + "connect-string for a client of the locks' own.");
		}
		try {
			return MarkedBeans.find(this.beans, CuratorFramework.class, LockCuratorFramework.class, definition.id())
				.orElseThrow(() -> new LockConfigurationException(
						"Locks are kept in ZooKeeper, but there is no CuratorFramework bean and no " + path
								+ "connect-string.",
						"Set " + path + "connect-string, for instance to zk-1:2181,zk-2:2181,zk-3:2181."));
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new LockConfigurationException(
					"Locks are kept in ZooKeeper, but there are several CuratorFramework beans: "
							+ String.join(", ", ex.getBeanNamesFound()) + ".",
					"Mark one with @LockCuratorFramework, or set " + path
							+ "connect-string for a client of the locks' own. "
							+ "All applications that share locks need the same ensemble.");
		}
	}

	private static StoreCheck check(Definition definition, ZooKeeperLockProperties properties,
			ZooKeeperStartupCheck check, List<String> warnings) {
		return new StoreCheck(properties.startupCheck(), "ZooKeeper cannot keep locks", "the servers",
				definition.path() + "zookeeper.startup-check", () -> {
					StoreCheckResult result = check.run();
					return (result instanceof StoreCheckResult.Passed) ? new StoreCheckResult.Passed(warnings) : result;
				});
	}

}
