package io.distlock.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.operations.LockOperations;
import io.distlock.spi.LockPage;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Lists on a server with many keys. */
@Tag("ci")
class RedisListTests {

	private static final int KEYS = 10_000;

	/** As many records as arguments say, every tenth of a lock that is held. */
	private static final String FILL = """
			local time = redis.call('TIME')
			local now, micros = time[1] * 1000, string.format('%.0f', time[1] * 1000000)
			for i = ARGV[1], ARGV[2] do
			  local held = i % 10 == 0
			  redis.call('HSET', 'lk:many:' .. i, 'o', 'engine;1;' .. string.format('%.0f', now + 600000) .. ';' .. micros .. ';1;'
			    .. string.format('%.0f', now + 900000) .. ';;' .. (held and 'H;app;host;thread;caller' or 'E;'))
			end
			return 0
			""";

	@ParameterizedTest
	@EnumSource
	void listWhenManyKeysThenEachCommandIsShort(Client client) {
		try (RedisServer server = RedisServer.start(); CloseableLockTemplate locks = template(client, server)) {
			for (int from = 0; from < KEYS; from += 1000) {
				server.command("EVAL", FILL, "0", String.valueOf(from), String.valueOf(from + 999));
			}
			server.command("CONFIG", "RESETSTAT");
			Set<String> found = new HashSet<>();
			LockOperations operations = LockOperations.of(locks);
			LockPage page = operations.list("many:", 100);
			page.locks().forEach((lock) -> found.add(lock.key()));
			while (!page.isLast()) {
				page = operations.list("many:", 100, page.next());
				page.locks().forEach((lock) -> found.add(lock.key()));
			}
			assertThat(found).hasSize(KEYS / 10);
			String stats = server.command("INFO", "commandstats");
			assertThat(number(stats, "cmdstat_scan:calls=([0-9]+)")).as("some 50 keys each").isGreaterThan(KEYS / 100);
			assertThat(stats).doesNotContain("cmdstat_keys");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "0", "0:", "-1:0", "0:0:0", "99999999999:0", "0:0\r\nDEL" })
	void listWhenCursorIsForgedThenRefused(String cursor) {
		try (CloseableLockTemplate locks = template(Client.LETTUCE, SharedServers.standalone())) {
			assertThatThrownBy(() -> LockOperations.of(locks).list("", 10, cursor))
				.isInstanceOf(IllegalArgumentException.class)
				.hasMessageContaining("is no cursor of a list of locks")
				.hasMessageNotContaining("\n");
		}
	}

	@Test
	void listWhenOtherDataIsThereThenLeftOut() {
		try (RedisServer server = RedisServer.start();
				CloseableLockTemplate locks = template(Client.LETTUCE, server);
				LockHandle held = locks.acquire("held")) {
			server.command("SET", "lk:text", "a");
			server.command("HSET", "lk:hash", "o", "no record");
			server.command("HSET", "lk:%zz", "o", "a;1;9;1;1;9;;H;");
			server.command("HSET", "lk:half", "o", "a;1;99999999999999999999;1;1;9;;H;");
			assertThat(LockOperations.of(locks).list("", 1000).locks()).extracting("key").containsExactly("held");
		}
	}

	private static CloseableLockTemplate template(Client client, RedisServer server) {
		return LockTemplateBuilder
			.forStore(new RedisLockStore(client.connect(server),
					RedisLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(10)).build()))
			.settings(LockSettings.builder().commandTimeout(Duration.ofSeconds(10)).build())
			.build();
	}

	private static int number(String text, String pattern) {
		Matcher matcher = Pattern.compile(pattern).matcher(text);
		assertThat(matcher.find()).as(text).isTrue();
		return Integer.parseInt(matcher.group(1));
	}

}
