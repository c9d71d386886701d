package io.distlock.autoconfigure.zookeeper;

import java.util.List;

import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.ConditionalOnLockStore;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockProperties;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.autoconfigure.LockProperties.ZooKeeperAcl;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.autoconfigure.StoreCheck.Findings;
import io.distlock.spi.LockStore;
import io.distlock.zookeeper.ZooKeeperLockStore;
import io.distlock.zookeeper.ZooKeeperLockStoreSettings;
import io.distlock.zookeeper.ZooKeeperStartupCheck;

/**
 * Auto-configuration of the store on ZooKeeper. What may make connections comes before:
 * auto-configurations that are absent are ignored.
 */
@AutoConfiguration(before = LockAutoConfiguration.class,
		afterName = { "org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
				"org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration" })
@ConditionalOnClass({ CuratorFramework.class, ZooKeeperLockStore.class })
@ConditionalOnDistributedLockEnabled
@ConditionalOnLockStore(StoreType.ZOOKEEPER)
@EnableConfigurationProperties(LockProperties.class)
public final class ZooKeeperLockAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ZooKeeperLockStoreSettings zooKeeperLockStoreSettings(LockProperties properties, LockSettings settings) {
		LockProperties.ZooKeeper zooKeeper = properties.zookeeper();
		return new ZooKeeperLockStoreSettings(zooKeeper.root(), zooKeeper.sessionTimeout(settings.leaseTime()),
				zooKeeper.connectionTimeout(), settings.commandTimeout(),
				(zooKeeper.acl() == ZooKeeperAcl.CREATOR) ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE);
	}

	@Bean
	@ConditionalOnMissingBean(LockStore.class)
	ZooKeeperLockStore zooKeeperLockStore(ListableBeanFactory beans, LockProperties properties,
			ZooKeeperLockStoreSettings settings) {
		return LockZooKeeper.of(beans, "distributed-lock.", properties.zookeeper()).store(settings);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(ZooKeeperLockStore.class)
	ZooKeeperStartupCheck zooKeeperLockStartupCheck(ListableBeanFactory beans, LockProperties properties,
			ZooKeeperLockStoreSettings settings) {
		return LockZooKeeper.of(beans, "distributed-lock.", properties.zookeeper()).check(settings);
	}

	@Bean
	@ConditionalOnBean(ZooKeeperStartupCheck.class)
	StoreCheck zooKeeperLockStartupCheckRunner(ZooKeeperStartupCheck check, LockProperties properties) {
		return new StoreCheck(properties.zookeeper().startupCheck(), "ZooKeeper cannot keep locks", "the servers",
				"distributed-lock.zookeeper.startup-check", () -> findings(check.run()));
	}

	private static Findings findings(ZooKeeperStartupCheck.Result result) {
		if (result instanceof ZooKeeperStartupCheck.Result.Unreachable unreachable) {
			return Findings.unreachable(unreachable.message(), unreachable.cause());
		}
		return (result instanceof ZooKeeperStartupCheck.Result.Problems found) ? Findings.problems(found.problems())
				: Findings.passed(List.of());
	}

}
