package io.distlock.sample.store;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.distlock.test.redis.FreePort;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.distlock.databases.PostgresServer;
import io.distlock.test.ChildJvm;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two nodes that are processes sell 5,000 items under locks in each store, and none of
 * them twice. Takes half a minute for each, so the profile {@code lab} has it;
 * {@link SaleOnEachStoreTests} has nodes in one process in every build.
 */
@Tag("lab")
class SaleByProcessesTests {

	private static final int ITEMS = 5_000;

	private static final Duration LIMIT = Duration.ofMinutes(4);

	@Test
	void database() throws Exception {
		try (PostgresServer server = PostgresServer.start()) {
			assertThat(sell("--distributed-lock.store=jdbc", "--spring.datasource.url=" + server.url()))
				.isEqualTo(ITEMS);
		}
	}

	@Test
	void zooKeeper() throws Exception {
		try (TestingServer server = new TestingServer(FreePort.find("127.0.0.1"))) {
			assertThat(sell("--distributed-lock.store=zookeeper",
					"--distributed-lock.zookeeper.connect-string=" + server.getConnectString()))
				.isEqualTo(ITEMS);
		}
	}

	@Test
	void redis() throws Exception {
		assertThat(sell("--distributed-lock.store=redis")).isEqualTo(ITEMS);
	}

	private static int sell(String... locks) throws Exception {
		try (RedisServer redis = RedisServer.start()) {
			LettuceConnectionFactory connections = new LettuceConnectionFactory(redis.host(), redis.port());
			connections.start();
			StringRedisTemplate shelf = new StringRedisTemplate(connections);
			List<ChildJvm> nodes = IntStream.range(0, 2)
				.mapToObj((i) -> ChildJvm.of(SaleProcess.class)
					.args("--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
							"--shop.nodes=0", "--distributed-lock.locks.stock.wait-time=2m",
							"--distributed-lock.command-timeout=9s")
					.args(locks)
					.start())
				.toList();
			try {
				await().atMost(LIMIT)
					.until(() -> nodes.stream().allMatch((node) -> node.printed("open") || !node.isAlive()));
				shelf.opsForValue().set("shop:stock:sale", String.valueOf(ITEMS));
				int sold = 0;
				for (ChildJvm node : nodes) {
					assertThat(node.awaitExit(LIMIT)).as(node.output()).isZero();
					int ofNode = sold(node);
					assertThat(ofNode).as("sold by each node").isPositive();
					sold += ofNode;
				}
				assertThat(shelf.opsForValue().get("shop:stock:sale")).isEqualTo("0");
				return sold;
			}
			finally {
				nodes.forEach(ChildJvm::close);
				connections.destroy();
			}
		}
	}

	private static int sold(ChildJvm node) {
		return node.lines()
			.stream()
			.filter((line) -> line.startsWith("sold "))
			.mapToInt((line) -> Integer.parseInt(line.substring("sold ".length())))
			.findFirst()
			.orElseThrow(() -> new AssertionError(node.output()));
	}

}
