package io.distlock.redis;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.distlock.spi.AcquireResult;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The cluster clients, on a cluster of one node that owns all slots. */
@Timeout(60)
class RedisClusterTests {

	@ParameterizedTest
	@EnumSource(Client.class)
	void locksWork(Client client) throws Exception {
		try (RedisServer server = RedisServer.builder().args("--cluster-enabled", "yes").start()) {
			command(server, "CLUSTER ADDSLOTSRANGE 0 16383");
			await().ignoreExceptions().until(() -> command(server, "CLUSTER INFO").contains("cluster_state:ok"));
			RedisConnectionFactory factory = factory(client, server);
			try (StoreUnderTest one = new StoreUnderTest(factory); StoreUnderTest two = new StoreUnderTest(factory)) {
				await().until(() -> two.reconnects.get() > 0);
				for (String key : List.of("a", "b", "{c}")) {
					one.acquired(key, 1);
					assertThat(two.acquire(key, 1, true)).isInstanceOf(AcquireResult.Queued.class);
					one.finish(key, 1);
				}
				await().untilAsserted(() -> assertThat(two.grants).hasSize(3));
				assertThat(new RedisStartupCheck(factory, RedisLockStoreSettings.DEFAULTS).run())
					.isEqualTo(new RedisStartupCheck.Result.Passed());
			}
			Client.close(factory);
		}
	}

	@Test
	void serverIsNamed() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration(1));
		assertThat(new LettuceLinks(factory).server()).isEqualTo("Redis Cluster");
	}

	private static RedisConnectionFactory factory(Client client, RedisServer server) {
		if (client == Client.JEDIS) {
			JedisConnectionFactory factory = new JedisConnectionFactory(configuration(server.port()));
			factory.start();
			return factory;
		}
		LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration(server.port()));
		factory.start();
		return factory;
	}

	private static RedisClusterConfiguration configuration(int port) {
		return new RedisClusterConfiguration(List.of("127.0.0.1:" + port));
	}

	private static String command(RedisServer server, String command) throws IOException {
		try (Socket socket = new Socket(server.host(), server.port())) {
			socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
