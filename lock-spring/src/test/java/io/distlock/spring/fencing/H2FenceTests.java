package io.distlock.spring.fencing;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

class H2FenceTests extends AbstractJdbcFenceTests {

	@Override
	protected DataSource dataSource() {
		return new DriverManagerDataSource("jdbc:h2:mem:fence;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
	}

	@Override
	protected String script() {
		return "fence-h2.sql";
	}

}
