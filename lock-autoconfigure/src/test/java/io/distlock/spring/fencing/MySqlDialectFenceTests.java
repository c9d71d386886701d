package io.distlock.spring.fencing;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The statements as MySQL writes them; its locks are not those of H2. */
class MySqlDialectFenceTests extends AbstractJdbcFenceTests {

	@Override
	protected DataSource dataSource() {
		return new DriverManagerDataSource("jdbc:h2:mem:fence-mysql;MODE=MySQL;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
	}

	@Override
	protected String script() {
		return "fence-mysql.sql";
	}

}
