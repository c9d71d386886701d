package io.distlock.spring;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The database at {@code sales.url}, with a table {@code sale}, empty, whose commits can
 * be made to fail.
 */
@Configuration(proxyBeanMethods = false)
@Import(SaleTable.class)
class FragileSaleDatabase {

	@Bean
	FragileDataSource dataSource(@Value("${sales.url}") String url) {
		return new FragileDataSource(new DriverManagerDataSource(url));
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

		void mend() {
			this.broken.set(false);
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
