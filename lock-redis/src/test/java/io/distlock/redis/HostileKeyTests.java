package io.distlock.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.FutureTask;

import ch.qos.logback.classic.Level;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.output.LogLines;
import io.distlock.output.Seeds;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.test.Standstill;
import io.distlock.test.redis.RedisServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Keys that somebody chose who means harm, or did not think. */
class HostileKeyTests {

	private static final int KEYS = Seeds.of("hostile.keys", 100_000, 1_000_000);

	private static final int MEGABYTE = 1 << 20;

	private static final RedisLockStoreSettings QUICK = RedisLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(1))
		.build();

	/** With time for a machine that stalls, and only a message in time. */
	private static final RedisLockStoreSettings SELDOM = RedisLockStoreSettings.builder()
		.pollInterval(TemplatesUnderTest.SELDOM.pollInterval())
		.commandTimeout(Duration.ofSeconds(5))
		.build();

	private static final List<String> PIECES = List.of("a", "b", "%", "{", "}", "\r", "\n", "\u0000", "\u007f", "0",
			"~", "%~", "%0025", ";", ":", "\\", " ", "\u00e9", "e\u0301", "\ud83d\ude00", "\ud83d", "\ude00", "\ufffd",
			"?", "x".repeat(170), "\u4e2d".repeat(60));

	/** Of a Redis key. */
	private static final int MAX_BYTES = 512;

	private final KeyCodec codec = new KeyCodec("lk:");

	/** What can be decoded has not collided; the others are compared with each other. */
	@Test
	void encodeWhenManyKeysThenNoTwoShareANameAndNoneIsLong() {
		Random random = new Random(49);
		Set<String> digests = new HashSet<>();
		int decoded = 0;
		for (int i = 0; i < KEYS; i++) {
			String key = key(random) + Integer.toString(i, 36);
			String name = this.codec.encode(key);
			String back = this.codec.decode(name);
			if (isBad(name) || ((back != null) ? !back.equals(key) : !digests.add(name))) {
				throw new AssertionError("Key " + i + " has the name " + name);
			}
			decoded += (back != null) ? 1 : 0;
		}
		assertThat(digests).hasSizeGreaterThan(KEYS / 1000).hasSize(KEYS - decoded);
	}

	private static String key(Random random) {
		StringBuilder key = new StringBuilder();
		for (int i = random.nextInt(8); i > 0; i--) {
			key.append(PIECES.get(random.nextInt(PIECES.size())));
		}
		return key.toString();
	}

	private static boolean isBad(String name) {
		byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
		for (byte b : bytes) {
			if (b == '{' || b == '}' || (b >= 0 && b < ' ') || b == 127) {
				return true;
			}
		}
		return bytes.length > MAX_BYTES || !new String(bytes, StandardCharsets.UTF_8).equals(name);
	}

	@Test
	void encodeWhenLongThenReadableBeginningAndDigestOfAll() {
		assertThat(this.codec.encode("x".repeat(509))).isEqualTo("lk:" + "x".repeat(509));
		String name = this.codec.encode("order:" + "x".repeat(600));
		assertThat(name).startsWith("lk:order:xxxxx").matches("lk:order:x{34}%~[0-9a-f]{64}");
		assertThat(this.codec.encode("order:" + "x".repeat(599) + "y")).isNotEqualTo(name)
			.startsWith(name.substring(0, 45));
		assertThat(this.codec.encode("\u0000".repeat(MEGABYTE))).hasSize(3 + 40 * 5 + 2 + 64);
		assertThat(this.codec.encode("\u4e2d".repeat(300))).hasSize(3 + 40 + 2 + 64);
	}

	@Test
	void encodeWhenHalfSurrogatesDifferThenDigestsDo() {
		String tail = "x".repeat(600);
		assertThat(this.codec.encode(tail + "\ud83d")).isNotEqualTo(this.codec.encode(tail + "\ud83e"))
			.isNotEqualTo(this.codec.encode(tail + "\ufffd"))
			.isNotEqualTo(this.codec.encode(tail + "?"));
	}

	@Test
	void encodeWhenAKeyLooksLikeAShortenedNameThenItIsNone() {
		String name = this.codec.encode("x".repeat(600));
		assertThat(this.codec.encode(name.substring(3))).isNotEqualTo(name).contains("%0025~");
	}

	@Test
	void requestWhenKeyIsNullOrBlankThenRefused() {
		for (String key : new String[] { null, "", " ", "\r\n\t" }) {
			assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of(key))
				.withMessageStartingWith("Lock key must not be ");
		}
	}

	/** Waits so long between polls that only a message can be why it ends in time. */
	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void lockWhenKeyIsHostileThenHeldWaitedForPushedSeenAndReleased(Client client) throws Exception {
		RedisConnectionFactory factory = SharedServers.standalone(client);
		try (TemplatesUnderTest templates = new TemplatesUnderTest(factory, SELDOM);
				StoreUnderTest observer = new StoreUnderTest(factory)) {
			CloseableLockTemplate one = templates.addPatient();
			CloseableLockTemplate two = templates.addPatient();
			for (String key : List.of("{a}\r\nDEL lk:x", "\u0000", "%~", "\ud83d\ude00 \ud83d", "k".repeat(510),
					"\ud83d".repeat(MEGABYTE), "1MB" + "x".repeat(MEGABYTE))) {
				passesFromOneToTwo(one, two, observer, key + UUID.randomUUID());
			}
			assertThat(names(factory)).noneMatch(HostileKeyTests::isBad);
		}
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void lockWhenKeyIsHostileThenMessagesAndLogHaveNeitherLineBreaksNorAllOfIt(Client client) throws Exception {
		LogLines log = LogLines.of("io.distlock", Level.DEBUG);
		try (log) {
			Standstill.repeat(() -> failsInEveryWay(client));
		}
		assertThat(log.messages(Level.DEBUG))
			.anySatisfy((line) -> assertThat(line).contains("its release is not confirmed yet"))
			.filteredOn((line) -> line.contains("hostile"))
			.isNotEmpty()
			.allSatisfy(HostileKeyTests::assertTame);
	}

	private static void failsInEveryWay(Client client) {
		try (RedisServer server = RedisServer.start()) {
			RedisConnectionFactory factory = client.connect(server);
			try (TemplatesUnderTest templates = new TemplatesUnderTest(factory, QUICK)) {
				failsInEveryWay(templates, server);
			}
			finally {
				Client.close(factory);
			}
		}
	}

	private static void failsInEveryWay(TemplatesUnderTest templates, RedisServer server) {
		CloseableLockTemplate one = templates.addPatient();
		CloseableLockTemplate two = templates.addPatient();
		CloseableLockTemplate quick = templates.add();
		CloseableLockTemplate other = templates.add();
		LockRequest request = LockRequest.of("hostile\r\n" + "x".repeat(MEGABYTE)).waitAtMost(Duration.ZERO);
		LockHandle lost = one.acquire(request);
		assertTame(LockBusyException.class, () -> two.acquire(request));
		server.command("FLUSHALL");
		assertTame(LockLostException.class, lost::close);
		assertTame(IllegalStateException.class, lost::ensureHeld);
		LockHandle held = quick.acquire(request);
		server.stop();
		assertTame(LockStoreException.class, () -> other.acquire(request));
		held.close();
	}

	private static void assertTame(Class<? extends RuntimeException> type, ThrowingCallable call) {
		assertThatExceptionOfType(type).isThrownBy(call).satisfies((ex) -> assertTame(ex.getMessage()));
	}

	private static void assertTame(String message) {
		assertThat(message).contains("hostile\\r\\nxxx").doesNotContain("\r", "\n").hasSizeLessThan(2000);
	}

	private static void passesFromOneToTwo(CloseableLockTemplate one, CloseableLockTemplate two,
			StoreUnderTest observer, String key) throws Exception {
		LockHandle held = one.acquire(key);
		one.tryAcquire(LockRequest.of(key)).orElseThrow().close();
		FutureTask<Long> waiter = TemplatesUnderTest.waiter(two, key);
		await().until(() -> observer.inspect(key).waiters().size() == 1);
		assertThat(observer.inspect(key).holder().instance()).isEqualTo(one.instance());
		held.close();
		assertThat(TemplatesUnderTest.get(waiter, Duration.ofSeconds(10))).isGreaterThan(held.fencingToken());
		await().until(() -> observer.inspect(key).owner() == null);
	}

	private static List<String> names(RedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getConnection()) {
			return connection.keyCommands()
				.keys("*".getBytes(StandardCharsets.UTF_8))
				.stream()
				.map((name) -> new String(name, StandardCharsets.UTF_8))
				.toList();
		}
	}

}
