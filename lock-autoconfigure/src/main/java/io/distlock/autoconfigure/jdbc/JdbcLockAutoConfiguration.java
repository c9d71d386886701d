package io.distlock.autoconfigure.jdbc;

import javax.sql.DataSource;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.ConditionalOnSwitch;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.spi.LockStore;
import io.distlock.spring.CommitCheck;
import io.distlock.stores.LockTemplates;

/** Auto-configuration of stores in a database. */
@AutoConfiguration(before = LockAutoConfiguration.class)
@ConditionalOnClass({ DataSource.class, JdbcLockStore.class, DataSourceScriptDatabaseInitializer.class })
@ConditionalOnDistributedLockEnabled
@EnableConfigurationProperties({ LockProperties.class, JdbcLockProperties.class })
@RegisterReflectionForBinding(JdbcLockProperties.class)
public final class JdbcLockAutoConfiguration {

	/** Makes the factory after migrations, because they may create the table. */
	@Bean
	@DependsOnDatabaseInitialization
	JdbcLockStoreFactory jdbcLockStoreFactory(ListableBeanFactory beans, LockSettings settings,
			ObjectProvider<JdbcLockStoreBuilderCustomizer> customizers) {
		return new JdbcLockStoreFactory(beans, settings, customizers);
	}

	/** Configures the commit check if Spring's transactions are present. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ConnectionHolder.class, TransactionSynchronizationManager.class })
	@ConditionalOnSwitch(name = "distributed-lock.jdbc.commit-check", byDefault = false)
	static class CommitCheckConfiguration {

		@Bean
		CommitCheck jdbcLockCommitCheck(JdbcLockStoreFactory databases, LockStore store, LockProperties properties) {
			if (!(store instanceof JdbcLockStore rows)) {
				throw contradiction(
						"locks are not kept in a database of distributed-lock.jdbc.*, but in " + store.describe(),
						"Remove it.");
			}
			if (!properties.commitGuard()) {
				throw contradiction("distributed-lock.commit-guard is false, so nothing is checked before a commit",
						"Remove one of them.");
			}
			if (!properties.stores().isEmpty()) {
				throw contradiction(
						"there are other stores in distributed-lock.stores, whose locks have no row in this database",
						"Remove it, and use a fence where a late write would do harm.");
			}
			return new JdbcCommitCheck(databases.dataSource(LockTemplates.DEFAULT), rows);
		}

		private static LockConfigurationException contradiction(String reason, String action) {
			return new LockConfigurationException(
					"The property distributed-lock.jdbc.commit-check is true, but " + reason + ".", action);
		}

	}

}
