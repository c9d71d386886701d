package io.distlock.autoconfigure.jdbc;

import java.sql.SQLException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.support.ForeignText;

/** Chooses the database that keeps locks, and never the first of several. */
final class LockDataSources {

	private static final String ROUTING = "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource";

	private final ListableBeanFactory beans;

	private final ObjectProvider<DataSource> all;

	private final ObjectProvider<DataSource> marked;

	/**
	 * Creates it.
	 * @param beans has the beans by name
	 * @param all every bean of the type
	 * @param marked those with {@link LockDataSource}
	 */
	LockDataSources(ListableBeanFactory beans, ObjectProvider<DataSource> all, ObjectProvider<DataSource> marked) {
		this.beans = beans;
		this.all = all;
		this.marked = marked;
	}

	/**
	 * Returns the database.
	 * @param property the property that has the name of the bean
	 * @param name the name, {@code null} if it is not set
	 * @return the bean
	 * @throws LockConfigurationException if there is none, or the choice is open
	 */
	DataSource get(String property, @Nullable String name) {
		DataSource found = (name != null) ? named(property, name) : unnamed(property);
		if (isRouting(found)) {
			throw new LockConfigurationException(
					"The DataSource for locks, " + found.getClass().getName()
							+ ", chooses a database at each call, so that one lock could be in several.",
					choice(property));
		}
		return found;
	}

	private DataSource named(String property, String name) {
		try {
			return this.beans.getBean(name, DataSource.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw new LockConfigurationException("The property " + property + " is '" + ForeignText.of(name)
					+ "', but no DataSource bean has this name.", "Set it to one of: " + names() + ".");
		}
	}

	private DataSource unnamed(String property) {
		try {
			DataSource chosen = this.marked.getIfAvailable();
			if (chosen == null) {
				chosen = this.all.getIfAvailable();
			}
			if (chosen != null) {
				return chosen;
			}
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new LockConfigurationException(
					"Locks are kept in a database, but there are several DataSource beans: "
							+ String.join(", ", ex.getBeanNamesFound()) + ".",
					choice(property));
		}
		throw new LockConfigurationException("Locks are kept in a database, but there is no DataSource bean.",
				"Set spring.datasource.url, or declare a DataSource bean.");
	}

	private static String choice(String property) {
		return "Mark the DataSource of the locks' database with @LockDataSource, or set " + property
				+ " to the name of its bean. All applications that share locks need the same database.";
	}

	private String names() {
		return String.join(", ", BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, DataSource.class));
	}

	private static boolean isRouting(DataSource dataSource) {
		ClassLoader loader = dataSource.getClass().getClassLoader();
		if (!ClassUtils.isPresent(ROUTING, loader)) {
			return false;
		}
		try {
			// Also behind proxies.
			return dataSource.isWrapperFor(ClassUtils.resolveClassName(ROUTING, loader));
		}
		catch (SQLException | AbstractMethodError ex) {
			return false;
		}
	}

}
