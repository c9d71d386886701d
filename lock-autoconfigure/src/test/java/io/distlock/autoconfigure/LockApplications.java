package io.distlock.autoconfigure;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ClassUtils;

import io.distlock.autoconfigure.jdbc.JdbcLockAutoConfiguration;
import io.distlock.autoconfigure.leader.LeaderElectionAutoConfiguration;
import io.distlock.autoconfigure.redis.RedisLockAutoConfiguration;
import io.distlock.autoconfigure.redis.RedlockAutoConfiguration;
import io.distlock.autoconfigure.zookeeper.ZooKeeperLockAutoConfiguration;

/**
 * Starts applications with the lock and nothing else, whatever is on the class path, on
 * any line of Spring Boot.
 */
public final class LockApplications {

	private static final List<String> REDIS = List.of(
			"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
			"org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration");

	private static final List<String> DATABASE = List.of(
			"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
			"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
			"org.springframework.boot.autoconfigure.jdbc.JndiDataSourceAutoConfiguration",
			"org.springframework.boot.jdbc.autoconfigure.JndiDataSourceAutoConfiguration",
			"org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration",
			"org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration");

	private static final String METERS = "io.micrometer.core.instrument.binder.MeterBinder";

	private static final String REDLOCK = "io.distlock.redlock.RedlockStore";

	private static final String JDBC = "io.distlock.jdbc.JdbcLockStore";

	private static final String ZOOKEEPER = "io.distlock.zookeeper.ZooKeeperLockStore";

	private LockApplications() {
	}

	/**
	 * What the starter brings, but for Redis.
	 * @return the auto-configurations
	 */
	public static AutoConfigurations withoutRedis() {
		List<Class<?>> all = new ArrayList<>(List.of(AopAutoConfiguration.class,
				PropertyPlaceholderAutoConfiguration.class, LockAutoConfiguration.class,
				LockAnnotationAutoConfiguration.class, LockDisabledAutoConfiguration.class,
				LeaderElectionAutoConfiguration.class, RedisLockAutoConfiguration.class));
		// Spring Boot leaves it out before it is loaded, which a list of classes does
		// not.
		if (isPresent(METERS)) {
			all.add(LockMetricsAutoConfiguration.class);
		}
		if (isPresent(REDLOCK)) {
			all.add(RedlockAutoConfiguration.class);
		}
		if (isPresent(JDBC)) {
			all.add(JdbcLockAutoConfiguration.class);
		}
		if (isPresent(ZOOKEEPER)) {
			all.add(ZooKeeperLockAutoConfiguration.class);
		}
		return AutoConfigurations.of(all.toArray(Class<?>[]::new));
	}

	/**
	 * Spring Boot's own, under the name that this line of it has.
	 * @return the auto-configuration of the connection factory
	 */
	public static AutoConfigurations redis() {
		return present(REDIS);
	}

	/**
	 * Spring Boot's own, under the name that this line of it has.
	 * @return the auto-configuration of a database and of scripts that run in it
	 */
	public static AutoConfigurations database() {
		return present(DATABASE);
	}

	private static AutoConfigurations present(List<String> names) {
		return AutoConfigurations.of(names.stream()
			.filter(LockApplications::isPresent)
			.map((name) -> ClassUtils.resolveClassName(name, LockApplications.class.getClassLoader()))
			.toArray(Class<?>[]::new));
	}

	/**
	 * Makes a bean of a type that has another name on each line of Spring Boot.
	 * @param handler what its methods do
	 * @param names of the type
	 * @return the bean
	 */
	public static Object ofThisLine(InvocationHandler handler, String... names) {
		Class<?> type = Stream.of(names)
			.filter(LockApplications::isPresent)
			.map((name) -> ClassUtils.resolveClassName(name, LockApplications.class.getClassLoader()))
			.findFirst()
			.orElseThrow();
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, handler);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, LockApplications.class.getClassLoader());
	}

	/**
	 * Starts an application with Redis.
	 * @param configuration the application
	 * @param properties what it configures
	 * @return the running application
	 */
	public static ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
		return start(true, configuration, properties);
	}

	static ConfigurableApplicationContext start(boolean redis, Class<?> configuration, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		if (redis && all.stream().noneMatch((property) -> property.startsWith("distributed-lock.store="))) {
			// All stores are on the class path, and the application may have a database.
			all.add("distributed-lock.store=redis");
		}
		return start(redis ? redis() : AutoConfigurations.of(), configuration, all.toArray(String[]::new));
	}

	/**
	 * Starts an application.
	 * @param more auto-configurations of what keeps the locks
	 * @param configuration the application
	 * @param properties what it configures
	 * @return the running application
	 */
	public static ConfigurableApplicationContext start(AutoConfigurations more, Class<?> configuration,
			String... properties) {
		return application(more, configuration).run(arguments(properties));
	}

	/** An application that is started with this environment. */
	static ConfigurableApplicationContext start(ConfigurableEnvironment environment, Class<?> configuration,
			String... properties) {
		return application(AutoConfigurations.of(), configuration).environment(environment).run(arguments(properties));
	}

	private static SpringApplicationBuilder application(AutoConfigurations more, Class<?> configuration) {
		List<Class<?>> sources = new ArrayList<>(List.of(configuration));
		AutoConfigurations all = AutoConfigurations.of(concat(withoutRedis(), more));
		sources.addAll(Arrays.asList(AutoConfigurations.getClasses(all)));
		return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new)).web(WebApplicationType.NONE)
			.registerShutdownHook(false);
	}

	private static String[] arguments(String... properties) {
		// What is logged at INFO is told apart by tests, wherever they run.
		List<String> arguments = new ArrayList<>(List.of("--spring.config.name=none", "--spring.main.banner-mode=off",
				"--logging.level.io.distlock=info"));
		Arrays.stream(properties).map((property) -> "--" + property).forEach(arguments::add);
		return arguments.toArray(String[]::new);
	}

	private static Class<?>[] concat(AutoConfigurations first, AutoConfigurations second) {
		List<Class<?>> all = new ArrayList<>(Arrays.asList(AutoConfigurations.getClasses(first)));
		all.addAll(Arrays.asList(AutoConfigurations.getClasses(second)));
		return all.toArray(Class<?>[]::new);
	}

}
