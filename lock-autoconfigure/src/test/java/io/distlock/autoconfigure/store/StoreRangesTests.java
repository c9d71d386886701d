package io.distlock.autoconfigure.store;

import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.DurationStyle;

import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.zookeeper.ZooKeeperLockStoreSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The ranges of a store's settings are checked for its properties too, whose messages
 * name the property, and this without the store's module. Both say the same.
 */
class StoreRangesTests {

	@ParameterizedTest
	@CsvSource({ "redis.key-prefix, shop:", "redis.poll-interval, 1ms", "jdbc.table, lock", "jdbc.table, shop.lock_1",
			"jdbc.key-prefix, shop:", "jdbc.key-prefix, ''", "jdbc.connections, 1", "jdbc.connections, 100",
			"jdbc.poll-interval, 2ms", "jdbc.poll-interval, 1h", "jdbc.keep-idle, 1m",
			"jdbc.keep-idle, 1000000000000ms", "zookeeper.root, /", "zookeeper.root, /a", "zookeeper.root, /a/b c",
			"zookeeper.root, /..a", "zookeeper.root, /ä", "zookeeper.session-timeout, 1s",
			"zookeeper.session-timeout, 1h", "zookeeper.connection-timeout, 100ms",
			"zookeeper.connection-timeout, 1h" })
	void aValueInRangePassesBoth(String property, String value) {
		assertThat(refusal(property, value)).isEmpty();
		build(property, value);
	}

	@ParameterizedTest
	@CsvSource({ "redis.key-prefix, ''", "redis.key-prefix, ' '", "redis.key-prefix, {a}", "redis.poll-interval, 0s",
			"jdbc.table, ''", "jdbc.table, 1lock", "jdbc.table, a.b.c", "jdbc.table, a; DROP", "jdbc.key-prefix, a b",
			"jdbc.key-prefix, 50%", "jdbc.key-prefix, 123456789_123456789_123456789_123456789_123456789_1",
			"jdbc.connections, 0", "jdbc.connections, 101", "jdbc.poll-interval, 1ms", "jdbc.poll-interval, 3601s",
			"jdbc.keep-idle, 59s", "jdbc.keep-idle, 1000000000001ms", "zookeeper.root, ''", "zookeeper.root, a",
			"zookeeper.root, /a/", "zookeeper.root, /a//b", "zookeeper.root, /.", "zookeeper.root, /a/../b",
			"zookeeper.session-timeout, 999ms", "zookeeper.session-timeout, 3601s",
			"zookeeper.connection-timeout, 99ms", "zookeeper.connection-timeout, 3601s" })
	void aValueOutOfRangeIsRefusedByBoth(String property, String value) {
		assertThat(refusal(property, value)).get().asString().contains("distributed-lock." + property, value);
		assertThatIllegalArgumentException().isThrownBy(() -> build(property, value)).withMessageContaining(value);
	}

	/** Which characters ZooKeeper refuses in a path. */
	@ParameterizedTest
	@ValueSource(ints = { 0x00, 0x1f, 0x20, 0x7f, 0x80, 0x9f, 0xa0, 0xd7ff, 0xe000, 0xf8ff, 0xf900, 0xffef, 0xfff0,
			0x10000, 0x1f512 })
	void aCharacterOfARootPassesBothOrNone(int character) {
		String root = "/a" + Character.toString(character);
		boolean refused = refusal("zookeeper.root", root).isPresent();
		if (refused) {
			assertThatIllegalArgumentException().isThrownBy(() -> build("zookeeper.root", root));
		}
		else {
			build("zookeeper.root", root);
		}
	}

	private static Optional<String> refusal(String property, String value) {
		try {
			new Binder(new MapConfigurationPropertySource(Map.of("distributed-lock." + property, value)))
				.bind("distributed-lock", LockProperties.class);
			return Optional.empty();
		}
		catch (BindException ex) {
			for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
				if (cause instanceof LockConfigurationException refusal) {
					return Optional.of(refusal.description());
				}
			}
			throw ex;
		}
	}

	private static Object build(String property, String value) {
		return switch (property) {
			case "redis.key-prefix" -> RedisLockStoreSettings.builder().keyPrefix(value).build();
			case "redis.poll-interval" ->
				RedisLockStoreSettings.builder().pollInterval(DurationStyle.detectAndParse(value)).build();
			case "jdbc.table" -> JdbcLockStoreSettings.builder().table(value).build();
			case "jdbc.key-prefix" -> JdbcLockStoreSettings.builder().keyPrefix(value).build();
			case "jdbc.connections" -> JdbcLockStoreSettings.builder().connections(Integer.parseInt(value)).build();
			case "jdbc.poll-interval" ->
				JdbcLockStoreSettings.builder().pollInterval(DurationStyle.detectAndParse(value)).build();
			case "jdbc.keep-idle" ->
				JdbcLockStoreSettings.builder().keepIdle(DurationStyle.detectAndParse(value)).build();
			case "zookeeper.root" -> ZooKeeperLockStoreSettings.builder().root(value).build();
			case "zookeeper.session-timeout" ->
				ZooKeeperLockStoreSettings.builder().sessionTimeout(DurationStyle.detectAndParse(value)).build();
			case "zookeeper.connection-timeout" ->
				ZooKeeperLockStoreSettings.builder().connectionTimeout(DurationStyle.detectAndParse(value)).build();
			default -> throw new IllegalArgumentException("No setting is known for " + property);
		};
	}

}
