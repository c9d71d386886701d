package io.distlock.redis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.distlock.StaleFencingTokenException;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RedisFenceTests {

	/** As large as tokens are, with digits that a careless conversion would lose. */
	private static final long TOKEN = 1_795_225_522_033_810L;

	private static final RedisServer SERVER = SharedServers.standalone();

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void setWhenTokenIsLowerThenRefusedAndUnchanged(Client client) {
		with(client, (fence) -> {
			String key = "price:" + client;
			assertThat(fence.get(key)).isEmpty();
			fence.set(key, "first", TOKEN);
			fence.set(key, "again", TOKEN);
			fence.set(key, "second", TOKEN + 1);
			assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> fence.set(key, "stale", TOKEN))
				.satisfies((ex) -> assertThat(ex.resource()).isEqualTo(key))
				.satisfies((ex) -> assertThat(ex.token()).isEqualTo(TOKEN))
				.satisfies((ex) -> assertThat(ex.highest()).isEqualTo(TOKEN + 1));
			assertThat(fence.get(key)).contains("second");
		});
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void setWhenServerForgotTheScriptThenWorks(Client client) {
		with(client, (fence) -> {
			fence.set("forgotten:" + client, "a", 1);
			SERVER.command("SCRIPT", "FLUSH");
			fence.set("forgotten:" + client, "b", 2);
			assertThat(fence.get("forgotten:" + client)).contains("b");
		});
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void setWhenThereIsNoTokenThenRefused(Client client) {
		with(client, (fence) -> {
			for (long token : new long[] { 0, -1 }) {
				assertThatIllegalArgumentException().isThrownBy(() -> fence.set("none", "x", token))
					.withMessageContaining("was the method called without its lock?");
			}
			assertThat(fence.get("none")).isEmpty();
		});
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void setWhenKeyHoldsOtherDataThenRefusedAndUntouched(Client client) {
		SERVER.command("SET", "foreign:text", "x");
		SERVER.command("HSET", "foreign:hash", "a", "b");
		SERVER.command("HSET", "foreign:token", "token", "abc");
		with(client, (fence) -> {
			for (String key : List.of("foreign:text", "foreign:hash", "foreign:token")) {
				assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> fence.set(key, "x", TOKEN));
			}
		});
		assertThat(SERVER.command("HGETALL", "foreign:hash")).isEqualTo("a\nb");
		assertThat(SERVER.command("HGETALL", "foreign:token")).isEqualTo("token\nabc");
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void setWhenManyRaceThenNoneOverwritesALaterOne(Client client) {
		with(client, (fence) -> {
			String key = "race:" + client;
			List<Long> tokens = new ArrayList<>();
			for (long i = 0; i < 1000; i++) {
				tokens.add(TOKEN + i);
			}
			Collections.shuffle(tokens, new java.util.Random(7));
			ExecutorService threads = Executors.newFixedThreadPool(8);
			try {
				List<Future<Boolean>> writes = tokens.stream()
					.map((token) -> threads.submit(() -> isSet(fence, key, token)))
					.toList();
				int refused = 0;
				for (Future<Boolean> write : writes) {
					refused += write.get(20, TimeUnit.SECONDS) ? 0 : 1;
				}
				assertThat(refused).isPositive();
			}
			finally {
				threads.shutdownNow();
			}
			assertThat(fence.get(key)).contains(Long.toString(TOKEN + 999));
		});
	}

	/** What was there is never of a later token. */
	private static boolean isSet(RedisFence fence, String key, long token) {
		try {
			fence.set(key, Long.toString(token), token);
		}
		catch (StaleFencingTokenException ex) {
			assertThat(ex.highest()).isGreaterThan(token);
			return false;
		}
		assertThat(Long.parseLong(fence.get(key).orElseThrow())).isGreaterThanOrEqualTo(token);
		return true;
	}

	@ParameterizedTest
	@Tag("ci")
	@MethodSource("io.distlock.redis.Client#tested")
	void setWhenClusterThenWorksForKeysOnEveryMaster(Client client) {
		RedisFence fence = new RedisFence(SharedServers.cluster(client));
		for (int i = 0; i < 20; i++) {
			String key = "stock:" + client + ":" + i + ":" + "x".repeat(1000);
			fence.set(key, "a", TOKEN);
			assertThatExceptionOfType(StaleFencingTokenException.class)
				.isThrownBy(() -> fence.set(key, "b", TOKEN - 1));
			assertThat(fence.get(key)).contains("a");
		}
	}

	private interface Body {

		void run(RedisFence fence) throws Exception;

	}

	private static void with(Client client, Body body) {
		RedisConnectionFactory factory = client.connect(SERVER);
		try {
			body.run(new RedisFence(factory));
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
		finally {
			Client.close(factory);
		}
	}

}
