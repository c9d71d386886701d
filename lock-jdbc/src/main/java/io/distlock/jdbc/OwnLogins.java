package io.distlock.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.util.DriverDataSource;

/**
 * Connects for the pool of locks. A pool tells its data source how long a login may take.
 * That of a driver keeps this time for the whole JVM, and another one may be the
 * application's. So this one keeps it for itself. It also names the connections.
 */
final class OwnLogins implements DataSource {

	/** The property of a driver, and its unit in milliseconds. */
	private static final Map<String, Limit> LIMITS = Map.of("jdbc:postgresql:", new Limit("loginTimeout", 1000),
			"jdbc:mariadb:", new Limit("connectTimeout", 1), "jdbc:mysql:", new Limit("connectTimeout", 1));

	private static final String ATTRIBUTES = "connectionAttributes";

	/** Shows in the list of connections of MariaDB and MySQL which ones are of locks. */
	private static final String NAMED = "program_name:distributed-lock";

	private final DataSource source;

	private final int seconds;

	private OwnLogins(DataSource source, Duration limit) {
		this.source = source;
		this.seconds = Math.toIntExact(limit.toSeconds());
	}

	/**
	 * Lets a pool that has not begun connect in this way, unless it makes its data source
	 * from a name.
	 */
	static void use(HikariConfig config, Duration limit) {
		DataSource given = config.getDataSource();
		String url = config.getJdbcUrl();
		if (given != null) {
			config.setDataSource(new OwnLogins(given, limit));
		}
		else if (url != null && config.getDataSourceClassName() == null) {
			config.setDataSource(new OwnLogins(new DriverDataSource(url, config.getDriverClassName(),
					properties(url, config.getDataSourceProperties(), limit), null, null), limit));
		}
	}

	/** Adds what the application has not set. */
	private static Properties properties(String url, Properties properties, Duration limit) {
		Properties limited = new Properties();
		limited.putAll(properties);
		if ((url.startsWith("jdbc:mariadb:") || url.startsWith("jdbc:mysql:")) && !url.contains(ATTRIBUTES + "=")) {
			limited.putIfAbsent(ATTRIBUTES, NAMED);
		}
		LIMITS.forEach((beginning, each) -> {
			if (url.startsWith(beginning) && !url.contains(each.property() + "=")) {
				limited.putIfAbsent(each.property(), Long.toString(limit.toMillis() / each.unit()));
			}
		});
		return limited;
	}

	@Override
	public Connection getConnection() throws SQLException {
		return this.source.getConnection();
	}

	@Override
	public Connection getConnection(String user, String password) throws SQLException {
		return this.source.getConnection(user, password);
	}

	@Override
	public void setLoginTimeout(int value) {
	}

	@Override
	public int getLoginTimeout() {
		return this.seconds;
	}

	@Override
	public PrintWriter getLogWriter() throws SQLException {
		return this.source.getLogWriter();
	}

	@Override
	public void setLogWriter(PrintWriter out) throws SQLException {
		this.source.setLogWriter(out);
	}

	@Override
	public Logger getParentLogger() {
		return Logger.getLogger(Logger.GLOBAL_LOGGER_NAME);
	}

	@Override
	public <T> T unwrap(Class<T> type) throws SQLException {
		return this.source.unwrap(type);
	}

	@Override
	public boolean isWrapperFor(Class<?> type) throws SQLException {
		return this.source.isWrapperFor(type);
	}

	/**
	 * How a driver limits the time of a login.
	 *
	 * @param property the name of the property
	 * @param unit of the property, in milliseconds
	 */
	private record Limit(String property, int unit) {
	}

}
