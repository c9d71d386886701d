package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.distlock.redis.RedisLockStoreSettings;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a lock that was used once leaves in Redis, for how long, and what it must not
 * forget. The time is that of every other lock. {@link ScriptEquivalenceTests} compares
 * what it answers.
 */
@Tag("ci")
class UsedOnceTests extends AbstractScriptTests {

	private static final String KEY = "lk:order:1000000";

	private static final String INSTANCE = "0123456789abcdef0123456789abcdef";

	private static final long LEASE = 30_000;

	private static final long KEEP = RedisLockStoreSettings.DEFAULTS.keep().toMillis();

	private static RedisCommands<String, String> redis;

	@BeforeAll
	static void connect() {
		redis = client.connect().sync();
	}

	@BeforeEach
	void clear() {
		redis.flushall();
	}

	private static List<Object> run(LockScript script, Object... arguments) {
		return runText(script, script.text(), arguments);
	}

	private static List<Object> runText(LockScript script, String text, Object... arguments) {
		List<String> words = new ArrayList<>();
		for (Object argument : arguments) {
			words.add(String.valueOf(argument));
		}
		List<Object> reply = redis.eval(text, ScriptOutputType.MULTI, new String[] { KEY },
				words.toArray(String[]::new));
		return Scripts.inFull(script, words, reply);
	}

	private static List<Object> acquire(String instance, long request) {
		return run(LockScript.ACQUIRE, instance, request, LEASE, 1500, 0, 64, KEEP, 0, "lk:ch:", 1,
				"shop;host-1;http-nio-8080-exec-1;OrderService.ship(OrderService.java:42)");
	}

	private static List<Object> finish(String text, String instance, long request) {
		return runText(LockScript.FINISH, text, instance, request, KEEP, "lk:ch:", 1);
	}

	private static void lockOnce(String text) {
		redis.del(KEY);
		acquire(INSTANCE, 1);
		assertThat(finish(text, INSTANCE, 1).get(0)).isEqualTo(1L);
		assertThat(redis.hget(KEY, "o")).startsWith("*;0;0;");
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					as it is                  |                                                                         |                                | true
					without its time          | tombstone) redis.call('PEXPIRE', key, string.format('%.0f', due - now)) | tombstone)                     | false
					with a time that is short | string.format('%.0f', due - now)) end return now                        | ARGV[3]) end return now        | false
					with a time that is long  | string.format('%.0f', due - now)) end return now                        | ARGV[3] * 60) end return now   | false
					""")
	void releaseWhenUsedOnceThenLeavesAShortListForTheSameTime(String name, String code, String replacement,
			boolean right) {
		acquire(INSTANCE, 1);
		assertThat(redis.pttl(KEY)).isBetween(LEASE + 3 * KEEP - KEEP / 2, LEASE + 3 * KEEP);
		run(LockScript.FINISH, INSTANCE, 1, KEEP, "lk:ch:", 0);
		long whole = redis.memoryUsage(KEY);

		lockOnce((code != null) ? mutate(code, replacement) : LockScript.FINISH.text());
		boolean same = redis.pttl(KEY) >= LEASE + 3 * KEEP - KEEP / 2 && redis.pttl(KEY) <= LEASE + 3 * KEEP;
		assertThat(same).isEqualTo(right);
		assertThat(redis.objectEncoding(KEY)).isIn("listpack", "ziplist");
		assertThat(redis.memoryUsage(KEY)).isLessThan(whole / 2).isLessThan(240);
	}

	/** Another master may have a key that is gone. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void releaseInAClusterThenKeepsTheKey(int argument) {
		acquire(INSTANCE, 1);
		Object[] arguments = { INSTANCE, 1, KEEP, "lk:ch:", 0 };
		run(LockScript.FINISH, (argument == 0) ? arguments : Arrays.copyOf(arguments, 4));
		assertThat(redis.hget(KEY, "o")).startsWith(INSTANCE + ";1;");
		assertThat(redis.objectEncoding(KEY)).isEqualTo("hashtable");
	}

	/** Whatever refuses HSET does so before the key is emptied. */
	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					as it is             |                                                                          |      | true
					without a first HSET | type(redis.pcall('HSET', key, 'o', text, 'f:' .. instance, tombstone)) == 'number' | true | false
					""")
	void releaseWhenUserMayNotWriteAnyMoreThenRecordStays(String name, String code, String replacement, boolean right) {
		String text = (code != null) ? mutate(code, replacement) : LockScript.FINISH.text();
		redis.aclSetuser("limited", AclSetuserArgs.Builder.on().nopass().allKeys().allCommands());
		try (StatefulRedisConnection<String, String> connection = client.connect(RedisURI.builder()
			.withHost(server.host())
			.withPort(server.port())
			.withAuthentication("limited", "any")
			.build())) {
			boolean kept = true;
			for (int i = 0; i < 5; i++) {
				redis.del(KEY);
				acquire(INSTANCE, 1);
				redis.aclSetuser("limited", AclSetuserArgs.Builder.removeCommand(CommandType.HSET));
				assertThatExceptionOfType(RedisCommandExecutionException.class).isThrownBy(() -> connection.sync()
					.eval(text, ScriptOutputType.MULTI, new String[] { KEY }, INSTANCE, "1", String.valueOf(KEEP),
							"lk:ch:", "1"));
				kept &= redis.hexists(KEY, "o");
			}
			assertThat(kept).isEqualTo(right);
		}
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
		assertThat(finish(LockScript.FINISH.text(), INSTANCE, 2)).first().isEqualTo(1L);
		assertThat(redis.hget(KEY, "o")).startsWith(INSTANCE + ";2;");
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', textBlock = """
			as it is                     |                                     |   | true
			without a look at the others | and redis.call('HLEN', key) == 1    |   | false
			""")
	void releaseWhenOthersAreRememberedThenLeavesTheirs(String name, String code, String replacement, boolean right) {
		String text = (code != null) ? mutate(code, "") : LockScript.FINISH.text();
		boolean anew = false;
		for (int i = 0; i < 20; i++) {
			redis.del(KEY);
			acquire(INSTANCE, 1);
			acquire("another", 1);
			assertThat(finish(text, INSTANCE, 1)).first().isEqualTo(1L);
			anew |= redis.hget(KEY, "o").startsWith("*");
			assertThat(redis.hget(KEY, "f:another")).isNotNull();
		}
		assertThat(anew).isNotEqualTo(right);
	}

	@Test
	void releaseWhenTokenIsAheadOfTheClockThenStaysUntilItIsOver() {
		long token = (Long) acquire(INSTANCE, 1).get(3);
		assertThat(run(LockScript.RAISE_TOKEN, INSTANCE, 1, token + 300_000_000, KEEP, 64)).first().isEqualTo(1L);
		assertThat(finish(LockScript.FINISH.text(), INSTANCE, 1)).first().isEqualTo(1L);
		assertThat(redis.pttl(KEY)).isGreaterThan(299_000);
		assertThat(LockRecord.parse(redis.hget(KEY, "o")).highestToken()).isGreaterThan(token + 300_000_000);
	}

	private static String mutate(String code, String replacement) {
		return new ScriptChange(code, (replacement != null) ? replacement : "").in(texts()).get(LockScript.FINISH);
	}

	private static Map<LockScript, String> texts() {
		return Map.of(LockScript.FINISH, LockScript.FINISH.text());
	}

}
