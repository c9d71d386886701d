package io.distlock.reliability;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.databases.PostgresServer;
import io.distlock.databases.ZooKeeperServer;
import io.distlock.jdbc.LockSchema;
import io.distlock.reliability.rig.UsedOnce;
import io.distlock.test.ChildJvm;
import io.distlock.test.redis.RedisServer;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys that are used once leave nothing in the heap of a process, neither in a store nor
 * in the client of its server.
 */
@Tag("ci")
@Execution(ExecutionMode.CONCURRENT)
class UsedOnceTests {

	private static final Duration LIMIT = Duration.ofMinutes(15);

	/** Longer than anything is remembered after its use. */
	private static final int PATIENCE_SECONDS = 180;

	@ParameterizedTest
	@ValueSource(strings = { "redis", "jedis" })
	void redisKeepsNothing(String client) {
		try (RedisServer server = RedisServer.start()) {
			assertThat(kept(client, address(server), PATIENCE_SECONDS, false)).isLessThan(UsedOnce.SLACK);
		}
	}

	/** Or else a leak might not be noticed. */
	@Test
	void aLeakOfAHundredBytesAKeyIsNoticed() {
		try (RedisServer server = RedisServer.start()) {
			assertThat(kept("redis", address(server), 1, true)).isGreaterThan(UsedOnce.SLACK);
		}
	}

	@Test
	void redlockKeepsNothing() {
		List<RedisServer> servers = Stream.generate(RedisServer::start).limit(3).toList();
		try {
			String addresses = servers.stream().map(UsedOnceTests::address).collect(Collectors.joining(","));
			assertThat(kept("redlock", addresses, PATIENCE_SECONDS, false)).isLessThan(UsedOnce.SLACK);
		}
		finally {
			servers.forEach(RedisServer::close);
		}
	}

	@Test
	void postgresqlKeepsNothing() {
		try (PostgresServer server = PostgresServer.start("fsync=off")) {
			createTable(server.url());
			assertThat(kept("postgresql", server.url(), PATIENCE_SECONDS, false)).isLessThan(UsedOnce.SLACK);
		}
	}

	@Test
	void h2KeepsNothing() throws SQLException {
		Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
		try {
			String url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:once;DB_CLOSE_DELAY=-1";
			createTable(url);
			assertThat(kept("h2", url, PATIENCE_SECONDS, false)).isLessThan(UsedOnce.SLACK);
		}
		finally {
			server.stop();
		}
	}

	@Test
	void zooKeeperKeepsNothing() {
		try (ZooKeeperServer server = ZooKeeperServer.start()) {
			assertThat(kept("zookeeper", server.address(), PATIENCE_SECONDS, false)).isLessThan(UsedOnce.SLACK);
		}
	}

	private static String address(RedisServer server) {
		return server.host() + ":" + server.port();
	}

	private static void createTable(String url) {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(url);
			LockSchema.create(pool, "distributed_lock");
		}
	}

	/** Returns how many bytes more a process has after it has used many keys. */
	private static long kept(String store, String address, int seconds, boolean leaks) {
		try (ChildJvm process = ChildJvm.of(UsedOnce.class)
			.options(List.of("-Xmx256m"))
			.args(store, address, String.valueOf(seconds), String.valueOf(leaks))
			.start()) {
			assertThat(process.awaitExit(LIMIT)).as(process.output()).isZero();
			String line = process.lines()
				.stream()
				.filter((each) -> each.startsWith("kept: "))
				.findFirst()
				.orElseThrow();
			System.out.println(store + " " + line);
			return Long.parseLong(line.split(" ")[1]);
		}
	}

}
