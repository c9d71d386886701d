package io.distlock.spring;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The database at {@code sales.url}, with a table {@code sale}, empty, whose commits can
 * be made to fail.
 */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement(proxyTargetClass = true)
class SalesDatabase {

	@Bean
	FragileDataSource dataSource(@Value("${sales.url}") String url) {
		return new FragileDataSource(new DriverManagerDataSource(url));
	}

	@Bean
	JdbcTemplate jdbcTemplate(DataSource dataSource) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		jdbc.execute("DROP TABLE IF EXISTS sale");
		jdbc.execute("CREATE TABLE sale (id INT)");
		return jdbc;
	}

	@Bean
	JdbcTransactionManager transactionManager(DataSource dataSource) {
		return new JdbcTransactionManager(dataSource);
	}

	@Bean
	TransactionTemplate transactionTemplate(JdbcTransactionManager manager) {
		return new TransactionTemplate(manager);
	}

	/** Breaks its connections right before a commit, if told to. */
	static final class FragileDataSource extends DelegatingDataSource {

		private final AtomicBoolean broken = new AtomicBoolean();

		FragileDataSource(DataSource target) {
			super(target);
		}

		void breakAtCommit() {
			this.broken.set(true);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection real = super.getConnection();
			return (Connection) java.lang.reflect.Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("commit") && this.broken.get()) {
							real.close();
							throw new SQLException("the connection broke");
						}
						try {
							return method.invoke(real, arguments);
						}
						catch (java.lang.reflect.InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

}
