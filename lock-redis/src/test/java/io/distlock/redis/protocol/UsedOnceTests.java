package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.test.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a lock that was used once leaves in Redis, for how long, and what it must not
 * forget. {@link ScriptEquivalenceTests} compares what it answers.
 */
class UsedOnceTests {

	private static final String KEY = "lk:order:1000000";

	private static final String INSTANCE = "0123456789abcdef0123456789abcdef";

	private static final long LEASE = 30_000;

	private static final long KEEP = RedisLockStoreSettings.DEFAULTS.keep().toMillis();

	private static RedisServer server;

	private static RedisClient client;

	private static RedisCommands<String, String> redis;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		client = RedisClient.create(RedisURI.create(server.host(), server.port()));
		redis = client.connect().sync();
	}

	@AfterAll
	static void stop() {
		client.shutdown();
		server.close();
	}

	@BeforeEach
	void clear() {
		redis.flushall();
	}

	private static List<Object> run(LockScript script, Object... arguments) {
		return run(script.text(), arguments);
	}

	private static List<Object> run(String text, Object... arguments) {
		List<String> words = new ArrayList<>();
		for (Object argument : arguments) {
			words.add(String.valueOf(argument));
		}
		return redis.eval(text, ScriptOutputType.MULTI, new String[] { KEY }, words.toArray(String[]::new));
	}

	private static List<Object> acquire(String instance, long request) {
		return run(LockScript.ACQUIRE, instance, request, LEASE, 1500, 0, 64, KEEP, 0, "lk:ch:", 1,
				"shop;host-1;http-nio-8080-exec-1;OrderService.ship(OrderService.java:42)");
	}

	private static List<Object> finish(String text, String instance, long request) {
		return run(text, instance, request, KEEP, "lk:ch:");
	}

	private static void lockOnce(String text) {
		redis.del(KEY);
		acquire(INSTANCE, 1);
		assertThat(finish(text, INSTANCE, 1).get(0)).isEqualTo(1L);
		assertThat(redis.hget(KEY, "o")).startsWith("*;0;0;");
	}

	@Test
	void releaseWhenUsedOnceThenLeavesAShortListForTenSeconds() {
		acquire(INSTANCE, 1);
		assertThat(redis.pttl(KEY)).isGreaterThan(50_000);
		long held = redis.memoryUsage(KEY);

		lockOnce(LockScript.FINISH.text());
		assertThat(redis.pttl(KEY)).isBetween(KEEP - 1000, KEEP);
		assertThat(redis.objectEncoding(KEY)).isIn("listpack", "ziplist");
		assertThat(redis.memoryUsage(KEY)).isLessThan(held / 2).isLessThan(240);
	}

	@Test
	void acquireAfterShortRestThenTokensRiseAndCopiesAreRefused() {
		lockOnce(LockScript.FINISH.text());
		long left = LockRecord.parse(redis.hget(KEY, "o")).highestToken();
		assertThat(acquire(INSTANCE, 1)).as("a late copy").first().isEqualTo(-1L);
		List<Object> next = acquire(INSTANCE, 2);
		assertThat(next).first().isEqualTo(1L);
		assertThat((Long) next.get(3)).isGreaterThan(left);
		assertThat(finish(LockScript.FINISH.text(), INSTANCE, 1)).as("the first answer").first().isEqualTo(1L);
		assertThat(LockRecord.parse(redis.hget(KEY, "o")).held()).isTrue();
	}

	@Test
	void releaseWhenUsedAgainThenTakesNoTimeToShortenIt() {
		lockOnce(LockScript.FINISH.text());
		acquire(INSTANCE, 2);
		finish(LockScript.FINISH.text(), INSTANCE, 2);
		assertThat(redis.pttl(KEY)).isGreaterThan(2 * KEEP);
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					as it is                     |                                                    |                        | true
					without a look at the others | and redis.call('HLEN', key) == 1 then              | then                   | false
					""")
	void releaseWhenOthersAreRememberedThenKeepsTheirTime(String name, String code, String replacement, boolean right) {
		String text = (code != null) ? new ScriptChange(code, replacement).in(texts()).get(LockScript.FINISH)
				: LockScript.FINISH.text();
		boolean shortened = false;
		for (int i = 0; i < 20; i++) {
			redis.del(KEY);
			acquire(INSTANCE, 1);
			acquire("another", 1);
			finish(text, INSTANCE, 1);
			shortened |= redis.pttl(KEY) <= KEEP;
			assertThat(redis.hget(KEY, "f:another")).isNotNull();
		}
		assertThat(shortened).isNotEqualTo(right);
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', textBlock = """
			as it is                   |                                                          |      | true
			without a look at the token | math.max(keep, (last - last % 1000) / 1000 + 1001 - now) | keep | false
			""")
	void releaseWhenTokenIsAheadOfTheClockThenStaysUntilItIsOver(String name, String code, String replacement,
			boolean right) {
		String text = (code != null) ? new ScriptChange(code, replacement).in(texts()).get(LockScript.FINISH)
				: LockScript.FINISH.text();
		boolean kept = true;
		for (int i = 0; i < 20; i++) {
			redis.del(KEY);
			long token = (Long) acquire(INSTANCE, 1).get(3);
			assertThat(run(LockScript.RAISE_TOKEN, INSTANCE, 1, token + 30_000_000, KEEP, 64)).first().isEqualTo(1L);
			finish(text, INSTANCE, 1);
			kept &= redis.pttl(KEY) > 30_000;
		}
		assertThat(kept).isEqualTo(right);
	}

	private static Map<LockScript, String> texts() {
		return Map.of(LockScript.FINISH, LockScript.FINISH.text());
	}

}
