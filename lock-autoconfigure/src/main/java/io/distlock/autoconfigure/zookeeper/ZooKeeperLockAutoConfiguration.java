package io.distlock.autoconfigure.zookeeper;

import org.apache.curator.framework.CuratorFramework;

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
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.spi.LockStore;
import io.distlock.zookeeper.ZooKeeperLockStore;
import io.distlock.zookeeper.ZooKeeperLockStoreSettings;
import io.distlock.zookeeper.ZooKeeperStartupCheck;

/**
 * Auto-configuration of the store on ZooKeeper. Comes after all auto-configurations that
 * may create connections; those that are absent are ignored.
 */
@AutoConfiguration(before = LockAutoConfiguration.class,
		afterName = { "org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
				"org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration" })
@ConditionalOnClass({ CuratorFramework.class, ZooKeeperLockStore.class })
@ConditionalOnDistributedLockEnabled
@EnableConfigurationProperties(LockProperties.class)
public final class ZooKeeperLockAutoConfiguration {

	@Bean
	@ConditionalOnLockStore(StoreType.ZOOKEEPER)
	@ConditionalOnMissingBean
	ZooKeeperLockStoreSettings zooKeeperLockStoreSettings(LockProperties properties, LockSettings settings) {
		return LockZooKeeper.settings(properties.zookeeper(), settings);
	}

	@Bean
	@ConditionalOnLockStore(StoreType.ZOOKEEPER)
	@ConditionalOnMissingBean(LockStore.class)
	ZooKeeperLockStore zooKeeperLockStore(ListableBeanFactory beans, LockProperties properties,
			ZooKeeperLockStoreSettings settings) {
		return LockZooKeeper.of(beans, LockStoreFactory.DEFAULT_PATH, properties.zookeeper()).store(settings);
	}

	@Bean
	@ConditionalOnLockStore(StoreType.ZOOKEEPER)
	@ConditionalOnMissingBean
	@ConditionalOnBean(ZooKeeperLockStore.class)
	ZooKeeperStartupCheck zooKeeperLockStartupCheck(ListableBeanFactory beans, LockProperties properties,
			ZooKeeperLockStoreSettings settings) {
		return LockZooKeeper.of(beans, LockStoreFactory.DEFAULT_PATH, properties.zookeeper()).check(settings);
	}

	@Bean
	@ConditionalOnLockStore(StoreType.ZOOKEEPER)
	@ConditionalOnBean(ZooKeeperStartupCheck.class)
	StoreCheck zooKeeperLockStartupCheckRunner(ZooKeeperStartupCheck check, LockProperties properties,
			ZooKeeperLockStoreSettings settings) {
		return LockZooKeeper.check(check, LockStoreFactory.DEFAULT_PATH, properties.zookeeper(), settings);
	}

	/** For {@code distributed-lock.stores}. */
	@Bean
	LockStoreFactory zooKeeperLockStoreFactory(ListableBeanFactory beans, LockSettings settings) {
		return new ZooKeeperLockStoreFactory(beans, settings);
	}

}
