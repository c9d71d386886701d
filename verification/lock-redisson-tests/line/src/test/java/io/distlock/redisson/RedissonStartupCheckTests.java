package io.distlock.redisson;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.redis.RedisStartupCheck;
import io.distlock.redlock.RedlockNode;
import io.distlock.redlock.RedlockSettings;
import io.distlock.redlock.RedlockStartupCheck;
import io.distlock.spi.StoreCheckResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The checks send each of their commands through Redisson. Its connections lack methods
 * that those of other clients have.
 */
class RedissonStartupCheckTests {

	private static RedissonServer redis;

	@BeforeAll
	static void start() {
		redis = RedissonServer.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@BeforeEach
	void clear() {
		redis.server().command("FLUSHALL");
		redis.server().command("ACL", "SETUSER", "default", "+@all");
	}

	private static RedisLockStoreSettings.Builder patient() {
		return RedisLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(10));
	}

	static Stream<RedisLockStoreSettings> settings() {
		return Stream.of(patient().build(), patient().quarantine(Duration.ofSeconds(30)).build(),
				patient().failoverDelay(Duration.ofSeconds(30)).build());
	}

	@ParameterizedTest
	@MethodSource("settings")
	void runWhenAllIsWellThenPassed(RedisLockStoreSettings settings) {
		assertThat(new RedisStartupCheck(redis.factory(), settings).run()).isEqualTo(new StoreCheckResult.Passed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "hset", "pexpire", "hget", "hmget", "hgetall", "hlen", "hdel", "exists", "pttl", "time",
			"publish" })
	void runWhenOneRightIsMissingThenNamed(String command) {
		redis.server().command("ACL", "SETUSER", "default", "-" + command);
		assertThat(problems(redis)).singleElement().asString().contains("may not run '" + command + "'");
	}

	@Test
	void runWhenKeysMayBeEvictedThenProblem() {
		try (RedissonServer evicting = RedissonServer.start("--maxmemory", "100mb", "--maxmemory-policy",
				"allkeys-lru")) {
			assertThat(problems(evicting)).singleElement().asString().contains("allkeys-lru").contains("noeviction");
		}
	}

	@Test
	void runWhenNodesAreOfRedlockThenOnlyTheirQuarantineIsNamed() {
		try (RedissonServer two = RedissonServer.start("--save", "");
				RedissonServer three = RedissonServer.start("--save", "")) {
			redis.server().command("CONFIG", "SET", "save", "");
			RedlockStartupCheck check = new RedlockStartupCheck(
					List.of(new RedlockNode("one", redis.factory()), new RedlockNode("two", two.factory()),
							new RedlockNode("three", three.factory())),
					RedlockSettings.builder().commandTimeout(Duration.ofSeconds(10)).build());
			StoreCheckResult result = check.run();
			assertThat(result).isInstanceOf(StoreCheckResult.Passed.class);
			assertThat(result.warnings()).hasSize(3)
				.allSatisfy((warning) -> assertThat(warning).contains("quarantine"));
		}
	}

	private static List<String> problems(RedissonServer server) {
		StoreCheckResult result = new RedisStartupCheck(server.factory(), patient().build()).run();
		assertThat(result).isInstanceOf(StoreCheckResult.Problems.class);
		return ((StoreCheckResult.Problems) result).problems();
	}

}
