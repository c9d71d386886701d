package io.distlock.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.Driver;
import org.postgresql.PGConnection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A notification is returned when it arrives, and the application's sockets stay. */
class PromptSocketsTests {

	private static final String OTHER = "org.example.Sockets";

	/** The driver's own sockets take a millisecond more each time, however idle it is. */
	private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

	@Test
	void notificationIsReturnedWithoutWaitingForAnother() throws Exception {
		try (HikariDataSource application = new HikariDataSource(config(TestDatabase.postgresUrl()))) {
			OwnPool own = OwnPool.like(application, 2, Duration.ofSeconds(5)).orElseThrow();
			try (Connection listening = own.dataSource().getConnection();
					Connection notifying = own.dataSource().getConnection()) {
				execute(listening, "LISTEN prompt");
				long fastest = Long.MAX_VALUE;
				for (int i = 0; i < 30; i++) {
					execute(notifying, "NOTIFY prompt");
					fastest = Math.min(fastest, nanosOfTheNext(listening.unwrap(PGConnection.class)));
				}
				assertThat(fastest).isLessThan(MILLISECOND);
			}
			finally {
				own.close();
			}
		}
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static long nanosOfTheNext(PGConnection listening) throws SQLException {
		long before = System.nanoTime();
		assertThat(listening.getNotifications(5000)).hasSize(1);
		return System.nanoTime() - before;
	}

	@Test
	void onlyProbesEndAtOnce() throws Exception {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Socket near = new PromptSocketFactory().createSocket(server.getInetAddress(), server.getLocalPort());
				Socket far = server.accept()) {
			InputStream in = near.getInputStream();
			near.setSoTimeout(1);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> in.read(new byte[1]))
				.withMessageContaining("Nothing has arrived");
			near.setSoTimeout(5000);
			far.getOutputStream().write(7);
			assertThat(in.read()).isEqualTo(7);
			far.getOutputStream().write(8);
			near.setSoTimeout(50);
			assertThat(in.read()).isEqualTo(8);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> in.read(new byte[1]))
				.withMessageNotContaining("Nothing has arrived");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:postgresql://localhost/shop", "jdbc:postgresql://the-service.example/shop?ssl=false",
			"jdbc:postgresql://localhost/shop?" })
	void directConnectionsGetPromptSockets(String url) {
		HikariConfig config = config(url);
		PromptSockets.use(config);
		assertThat(config.getJdbcUrl()).startsWith(url);
		assertThat(Driver.parseURL(config.getJdbcUrl(), new Properties())).containsEntry("socketFactory",
				PromptSocketFactory.class.getName());
	}

	@Test
	void factoryOfTheApplicationStays() {
		HikariConfig chosen = config("jdbc:postgresql://localhost/shop");
		chosen.addDataSourceProperty("socketFactory", OTHER);
		assertLeftAlone(chosen);
		assertThat(chosen.getDataSourceProperties()).containsEntry("socketFactory", OTHER);
		assertLeftAlone(config("jdbc:postgresql://localhost/shop?socketFactory=" + OTHER));
	}

	@Test
	void serviceMayNameAFactory() {
		assertLeftAlone(config("jdbc:postgresql://?service=shop"));
		assertLeftAlone(config("jdbc:postgresql://localhost/shop?ssl=false&service=shop"));
		HikariConfig service = config("jdbc:postgresql://localhost/shop");
		service.addDataSourceProperty("service", "shop");
		assertLeftAlone(service);
	}

	@Test
	void defaultsOfTheDriverMayNameAFactory(@TempDir Path directory) throws IOException {
		Path defaults = directory.resolve("org/postgresql/driverconfig.properties");
		Files.createDirectories(defaults.getParent());
		Files.writeString(defaults, "socketFactory=" + OTHER);
		try (URLClassLoader driver = new URLClassLoader(new URL[] { directory.toUri().toURL() },
				getClass().getClassLoader())) {
			HikariConfig config = config("jdbc:postgresql://localhost/shop");
			PromptSockets.use(config, driver);
			assertThat(config.getJdbcUrl()).isEqualTo("jdbc:postgresql://localhost/shop");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:h2:mem:shop", "jdbc:mariadb://localhost/shop",
			"jdbc:aws-wrapper:postgresql://localhost/shop" })
	void otherDriversAreLeftAlone(String url) {
		assertLeftAlone(config(url));
	}

	@Test
	void poolOfTheApplicationKeepsItsOwnSockets() throws SQLException {
		String url = "jdbc:postgresql://localhost/shop";
		HikariConfig lazy = config(url);
		lazy.setInitializationFailTimeout(-1);
		lazy.addDataSourceProperty("ApplicationName", "shop");
		try (HikariDataSource application = new HikariDataSource(lazy)) {
			OwnPool own = OwnPool.like(application, 2, Duration.ofSeconds(5)).orElseThrow();
			HikariDataSource pool = own.dataSource().unwrap(HikariDataSource.class);
			try {
				assertThat(application.getDataSourceProperties()).containsOnly(Map.entry("ApplicationName", "shop"));
				assertThat(application.getJdbcUrl()).isEqualTo(url);
				assertThat(pool.getJdbcUrl()).contains("socketFactory");
				assertThat(pool.getDataSourceProperties()).containsEntry("ApplicationName", "shop");
			}
			finally {
				own.close();
			}
		}
	}

	private static HikariConfig config(String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setMinimumIdle(0);
		return config;
	}

	private static void assertLeftAlone(HikariConfig config) {
		String url = config.getJdbcUrl();
		Properties properties = (Properties) config.getDataSourceProperties().clone();
		PromptSockets.use(config);
		assertThat(config.getJdbcUrl()).isEqualTo(url);
		assertThat(config.getDataSourceProperties()).isEqualTo(properties);
	}

}
