package io.distlock.redis;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.stream.IntStream;

import io.distlock.LockStoreException;
import io.distlock.redis.client.ServerProbe;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreCheckResult;
import io.distlock.spi.StoreListener;
import io.distlock.test.Pause;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ReadFrom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class RedisStartupCheckTests {

	private static final RedisLockStoreSettings QUICK = RedisLockStoreSettings.builder()
		.commandTimeout(Duration.ofMillis(100))
		.build();

	private static final RedisLockStoreSettings PATIENT = RedisLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(10))
		.build();

	private static final RedisLockStoreSettings QUARANTINE = RedisLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(10))
		.quarantine(Duration.ofSeconds(30))
		.build();

	private static final RedisLockStoreSettings FAILOVER_DELAY = RedisLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(10))
		.failoverDelay(Duration.ofSeconds(30))
		.build();

	private static final StoreListener NOBODY = new StoreListener() {

		@Override
		public void granted(String key, RequestId request, Grant grant) {
		}

		@Override
		public void contended(String key) {
		}

		@Override
		public void reconnected() {
		}

	};

	private static RedisServer server;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@BeforeEach
	void clear() {
		server.command("FLUSHALL");
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWhenAllIsWellThenPassed(Client client) {
		assertThat(check(client)).isEqualTo(new StoreCheckResult.Passed());
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWhenKeysMayBeEvictedThenProblem(Client client) {
		try (RedisServer evicting = RedisServer.builder()
			.args("--maxmemory", "100mb", "--maxmemory-policy", "volatile-lru")
			.start()) {
			assertThat(problem(check(client.connect(evicting)))).contains("volatile-lru").contains("noeviction");
		}
	}

	/** The application finds the primary among them, and locks do not. */
	@Test
	void runWhenTheServersAreAListThenProblemWithTheFix() {
		RedisStaticMasterReplicaConfiguration list = new RedisStaticMasterReplicaConfiguration(server.host(),
				server.port());
		assertThat(problem(check(started(new LettuceConnectionFactory(list))))).contains("distributed-lock.redis.url");
	}

	/** The application finds the primary through the replica, and locks do not. */
	@Test
	void runWhenTheApplicationReadsFromReplicasAndIsConnectedToOneThenProblemWithTheFix() {
		try (RedisServer replica = RedisServer.start()) {
			replica.command("REPLICAOF", server.host(), String.valueOf(server.port()));
			await().until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
			assertThat(problem(check(readingFromReplicas(replica)))).contains("distributed-lock.redis.url");
			assertThat(check(readingFromReplicas(server))).isEqualTo(new StoreCheckResult.Passed());
		}
	}

	private static RedisConnectionFactory readingFromReplicas(RedisServer configured) {
		return started(new LettuceConnectionFactory(Client.of(configured),
				LettuceClientConfiguration.builder().readFrom(ReadFrom.REPLICA_PREFERRED).build()));
	}

	private static RedisConnectionFactory started(LettuceConnectionFactory factory) {
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	/** As a connection of Redisson lacks some, or has some that only call themselves. */
	@ParameterizedTest
	@MethodSource("faultyMethods")
	void runWhenTheClientLacksAMethodThenTheRestIsChecked(String method, Class<? extends Throwable> failure) {
		try (RedisServer evicting = RedisServer.builder()
			.args("--maxmemory", "100mb", "--maxmemory-policy", "volatile-lru")
			.start()) {
			RedisConnectionFactory real = Client.JEDIS.connect(evicting);
			try {
				RedisConnectionFactory lacking = new LackingConnections(real, method, failure).factory();
				assertThat(problem(new RedisStartupCheck(lacking, QUARANTINE).run())).contains("volatile-lru");
			}
			finally {
				Client.close(real);
			}
		}
	}

	static Stream<Arguments> faultyMethods() {
		return Stream
			.of("hSet", "pExpire", "hGet", "hMGet", "hGetAll", "hLen", "hDel", "exists", "pTtl", "time", "get", "set",
					"publish", "getConfig")
			.flatMap((method) -> Stream.of(Arguments.of(method, UnsupportedOperationException.class),
					Arguments.of(method, StackOverflowError.class)));
	}

	@ParameterizedTest
	@ValueSource(classes = { UnsupportedOperationException.class, StackOverflowError.class })
	void runWhenTheClientCannotReadTheServersSettingsThenPassed(Class<? extends Throwable> failure) {
		RedisConnectionFactory real = Client.JEDIS.connect(server);
		try {
			assertThat(new RedisStartupCheck(new LackingConnections(real, "info", failure).factory(), PATIENT).run())
				.isEqualTo(new StoreCheckResult.Passed());
		}
		finally {
			Client.close(real);
		}
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWhenServerIsAwayThenUnreachable(Client client) {
		RedisServer away = RedisServer.start();
		away.close();
		assertThat(check(client.connect(away))).isInstanceOf(StoreCheckResult.Unreachable.class);
	}

	@Test
	void runWhenServerHangsThenUnreachableInTime() {
		server.pause();
		try {
			long begun = System.nanoTime();
			assertThat(check(Client.LETTUCE.connect(server), QUICK)).isInstanceOf(StoreCheckResult.Unreachable.class);
			assertThat(Duration.ofNanos(System.nanoTime() - begun))
				.isLessThan(QUICK.commandTimeout().multipliedBy(100));
		}
		finally {
			server.resume();
		}
	}

	@Test
	void runWhenServerAnswersLateThenNoConnectionStaysOpen() {
		try (RedisServer late = RedisServer.start()) {
			RedisConnectionFactory factory = Client.LETTUCE.connect(late);
			late.pause();
			assertThat(check(factory, QUICK)).isInstanceOf(StoreCheckResult.Unreachable.class);
			late.resume();
			await().during(Duration.ofSeconds(1))
				.until(() -> late.command("CLIENT", "LIST").lines().filter((line) -> !line.isBlank()).count() == 1);
			Client.close(factory);
		}
	}

	@Test
	void runWhenTheClientIsLettuceThenNoConnectionOfTheApplicationIsOpened() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(server.host(), server.port())) {

			@Override
			public RedisConnection getConnection() {
				throw new AssertionError("a connection of the application");
			}

		};
		factory.afterPropertiesSet();
		factory.start();
		assertThat(check(factory)).isEqualTo(new StoreCheckResult.Passed());
	}

	/** As on a machine that starts much else; all answers together take too long. */
	@Tag("ci")
	@Test
	void runWhenEachAnswerComesInTimeThenPassed() {
		RedisConnectionFactory real = Client.JEDIS.connect(server);
		try {
			RedisConnectionFactory slow = slow(RedisConnectionFactory.class, real);
			RedisLockStoreSettings settings = RedisLockStoreSettings.builder()
				.commandTimeout(Duration.ofSeconds(1))
				.build();
			Duration time = Duration.ofNanos(-System.nanoTime());
			assertThat(new RedisStartupCheck(slow, settings).run()).isEqualTo(new StoreCheckResult.Passed());
			assertThat(time.plusNanos(System.nanoTime())).isGreaterThan(Duration.ofSeconds(5));
		}
		finally {
			Client.close(real);
		}
	}

	private static <T> T slow(Class<T> type, Object real) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				if (method.getName().endsWith("Commands")) {
					Pause.of(Duration.ofMillis(400));
				}
				Object result = method.invoke(real, arguments);
				return (result instanceof RedisConnection) ? slow(RedisConnection.class, result) : result;
			}));
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWhenUserHasListedRightsThenPassed(Client client) {
		assertThat(check(client, MinimalRights.LIST)).isEqualTo(new StoreCheckResult.Passed());
	}

	/** And what was done before it was found missing is gone, or goes by itself. */
	@ParameterizedTest
	@MethodSource("commands")
	void runWhenOneRightIsMissingThenNamedAndNothingIsLeft(Client client, String command) {
		assertThat(problem(check(client, MinimalRights.without(command)))).contains(command);
		for (String key : server.command("KEYS", "*").lines().filter((line) -> !line.isBlank()).toList()) {
			assertThat(key).startsWith("lk:probe:");
			assertThat(Long.parseLong(server.command("PTTL", key))).as("time to live of " + key)
				.isNotEqualTo(-1)
				.isLessThan(300_000);
		}
	}

	static Stream<Arguments> commands() {
		return ofEachClient("evalsha", "eval", "hmget", "hget", "hset", "hdel", "hgetall", "hlen", "exists", "pexpire",
				"pttl", "time", "publish");
	}

	private static Stream<Arguments> ofEachClient(String... commands) {
		return Stream.of(Client.values())
			.flatMap((client) -> Stream.of(commands).map((command) -> Arguments.of(client, command)));
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWhenChannelsAreClosedThenProblem(Client client) {
		assertThat(problems(check(client, MinimalRights.LIST.replace("&lk:ch:* ", "resetchannels ")))).singleElement()
			.asString()
			.startsWith("The Redis user may not access the channels of locks: give it &lk:ch:* (NOPERM ");
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWhenKeysAreClosedThenProblem(Client client) {
		assertThat(problems(check(client, MinimalRights.LIST.replace("~lk:* ", "~other:* ")))).singleElement()
			.asString()
			.startsWith("The Redis user may not access the keys of locks: give it ~lk:* (NOPERM ");
		assertThat(server.command("DBSIZE")).isEqualTo("0");
	}

	@Test
	void runWhenKeysWithAnotherPrefixAreClosedThenItsPatternIsNamed() {
		assertThat(problems(check(Client.LETTUCE, MinimalRights.LIST + " +@all",
				RedisLockStoreSettings.builder().keyPrefix("shop*").build())))
			.satisfiesExactly((keys) -> assertThat(keys).contains("give it ~shop\\** ("),
					(channels) -> assertThat(channels).contains("give it &shop\\*ch:* ("));
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWithQuarantineWhenUserHasListedRightsThenPassed(Client client) {
		assertThat(check(client, MinimalRights.QUARANTINE, QUARANTINE)).isEqualTo(new StoreCheckResult.Passed());
	}

	@ParameterizedTest
	@MethodSource("markerCommands")
	void runWithQuarantineWhenMarkerMayNotBeUsedThenNamed(Client client, String command) {
		String rights = MinimalRights.without(MinimalRights.QUARANTINE, command);
		assertThat(problem(check(client, rights, QUARANTINE))).contains("+" + command);
		assertThat(check(client, rights)).isEqualTo(new StoreCheckResult.Passed());
	}

	static Stream<Arguments> markerCommands() {
		return ofEachClient("get", "set");
	}

	@Test
	void runWithQuarantineWhenMarkerIsMissingThenQuarantineBegins() {
		long before = Long.parseLong(server.command("TIME").lines().findFirst().orElseThrow()) * 1000;
		assertThat(check(Client.LETTUCE.connect(server), QUARANTINE)).isEqualTo(new StoreCheckResult.Passed());
		assertThat(Long.parseLong(server.command("GET", "lk:%boot"))).isGreaterThanOrEqualTo(before + 30_000);
		assertThat(server.command("PTTL", "lk:%boot")).isEqualTo("-1");
	}

	@Test
	void runWithQuarantineWhenMarkerIsThereThenLeftAlone() {
		server.command("SET", "lk:%boot", "0");
		assertThat(check(Client.LETTUCE.connect(server), QUARANTINE)).isEqualTo(new StoreCheckResult.Passed());
		assertThat(server.command("GET", "lk:%boot")).isEqualTo("0");
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWithQuarantineWhenClusterThenProblem(Client client) {
		RedisConnectionFactory factory = SharedServers.cluster(client);
		assertThat(problem(new RedisStartupCheck(factory, QUARANTINE).run())).contains("Cluster cannot")
			.contains("slot");
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> new RedisLockStore(factory, QUARANTINE).start("id", NOBODY))
			.withMessageContaining("Cluster cannot");
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWithFailoverDelayWhenClusterThenPassed(Client client) {
		assertThat(new RedisStartupCheck(SharedServers.cluster(client), FAILOVER_DELAY).run())
			.isEqualTo(new StoreCheckResult.Passed());
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWithFailoverDelayWhenUserHasListedRightsThenPassedAndNoDelayBegins(Client client) {
		assertThat(check(client, MinimalRights.QUARANTINE + " +info", FAILOVER_DELAY))
			.isEqualTo(new StoreCheckResult.Passed());
		assertThat(server.command("EXISTS", "lk:%master")).isEqualTo("0");
	}

	@ParameterizedTest
	@MethodSource("failoverCommands")
	void runWithFailoverDelayWhenCommandMayNotBeUsedThenNamed(Client client, String command) {
		String rights = MinimalRights.without(MinimalRights.QUARANTINE + " +info", command);
		assertThat(problem(check(client, rights, FAILOVER_DELAY))).contains("+" + command);
	}

	static Stream<Arguments> failoverCommands() {
		return ofEachClient("get", "set", "info");
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWhenThePasswordIsWrongThenTheLoginIsNamed(Client client) {
		server.command("ACL", "SETUSER", "shop", "on", ">right", "~*", "&*", "+@all");
		RedisStandaloneConfiguration wrong = Client.of(server);
		wrong.setUsername("shop");
		wrong.setPassword("wrong");
		assertThat(check(client.connect(wrong))).isInstanceOfSatisfying(StoreCheckResult.Refused.class,
				(refused) -> assertThat(refused.problems()).singleElement()
					.asString()
					.contains("refused the login")
					.contains("spring.data.redis.password")
					.contains("spring.data.redis.sentinel.password")
					.contains("WRONGPASS"));
	}

	/** As Lettuce does now and then when the server refuses a login. */
	@Test
	void runWhenTheConnectionEndsBeforeTheAnswerThenAskedAgain() {
		AtomicInteger connections = new AtomicInteger();
		RedisConnectionFactory real = Client.LETTUCE.connect(server);
		RedisConnectionFactory factory = (RedisConnectionFactory) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { RedisConnectionFactory.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("getConnection") && connections.incrementAndGet() < 3) {
						throw new RedisConnectionFailureException("Connection closed prematurely");
					}
					return method.invoke(real, arguments);
				});
		try {
			assertThat(new RedisStartupCheck(factory, PATIENT).run()).isEqualTo(new StoreCheckResult.Passed());
			assertThat(connections).hasValueGreaterThanOrEqualTo(3);
		}
		finally {
			Client.close(real);
		}
	}

	/** A proxy that answers like this has agreed to nothing. */
	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWhenRepliesWithoutAListAreChangedThenProblem(Client client) {
		RedisConnectionFactory real = client.connect(server);
		try {
			RedisConnectionFactory changed = changed(RedisConnectionFactory.class, real);
			// One release in 64 tidies up and answers with a list.
			assertThat(IntStream.range(0, 6).mapToObj((time) -> problem(new RedisStartupCheck(changed, PATIENT).run())))
				.allMatch((problem) -> problem.contains("ACQUIRE answered [OK] instead of 1"))
				.anyMatch((problem) -> problem.contains("FINISH answered [OK] instead of 1"));
		}
		finally {
			Client.close(real);
		}
	}

	private static <T> T changed(Class<T> type, Object real) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> changed(method, method.invoke(real, arguments))));
	}

	private static Object changed(Method method, Object result) {
		byte[] ok = "OK".getBytes(StandardCharsets.UTF_8);
		return switch (method.getName()) {
			case "getConnection" -> changed(RedisConnection.class, result);
			case "scriptingCommands" -> changed(RedisScriptingCommands.class, result);
			case "eval", "evalSha" ->
				(!(result instanceof List<?> list)) ? ok : (list.size() == 1) ? List.of(ok) : result;
			default -> result;
		};
	}

	@Test
	void tooOldFollowsVersion() {
		assertThat(Stream.of("5.0.14", "6.0.20", "6.2.0", "7.0.15", "8.0.1", "unknown", "20261123061100.1")
			.filter(ServerProbe::tooOld)).containsExactly("5.0.14", "6.0.20");
	}

	private static String problem(StoreCheckResult result) {
		return String.join("\n", problems(result));
	}

	private static List<String> problems(StoreCheckResult result) {
		assertThat(result).isInstanceOf(StoreCheckResult.Problems.class);
		return ((StoreCheckResult.Problems) result).problems();
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWhenWhatAnswersIsNoRedisThenSaysSo(Client client) throws Exception {
		try (WebServer web = WebServer.start()) {
			// A busy client may see the end of the connection before the answer.
			await().untilAsserted(() -> assertThat(unreachable(check(client.connect(web.address()))))
				.startsWith("What answers at this address is not Redis: check host and port: "));
		}
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWithTlsWhenWhatAnswersHasNoneThenSaysSo(Client client) throws Exception {
		try (WebServer web = WebServer.start()) {
			assertThat(unreachable(check(client.connectSecured(web.address()))))
				.startsWith("The server does not speak TLS at this address: ");
		}
	}

	/** Redis waits for the end of a line. */
	@Tag("ci")
	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWithTlsWhenServerHasNoneAndIsSilentThenHint(Client client) {
		RedisStandaloneConfiguration address = Client.of(server);
		assertThat(unreachable(check(client.connectSecured(address), QUICK)))
			.contains(". If it does not speak TLS at this address, check the port");
	}

	/** As a server with TLS does, and a PostgreSQL. */
	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void runWhenServerEndsTheConnectionThenHint(Client client) throws Exception {
		try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			TestThreads.runInThread(() -> endConnections(socket));
			RedisStandaloneConfiguration address = new RedisStandaloneConfiguration(
					socket.getInetAddress().getHostAddress(), socket.getLocalPort());
			assertThat(unreachable(check(client.connect(address))))
				.endsWith(". If the server expects TLS at this address, write rediss:// or set "
						+ "spring.data.redis.ssl.enabled=true. If it is not Redis, check host and port");
		}
	}

	private static void endConnections(ServerSocket socket) {
		while (!socket.isClosed()) {
			try (Socket client = socket.accept()) {
				client.getInputStream().read();
			}
			catch (IOException ex) {
				// The client or the test has ended.
			}
		}
	}

	private static String unreachable(StoreCheckResult result) {
		assertThat(result).isInstanceOf(StoreCheckResult.Unreachable.class);
		return ((StoreCheckResult.Unreachable) result).message();
	}

	/** Answers everything with a page. */
	private record WebServer(ServerSocket socket) implements AutoCloseable {

		static WebServer start() throws IOException {
			WebServer server = new WebServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
			TestThreads.runInThread(server::answer);
			return server;
		}

		private void answer() {
			while (!this.socket.isClosed()) {
				try (Socket client = this.socket.accept()) {
					client.getInputStream().read();
					client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8));
					client.shutdownOutput();
					client.getInputStream().readAllBytes();
				}
				catch (IOException ex) {
					// The client or the test has ended.
				}
			}
		}

		RedisStandaloneConfiguration address() {
			return new RedisStandaloneConfiguration(this.socket.getInetAddress().getHostAddress(),
					this.socket.getLocalPort());
		}

		@Override
		public void close() throws IOException {
			this.socket.close();
		}

	}

	/** A test of an application has a double of the factory, to need no server. */
	static Stream<RedisConnectionFactory> doubles() {
		return Stream.of(
				(RedisConnectionFactory) Proxy.newProxyInstance(RedisStartupCheckTests.class.getClassLoader(),
						new Class<?>[] { RedisConnectionFactory.class }, (proxy, method, arguments) -> null),
				new LettuceConnectionFactory() {

					@Override
					public AbstractRedisClient getRequiredNativeClient() {
						return null;
					}

				});
	}

	@ParameterizedTest
	@MethodSource("doubles")
	void runWhenFactoryIsADoubleThenSaysWhatToDoInATest(RedisConnectionFactory factory) {
		String advice = factory.getClass().getName()
				+ " returned null instead of a connection, as a mock does. In a test use @AutoConfigureDistributedLocks";
		assertThat(unreachable(new RedisStartupCheck(factory, PATIENT).run())).contains(advice);
		RedisLockStore store = new RedisLockStore(factory, PATIENT);
		store.start("id", NOBODY);
		try {
			assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(() -> store.inspect("stock").toCompletableFuture().join())
				.withCauseInstanceOf(LockStoreException.class)
				.withMessageContaining(advice);
		}
		finally {
			store.stop();
		}
	}

	/** A connection without timeouts may keep its thread for ever. */
	@Tag("ci")
	@Test
	void runWhenAnswerIsMissingThenNoThreadIsLeft() {
		RedisConnectionFactory factory = (RedisConnectionFactory) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { RedisConnectionFactory.class }, (proxy, method, arguments) -> {
					new CountDownLatch(1).await();
					return null;
				});
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		assertThat(new RedisStartupCheck(factory, QUICK).run()).isInstanceOf(StoreCheckResult.Unreachable.class);
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
			.filteredOn((thread) -> thread.getName().startsWith("distributed-lock") && !before.contains(thread))
			.isEmpty());
	}

	private StoreCheckResult check(Client client) {
		return check(client.connect(server));
	}

	private StoreCheckResult check(Client client, String rights) {
		return check(client, rights, PATIENT);
	}

	private StoreCheckResult check(Client client, String rights, RedisLockStoreSettings settings) {
		return check(MinimalRights.connect(client, server, rights), settings);
	}

	private static StoreCheckResult check(RedisConnectionFactory factory) {
		return check(factory, PATIENT);
	}

	private static StoreCheckResult check(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
		try {
			return new RedisStartupCheck(factory, settings).run();
		}
		finally {
			Client.close(factory);
		}
	}

}
