package io.distlock.autoconfigure.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.ZooDefs;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties;
import io.distlock.autoconfigure.LockProperties.ZooKeeperAcl;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.autoconfigure.StoreCheck.Findings;
import io.distlock.support.ForeignText;
import io.distlock.zookeeper.ZooKeeperLockStore;
import io.distlock.zookeeper.ZooKeeperLockStoreSettings;
import io.distlock.zookeeper.ZooKeeperStartupCheck;

/** The client of a store: one of the application, or one of the store's own. */
sealed interface LockZooKeeper {

	ZooKeeperLockStore store(ZooKeeperLockStoreSettings settings);

	ZooKeeperStartupCheck check(ZooKeeperLockStoreSettings settings);

	/**
	 * Chooses the client, never the first of several.
	 * @param beans has the clients of the application
	 * @param path what precedes the names of the properties
	 * @param properties what is configured
	 * @return the client
	 * @throws LockConfigurationException if there is none, or the choice is open
	 */
	static LockZooKeeper of(ListableBeanFactory beans, String path, LockProperties.ZooKeeper properties) {
		refuseWhatHasNoEffect(path + "zookeeper.", properties);
		if (properties.connectString() != null) {
			return new Own(builder(properties.connectString(), properties));
		}
		String name = properties.client();
		return new Shared((name != null) ? named(beans, path, name) : unnamed(beans, path));
	}

	static ZooKeeperLockStoreSettings settings(LockProperties.ZooKeeper properties, LockSettings settings) {
		return ZooKeeperLockStoreSettings.builder()
			.root(properties.root())
			.sessionTimeout(properties.sessionTimeout(settings.leaseTime()))
			.connectionTimeout(properties.connectionTimeout())
			.commandTimeout(settings.commandTimeout())
			.acl((properties.acl() == ZooKeeperAcl.CREATOR) ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE)
			.build();
	}

	static StoreCheck check(ZooKeeperStartupCheck check, String path, LockProperties.ZooKeeper properties,
			ZooKeeperLockStoreSettings settings) {
		boolean open = properties.auth().scheme() != null && settings.acl().equals(ZooDefs.Ids.OPEN_ACL_UNSAFE);
		List<String> warnings = open ? List.of("Locks in ZooKeeper are open to all clients although " + path
				+ "zookeeper.auth.scheme is set: anybody who reaches the servers can take, release and delete them. Set "
				+ path + "zookeeper.acl=creator; znodes that exist keep their ACL") : List.of();
		return new StoreCheck(properties.startupCheck(), "ZooKeeper cannot keep locks", "the servers",
				path + "zookeeper.startup-check", () -> findings(check.run(), warnings));
	}

	private static Findings findings(ZooKeeperStartupCheck.Result result, List<String> warnings) {
		if (result instanceof ZooKeeperStartupCheck.Result.Unreachable unreachable) {
			return Findings.unreachable(unreachable.message(), unreachable.cause());
		}
		return (result instanceof ZooKeeperStartupCheck.Result.Problems found) ? Findings.problems(found.problems())
				: Findings.passed(warnings);
	}

	private static void refuseWhatHasNoEffect(String path, LockProperties.ZooKeeper properties) {
		boolean own = properties.connectString() != null;
		refuse(own && properties.client() != null, path + "client", "there is " + path + "connect-string too",
				"Remove one of them: locks are kept in one ensemble.");
		String shared = "the client is a CuratorFramework bean, which has its own";
		String action = "Configure the bean, or set " + path + "connect-string for a client of the locks' own.";
		refuse(!own && properties.namespace() != null, path + "namespace", shared, action);
		refuse(!own && properties.sessionTimeout() != null, path + "session-timeout", shared, action);
		refuse(!own && properties.auth().scheme() != null, path + "auth.scheme", shared, action);
		refuse(properties.auth().credentials() != null && properties.auth().scheme() == null, path + "auth.credentials",
				"there is no " + path + "auth.scheme", "Set the scheme, for instance digest.");
	}

	private static void refuse(boolean wrong, String property, String reason, String action) {
		if (wrong) {
			throw new LockConfigurationException("The property " + property + " has no effect: " + reason + ".",
					action);
		}
	}

	private static CuratorFrameworkFactory.Builder builder(String connectString, LockProperties.ZooKeeper properties) {
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder().connectString(connectString);
		if (properties.namespace() != null) {
			builder.namespace(properties.namespace());
		}
		String scheme = properties.auth().scheme();
		if (scheme != null) {
			String credentials = properties.auth().credentials();
			builder.authorization(scheme,
					(credentials != null) ? credentials.getBytes(StandardCharsets.UTF_8) : new byte[0]);
		}
		return builder;
	}

	private static CuratorFramework named(ListableBeanFactory beans, String path, String name) {
		try {
			return beans.getBean(name, CuratorFramework.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			String names = String.join(", ",
					BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, CuratorFramework.class));
			throw new LockConfigurationException(
					"The property " + path + "zookeeper.client is '" + ForeignText.of(name)
							+ "', but no CuratorFramework bean has this name.",
					names.isEmpty() ? "Set " + path + "zookeeper.connect-string instead."
							: "Set it to one of: " + names + ".");
		}
	}

	private static CuratorFramework unnamed(ListableBeanFactory beans, String path) {
		@Nullable CuratorFramework client;
		try {
			client = beans.getBeanProvider(CuratorFramework.class).getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new LockConfigurationException(
					"Locks are kept in ZooKeeper, but there are several CuratorFramework beans: "
							+ String.join(", ", ex.getBeanNamesFound()) + ".",
					"Set " + path + "zookeeper.client to the name of one, or " + path
							+ "zookeeper.connect-string for a client of the locks' own. "
							+ "All applications that share locks need the same ensemble.");
		}
		if (client == null) {
			throw new LockConfigurationException(
					"Locks are kept in ZooKeeper, but there is no CuratorFramework bean and no " + path
							+ "zookeeper.connect-string.",
					"Set " + path + "zookeeper.connect-string, for instance to zk-1:2181,zk-2:2181,zk-3:2181.");
		}
		return client;
	}

	/**
	 * A client that the application starts and closes.
	 *
	 * @param client the client
	 */
	record Shared(CuratorFramework client) implements LockZooKeeper {

		@Override
		public ZooKeeperLockStore store(ZooKeeperLockStoreSettings settings) {
			return new ZooKeeperLockStore(this.client, settings);
		}

		@Override
		public ZooKeeperStartupCheck check(ZooKeeperLockStoreSettings settings) {
			return new ZooKeeperStartupCheck(this.client, settings);
		}

	}

	/**
	 * What makes clients of the store's own.
	 *
	 * @param builder has servers, namespace and credentials
	 */
	record Own(CuratorFrameworkFactory.Builder builder) implements LockZooKeeper {

		@Override
		public ZooKeeperLockStore store(ZooKeeperLockStoreSettings settings) {
			return new ZooKeeperLockStore(this.builder, settings);
		}

		@Override
		public ZooKeeperStartupCheck check(ZooKeeperLockStoreSettings settings) {
			return new ZooKeeperStartupCheck(this.builder, settings);
		}

	}

}
