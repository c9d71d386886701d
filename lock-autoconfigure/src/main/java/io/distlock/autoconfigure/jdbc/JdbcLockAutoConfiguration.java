package io.distlock.autoconfigure.jdbc;

import javax.sql.DataSource;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.ConditionalOnLockStore;
import io.distlock.autoconfigure.ConditionalOnSwitch;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.jdbc.JdbcStartupCheck;
import io.distlock.spi.LockStore;
import io.distlock.spring.CommitCheck;

/**
 * Auto-configuration of the store in a database. Comes after all auto-configurations that
 * may create connections; those that are absent are ignored.
 */
@AutoConfiguration(before = LockAutoConfiguration.class,
		afterName = { "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
				"org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
				"org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration" })
@ConditionalOnClass({ DataSource.class, JdbcLockStore.class })
@ConditionalOnDistributedLockEnabled
@EnableConfigurationProperties(LockProperties.class)
public final class JdbcLockAutoConfiguration {

	@Bean
	@ConditionalOnLockStore(StoreType.JDBC)
	@ConditionalOnMissingBean
	JdbcLockStoreSettings jdbcLockStoreSettings(LockProperties properties, LockSettings settings) {
		return LockDatabase.settings(properties.jdbc(), settings);
	}

	/** Migrations come before, as they may create the table. */
	@Bean
	@ConditionalOnLockStore(StoreType.JDBC)
	@ConditionalOnMissingBean({ LockStore.class, LockDatabase.class })
	@DependsOnDatabaseInitialization
	LockDatabase lockDatabase(ListableBeanFactory beans, ObjectProvider<DataSource> dataSources,
			@LockDataSource ObjectProvider<DataSource> marked, JdbcLockStoreSettings settings,
			LockProperties properties) {
		LockProperties.Jdbc jdbc = properties.jdbc();
		return LockDatabase.of(new LockDataSources(beans, dataSources, marked), LockStoreFactory.DEFAULT_PATH, jdbc,
				settings);
	}

	@Bean
	@ConditionalOnLockStore(StoreType.JDBC)
	@ConditionalOnMissingBean(LockStore.class)
	JdbcLockStore jdbcLockStore(LockDatabase database, JdbcLockStoreSettings settings) {
		return new JdbcLockStore(database.dataSource(), settings);
	}

	@Bean
	@ConditionalOnLockStore(StoreType.JDBC)
	@ConditionalOnMissingBean
	@ConditionalOnBean({ JdbcLockStore.class, LockDatabase.class })
	JdbcStartupCheck jdbcLockStartupCheck(LockDatabase database, JdbcLockStoreSettings settings) {
		return new JdbcStartupCheck(database.dataSource(), settings);
	}

	@Bean
	@ConditionalOnLockStore(StoreType.JDBC)
	@ConditionalOnBean(JdbcStartupCheck.class)
	StoreCheck jdbcLockStartupCheckRunner(JdbcStartupCheck check, LockProperties properties) {
		return LockDatabase.check(check, LockStoreFactory.DEFAULT_PATH, properties.jdbc());
	}

	/** Where there are transactions. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ConnectionHolder.class, TransactionSynchronizationManager.class })
	@ConditionalOnSwitch(name = "distributed-lock.jdbc.commit-check", byDefault = false)
	@ConditionalOnLockStore(StoreType.JDBC)
	static class CommitCheckConfiguration {

		@Bean
		CommitCheck jdbcLockCommitCheck(ObjectProvider<LockDatabase> databases, ObjectProvider<JdbcLockStore> stores,
				LockProperties properties) {
			LockDatabase database = databases.getIfAvailable();
			JdbcLockStore store = stores.getIfAvailable();
			if (database == null || store == null) {
				throw new LockConfigurationException(
						"The property distributed-lock.jdbc.commit-check is true, but the application has a LockStore bean "
								+ "of its own.",
						"Remove one of them.");
			}
			if (!properties.commitGuard()) {
				throw new LockConfigurationException(
						"The property distributed-lock.jdbc.commit-check is true, but distributed-lock.commit-guard is "
								+ "false, so nothing is checked before a commit.",
						"Remove one of them.");
			}
			if (!properties.stores().isEmpty()) {
				throw new LockConfigurationException(
						"The property distributed-lock.jdbc.commit-check is true, but there are other stores in "
								+ "distributed-lock.stores, whose locks have no row in this database.",
						"Remove it, and use a fence where a late write would do harm.");
			}
			return new JdbcCommitCheck(database.dataSource(), store);
		}

	}

	/** For {@code distributed-lock.stores}. */
	@Bean
	@DependsOnDatabaseInitialization
	LockStoreFactory jdbcLockStoreFactory(ListableBeanFactory beans, ObjectProvider<DataSource> dataSources,
			@LockDataSource ObjectProvider<DataSource> marked, LockSettings settings) {
		return new JdbcLockStoreFactory(new LockDataSources(beans, dataSources, marked), settings);
	}

}
