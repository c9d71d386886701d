package io.distlock.jdbc;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

	@Test
	void directConnectionsGetPromptSockets() {
		assertThat(used(config("jdbc:postgresql://localhost/shop"))).containsEntry("socketFactory",
				PromptSocketFactory.class.getName());
	}

	@Test
	void factoryOfTheApplicationStays() {
		HikariConfig chosen = config("jdbc:postgresql://localhost/shop");
		chosen.addDataSourceProperty("socketFactory", OTHER);
		assertThat(used(chosen)).containsEntry("socketFactory", OTHER);
		assertThat(used(config("jdbc:postgresql://localhost/shop?socketFactory=" + OTHER))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:h2:mem:shop", "jdbc:mariadb://localhost/shop",
			"jdbc:aws-wrapper:postgresql://localhost/shop" })
	void otherDriversAreLeftAlone(String url) {
		assertThat(used(config(url))).isEmpty();
	}

	private static HikariConfig config(String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setMinimumIdle(0);
		return config;
	}

	private static Properties used(HikariConfig config) {
		PromptSockets.use(config);
		return config.getDataSourceProperties();
	}

}
