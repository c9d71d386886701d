package io.distlock.autoconfigure.zookeeper;

import org.apache.curator.framework.CuratorFramework;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.zookeeper.ZooKeeperLockStore;

/** Auto-configuration of stores on ZooKeeper. */
@AutoConfiguration(before = LockAutoConfiguration.class)
@ConditionalOnClass({ CuratorFramework.class, ZooKeeperLockStore.class })
@ConditionalOnDistributedLockEnabled
@EnableConfigurationProperties(ZooKeeperLockProperties.class)
@RegisterReflectionForBinding(ZooKeeperLockProperties.class)
public final class ZooKeeperLockAutoConfiguration {

	@Bean
	LockStoreFactory zooKeeperLockStoreFactory(ListableBeanFactory beans, LockSettings settings,
			Environment environment, ObjectProvider<ZooKeeperLockStoreBuilderCustomizer> customizers) {
		return new ZooKeeperLockStoreFactory(beans, settings, environment, customizers);
	}

}
