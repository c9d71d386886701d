package io.distlock.autoconfigure.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import java.util.stream.Stream;

import javax.naming.Context;
import javax.naming.spi.InitialContextFactory;
import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import org.apache.commons.dbcp2.BasicDataSource;

import org.springframework.beans.BeanUtils;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

import io.distlock.autoconfigure.ConfigurationTable.Row;
import io.distlock.autoconfigure.LockApplications;

/** The ways in which an application with Spring Boot may have a data source. */
final class DataSourceWays {

	private static final UnaryOperator<ApplicationContextRunner> NO_BEANS = (runner) -> runner;

	private static final String CHECK = "check `spring.datasource.username` and `spring.datasource.password`";

	private static final String MARK = "mark one data source with `@LockDataSource`";

	private final List<Way> ways = new ArrayList<>();

	private final MatrixDatabase database;

	private final String inMemory = "m" + UUID.randomUUID();

	private DataSourceWays(MatrixDatabase database) {
		this.database = database;
	}

	/**
	 * A way to have a data source.
	 *
	 * @param row what the application does, and what becomes of locks
	 * @param properties what it configures
	 * @param beans adds its own beans
	 */
	record Way(Row row, String[] properties, UnaryOperator<ApplicationContextRunner> beans) {

		@Override
		public String toString() {
			return this.row.toString();
		}

	}

	static List<Way> of(MatrixDatabase database) {
		DataSourceWays all = new DataSourceWays(database);
		all.addProperties();
		all.addPools();
		all.addBeans();
		all.addRefused();
		return all.ways;
	}

	private void addProperties() {
		works("`spring.datasource.url`, `username`, `password`", app());
		works("connection details as a bean",
				(runner) -> runner
					.withInitializer((context) -> context.getBeanFactory().registerSingleton("details", details())),
				"spring.datasource.url=" + this.database.nowhere());
		works("`spring.datasource.jndi-name`", (runner) -> {
			Names.bound.set(withUser(new BasicDataSource()));
			return runner.withSystemProperties(Context.INITIAL_CONTEXT_FACTORY + "=" + Names.class.getName());
		}, "spring.datasource.jndi-name=jdbc/shop");
		works("`spring.datasource.connection-fetch` is lazy (Spring Boot 4.1)",
				app("spring.datasource.connection-fetch=lazy"));
		works("no settings, and H2 on the class path", "spring.datasource.name=" + this.inMemory,
				"spring.datasource.generate-unique-name=false");
		works("H2 in memory", "spring.datasource.url=jdbc:h2:mem:" + this.inMemory + "-url");
	}

	private void addPools() {
		works("HikariCP with one connection",
				app("spring.datasource.hikari.maximum-pool-size=1", "spring.datasource.hikari.connection-timeout=250"));
		works("HikariCP without autocommit", app("spring.datasource.hikari.auto-commit=false"));
		works("HikariCP, read-only", app("spring.datasource.hikari.read-only=true"));
		works("HikariCP with an isolation level",
				app("spring.datasource.hikari.transaction-isolation=TRANSACTION_SERIALIZABLE"));
		works("HikariCP with a first statement",
				app("spring.datasource.hikari.connection-init-sql=" + this.database.statement()));
		works("HikariCP with properties of the driver",
				app("spring.datasource.hikari.data-source-properties." + this.database.property()));
		works("HikariCP as a bean", () -> withUser(new HikariDataSource()));
		works("HikariCP as a bean, with the name of the driver's data source", () -> {
			HikariDataSource pool = new HikariDataSource();
			pool.setDataSourceClassName(this.database.type());
			pool.addDataSourceProperty("url", this.database.url());
			pool.setUsername("app");
			pool.setPassword(MatrixDatabase.PASSWORD);
			return pool;
		});
		works("HikariCP as a bean, with the driver's data source", () -> {
			HikariDataSource pool = new HikariDataSource();
			pool.setDataSource(withUser(driver()));
			return pool;
		});
		works("HikariCP in a subclass that makes its passwords", () -> TokenPool.of(this.database));
		works("HikariCP with a data source that makes its passwords", () -> {
			HikariDataSource pool = new HikariDataSource();
			pool.setDataSource(new Tokens(this.database));
			return pool;
		});
		works("Tomcat JDBC", app("spring.datasource.type=org.apache.tomcat.jdbc.pool.DataSource"));
		works("DBCP2", app("spring.datasource.type=org.apache.commons.dbcp2.BasicDataSource"));
		works("DBCP2 without autocommit", app("spring.datasource.type=org.apache.commons.dbcp2.BasicDataSource",
				"spring.datasource.dbcp2.default-auto-commit=false"));
		works("Oracle UCP", app("spring.datasource.type=oracle.ucp.jdbc.PoolDataSource"));
		works("C3P0", app("spring.datasource.type=com.mchange.v2.c3p0.ComboPooledDataSource"));
		works("no pool", app("spring.datasource.type=org.springframework.jdbc.datasource.SimpleDriverDataSource"));
	}

	private void addBeans() {
		works("the driver's data source as a bean", () -> withUser(driver()));
		works("a data source that makes its passwords", () -> new Tokens(this.database));
		works("`DelegatingDataSource`", () -> new DelegatingDataSource(TokenPool.of(this.database)));
		works("`TransactionAwareDataSourceProxy`",
				() -> new TransactionAwareDataSourceProxy(TokenPool.of(this.database)));
		works("`LazyConnectionDataSourceProxy`, with a replica for reading", () -> {
			LazyConnectionDataSourceProxy proxy = new LazyConnectionDataSourceProxy(TokenPool.of(this.database));
			proxy.setReadOnlyDataSource(new DriverManagerDataSource(this.database.nowhere()));
			return proxy;
		});
		works("a proxy that hides its pool", () -> new Hiding(TokenPool.of(this.database)));
		works("an embedded database as a bean",
				() -> new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2)
					.setName(this.inMemory + "-bean")
					.build());
		works("several data sources, one of them primary", (runner) -> runner.withUserConfiguration(PrimaryOne.class));
		works("several data sources, one of them marked", (runner) -> runner.withUserConfiguration(MarkedOne.class));
	}

	private void addRefused() {
		refused("several data sources", MARK, (runner) -> runner.withUserConfiguration(Two.class));
		refused("a data source that routes", MARK, bean(() -> routing(TokenPool.of(this.database))));
		refused("a data source that routes, behind a proxy", MARK,
				bean(() -> new LazyConnectionDataSourceProxy(routing(TokenPool.of(this.database)))));
		refused("`SingleConnectionDataSource`", MARK,
				bean(() -> new SingleConnectionDataSource(this.database.url(), "app", MatrixDatabase.PASSWORD, true)));
		refused("a wrong password", CHECK, NO_BEANS,
				url("spring.datasource.username=app", "spring.datasource.password=wrong"));
		refused("no password", CHECK, NO_BEANS, url("spring.datasource.username=app"));
		refused("a database that is not there", "create it, or check `spring.datasource.url`", NO_BEANS,
				"spring.datasource.url=" + this.database.nowhere());
		refused("a pool with all connections of its user",
				"allow the user more, or lower `spring.datasource.hikari.maximum-pool-size`", NO_BEANS,
				url("spring.datasource.username=few", "spring.datasource.hikari.maximum-pool-size=2"));
		refused("connections that only read", "set `spring.datasource.url` to the primary", NO_BEANS,
				app("spring.datasource.type=org.apache.commons.dbcp2.BasicDataSource",
						"spring.datasource.dbcp2.connection-properties=" + this.database.readOnly()));
		refused("`spring.datasource.hikari.data-source-class-name`",
				"leave it out of `spring.datasource.hikari.*`, or declare the pool as a bean", NO_BEANS,
				app("spring.datasource.hikari.data-source-class-name=" + this.database.type()));
	}

	private void works(String way, String... properties) {
		works(way, NO_BEANS, properties);
	}

	private void works(String way, Supplier<DataSource> bean) {
		works(way, bean(bean));
	}

	private void works(String way, UnaryOperator<ApplicationContextRunner> beans, String... properties) {
		refused(way, "", beans, properties);
	}

	private void refused(String way, String fix, UnaryOperator<ApplicationContextRunner> beans, String... properties) {
		this.ways.add(new Way(new Row(way, fix), properties, (runner) -> beans.apply(runner
			.withInitializer((context) -> context.getBeanFactory().registerSingleton("database", this.database)))));
	}

	private static UnaryOperator<ApplicationContextRunner> bean(Supplier<DataSource> bean) {
		return (runner) -> runner.withBean("own", DataSource.class, bean);
	}

	private String[] app(String... more) {
		return url(Stream
			.concat(Stream.of(more),
					Stream.of("spring.datasource.username=app",
							"spring.datasource.password=" + MatrixDatabase.PASSWORD))
			.toArray(String[]::new));
	}

	private String[] url(String... more) {
		return Stream.concat(Stream.of(more), Stream.of("spring.datasource.url=" + this.database.url()))
			.toArray(String[]::new);
	}

	private DataSource driver() {
		return (DataSource) BeanUtils.instantiateClass(ClassUtils.resolveClassName(this.database.type(), null));
	}

	/** Sets address, user and password, under the names that this type has for them. */
	private <T extends DataSource> T withUser(T dataSource) {
		BeanWrapperImpl bean = new BeanWrapperImpl(dataSource);
		bean.setPropertyValue(bean.isWritableProperty("jdbcUrl") ? "jdbcUrl" : "url", this.database.url());
		bean.setPropertyValue(bean.isWritableProperty("username") ? "username" : "user", "app");
		bean.setPropertyValue("password", MatrixDatabase.PASSWORD);
		return dataSource;
	}

	private static DataSource routing(DataSource target) {
		AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

			@Override
			protected Object determineCurrentLookupKey() {
				return "primary";
			}

		};
		routing.setTargetDataSources(Map.of("primary", target));
		routing.afterPropertiesSet();
		return routing;
	}

	private Object details() {
		return LockApplications.ofThisLine((proxy, method, arguments) -> switch (method.getName()) {
			case "getUsername" -> "app";
			case "getPassword" -> MatrixDatabase.PASSWORD;
			case "getJdbcUrl" -> this.database.url();
			default -> method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments)
					: method.invoke(this, arguments);
		}, "org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails",
				"org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails");
	}

	@Configuration(proxyBeanMethods = false)
	static class Two {

		@Bean
		DataSource orders(MatrixDatabase database) {
			return TokenPool.of(database);
		}

		@Bean
		DataSource reports(MatrixDatabase database) {
			return TokenPool.of(database);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryOne {

		@Bean
		@Primary
		DataSource orders(MatrixDatabase database) {
			return TokenPool.of(database);
		}

		@Bean
		DataSource reports(MatrixDatabase database) {
			return new DriverManagerDataSource(database.nowhere());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedOne {

		@Bean
		@Primary
		DataSource reports(MatrixDatabase database) {
			return new DriverManagerDataSource(database.nowhere());
		}

		@Bean
		@LockDataSource
		DataSource orders(MatrixDatabase database) {
			return TokenPool.of(database);
		}

	}

	/** The names of a server of applications, which has one data source. */
	public static final class Names implements InitialContextFactory {

		private static final AtomicReference<DataSource> bound = new AtomicReference<>();

		@Override
		public Context getInitialContext(Hashtable<?, ?> environment) {
			return (Context) Proxy.newProxyInstance(Names.class.getClassLoader(), new Class<?>[] { Context.class },
					(proxy, method, arguments) -> method.getName().equals("lookup") ? bound.get() : null);
		}

	}

	/** As for tokens of a cloud. */
	private static class TokenPool extends HikariDataSource {

		TokenPool(MatrixDatabase database) {
			setJdbcUrl(database.url());
			setUsername("app");
			setMinimumIdle(0);
		}

		static TokenPool of(MatrixDatabase database) {
			return ClassUtils.isPresent("com.zaxxer.hikari.util.Credentials", null) ? new CredentialsPool(database)
					: new TokenPool(database);
		}

		@Override
		public String getPassword() {
			return MatrixDatabase.PASSWORD;
		}

	}

	/** Newer lines of HikariCP ask for both at once. */
	private static final class CredentialsPool extends TokenPool {

		CredentialsPool(MatrixDatabase database) {
			super(database);
		}

		@Override
		public Credentials getCredentials() {
			return Credentials.of("app", MatrixDatabase.PASSWORD);
		}

	}

	/** As for tokens of a cloud, without a pool. */
	private static final class Tokens implements DataSource {

		private final MatrixDatabase database;

		private Tokens(MatrixDatabase database) {
			this.database = database;
		}

		@Override
		public Connection getConnection() throws SQLException {
			return DriverManager.getConnection(this.database.url(), "app", MatrixDatabase.PASSWORD);
		}

		@Override
		public Connection getConnection(String user, String password) throws SQLException {
			throw new SQLFeatureNotSupportedException();
		}

		@Override
		public PrintWriter getLogWriter() throws SQLException {
			throw new SQLFeatureNotSupportedException();
		}

		@Override
		public void setLogWriter(PrintWriter out) throws SQLException {
			throw new SQLFeatureNotSupportedException();
		}

		@Override
		public void setLoginTimeout(int seconds) {
		}

		@Override
		public int getLoginTimeout() {
			return 0;
		}

		@Override
		public Logger getParentLogger() throws SQLFeatureNotSupportedException {
			throw new SQLFeatureNotSupportedException();
		}

		@Override
		public <T> T unwrap(Class<T> type) throws SQLException {
			throw new SQLException("not a wrapper");
		}

		@Override
		public boolean isWrapperFor(Class<?> type) {
			return false;
		}

	}

	/** As many monitoring agents do. */
	private static final class Hiding extends BasicDataSource {

		private final DataSource pool;

		private Hiding(DataSource pool) {
			this.pool = pool;
		}

		@Override
		public Connection getConnection() throws SQLException {
			return this.pool.getConnection();
		}

	}

}
