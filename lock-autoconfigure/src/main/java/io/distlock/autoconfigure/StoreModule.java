package io.distlock.autoconfigure;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

import io.distlock.autoconfigure.LockProperties.StoreType;

/**
 * A module with a store that is selected if {@code distributed-lock.store} is not set.
 */
enum StoreModule {

	REDIS(StoreType.REDIS, "lock-redis", "io.distlock.redis.RedisLockStore",
			"org.springframework.data.redis.connection.RedisConnectionFactory", "redis.url",
			"lock-spring-boot-starter and set spring.data.redis.*"),

	JDBC(StoreType.JDBC, "lock-jdbc", "io.distlock.jdbc.JdbcLockStore", "javax.sql.DataSource", null,
			"lock-spring-boot-starter-jdbc and set spring.datasource.*"),

	ZOOKEEPER(StoreType.ZOOKEEPER, "lock-zookeeper", "io.distlock.zookeeper.ZooKeeperLockStore",
			"org.apache.curator.framework.CuratorFramework", "zookeeper.connect-string",
			"lock-spring-boot-starter-zookeeper and set distributed-lock.zookeeper.connect-string");

	private static final ClassLoader LOADER = StoreModule.class.getClassLoader();

	private final StoreType type;

	private final String artifact;

	private final String store;

	private final String connection;

	private final @Nullable String property;

	private final String starter;

	StoreModule(StoreType type, String artifact, String store, String connection, @Nullable String property,
			String starter) {
		this.type = type;
		this.artifact = artifact;
		this.store = store;
		this.connection = connection;
		this.property = (property != null) ? LockProperties.PREFIX + "." + property : null;
		this.starter = starter;
	}

	/** Modules on the class path that find their connection. */
	static List<StoreModule> possible(ListableBeanFactory beans, Environment environment) {
		return present(beans).stream().filter((module) -> module.isPossible(beans, environment)).toList();
	}

	/** Modules that are on the class path. */
	static List<StoreModule> present(ListableBeanFactory beans) {
		return Arrays.stream(values()).filter((module) -> module.isPresent(loader(beans))).toList();
	}

	private static @Nullable ClassLoader loader(ListableBeanFactory beans) {
		return (beans instanceof ConfigurableBeanFactory configurable) ? configurable.getBeanClassLoader() : LOADER;
	}

	static @Nullable StoreModule of(StoreType type) {
		return Arrays.stream(values()).filter((module) -> module.type == type).findFirst().orElse(null);
	}

	boolean isPresent(@Nullable ClassLoader loader) {
		return ClassUtils.isPresent(this.store, loader) && ClassUtils.isPresent(this.connection, loader);
	}

	private boolean isPossible(ListableBeanFactory beans, Environment environment) {
		if (this.property != null && environment.containsProperty(this.property)) {
			return true;
		}
		Class<?> needed = ClassUtils.resolveClassName(this.connection, loader(beans));
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, needed, true, false).length > 0;
	}

	StoreType type() {
		return this.type;
	}

	/** What is missing, for messages. */
	String needs() {
		String bean = "no " + ClassUtils.getShortName(this.connection) + " bean";
		return (this.property != null) ? bean + " and no " + this.property : bean;
	}

	/** Which starter has it and what to set, for messages. */
	String starter() {
		return this.starter;
	}

	@Override
	public String toString() {
		return this.artifact;
	}

}
