package io.distlock.autoconfigure.jdbc;

import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import io.distlock.LockSettings;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.autoconfigure.MarkedBeans;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.autoconfigure.StoreSettings;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.jdbc.JdbcStartupCheck;
import io.distlock.stores.LockTemplates;

/**
 * Makes stores in databases.
 *
 * @param beans has the databases of the application
 * @param settings the settings of all stores
 * @param customizers change the settings of each store
 */
record JdbcLockStoreFactory(ListableBeanFactory beans, LockSettings settings,
		ObjectProvider<JdbcLockStoreBuilderCustomizer> customizers) implements LockStoreFactory {

	private static final String CHOICE = "Mark the DataSource of the locks' database with @LockDataSource. All "
			+ "applications that share locks need the same database.";

	@Override
	public String type() {
		return "jdbc";
	}

	@Override
	public boolean isReady() {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, DataSource.class, true,
				false).length > 0;
	}

	@Override
	public String missing() {
		return "no DataSource bean";
	}

	@Override
	public CreatedStore create(Definition definition) {
		JdbcLockProperties properties = definition.bind(JdbcLockProperties.GROUP, JdbcLockProperties.class);
		if (properties.commitCheck() && !definition.id().equals(LockTemplates.DEFAULT)) {
			throw new LockConfigurationException(
					"The property " + definition.path()
							+ "jdbc.commit-check is true, but commits are checked in the default store only.",
					"Remove it, and use a fence where a late write would do harm.");
		}
		JdbcLockStoreSettings own = settings(definition, properties);
		DataSource database = dataSource(definition.id());
		new LockSchemaInitializer(database, own.table(), properties.initializeSchema(),
				definition.path() + "jdbc.initialize-schema", LockSchemaInitializer.LIMIT)
			.initializeDatabase();
		JdbcStartupCheck check = new JdbcStartupCheck(database, own);
		return new CreatedStore(new JdbcLockStore(database, own))
			.checkedBy(new StoreCheck(properties.startupCheck(), "The database cannot keep locks", "the database",
					definition.path() + "jdbc.startup-check", check::run));
	}

	private JdbcLockStoreSettings settings(Definition definition, JdbcLockProperties properties) {
		JdbcLockStoreSettings.Builder builder = JdbcLockStoreSettings.builder();
		return StoreSettings.of(definition.path() + "jdbc.*", JdbcLockStoreBuilderCustomizer.class, () -> {
			builder.table(properties.table())
				.keyPrefix(properties.keyPrefix())
				.notifications(properties.notifications())
				.commandTimeout(this.settings.commandTimeout());
			this.customizers.orderedStream().forEach((each) -> each.customize(definition.id(), builder));
			return builder.build();
		});
	}

	/** Chooses the database that keeps locks, and never picks the first of several. */
	DataSource dataSource(String id) {
		DataSource found;
		try {
			found = MarkedBeans.find(this.beans, DataSource.class, LockDataSource.class, id)
				.orElseThrow(() -> new LockConfigurationException(
						"Locks are kept in a database, but there is no DataSource bean.",
						"Set spring.datasource.url, or declare a DataSource bean."));
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new LockConfigurationException(
					"Locks are kept in a database, but there are several DataSource beans: "
							+ String.join(", ", ex.getBeanNamesFound()) + ".",
					CHOICE);
		}
		if (is(AbstractRoutingDataSource.class, found)) {
			throw new LockConfigurationException("The DataSource for locks, " + found.getClass().getName()
					+ ", chooses a database at each call, so that one lock could be in several.", CHOICE);
		}
		// A data source that routes would choose a database to answer this.
		if (is(SingleConnectionDataSource.class, found)) {
			throw new LockConfigurationException(
					"The DataSource for locks, " + found.getClass().getName()
							+ ", has one connection, so locks would be part of the transactions of the application.",
					CHOICE);
		}
		return found;
	}

	/** Returns whether a data source is of a type, also behind proxies. */
	private static boolean is(Class<? extends DataSource> type, DataSource dataSource) {
		try {
			return dataSource.isWrapperFor(type);
		}
		catch (SQLException | AbstractMethodError ex) {
			return false;
		}
	}

}
