package io.distlock.autoconfigure.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.FailedStart;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.redis.RedisLockStore;
import io.distlock.redlock.RedlockSettings;
import io.distlock.redlock.RedlockStore;
import io.distlock.spi.LockStore;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

@ExtendWith(OutputCaptureExtension.class)
class RedlockAutoConfigurationTests {

	private static final String PATIENCE = "distributed-lock.command-timeout=10s";

	private static final String REDLOCK = "distributed-lock.store=redlock";

	private static final String LIST = "List an odd number of masters that share nothing, at least 3, for instance "
			+ "distributed-lock.redlock.nodes=redis://redis-1:6379,redis://redis-2:6379,redis://redis-3:6379.";

	private static final String ACCEPT = "Change the nodes as described above, or accept the risk with "
			+ "distributed-lock.redis.startup-check=warn.";

	private static final List<RedisServer> SERVERS = Stream.generate(RedisServer::start).limit(3).toList();

	private static final RedisServer SECURED = RedisServer.builder().args("--requirepass", "s3cret@/word").start();

	private final AtomicReference<RedlockSettings> settings = new AtomicReference<>();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withBean("settings", RedlockStoreBuilderCustomizer.class,
				() -> (id, builder) -> this.settings.set(builder.build()))
		.withPropertyValues(REDLOCK, PATIENCE, nodes());

	@BeforeAll
	static void endQuarantine() {
		SERVERS.forEach((server) -> server.command("SET", "lk:%boot", "0"));
	}

	@AfterAll
	static void stop() {
		SERVERS.forEach(RedisServer::close);
		SECURED.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void locksAreKeptOnTheNodesWithoutAConnectionFactoryOfTheApplication(String client) {
		this.runner.withPropertyValues("spring.data.redis.client-type=" + client).run((context) -> {
			assertThat(context).hasSingleBean(RedlockStore.class)
				.hasSingleBean(LockStore.class)
				.doesNotHaveBean(RedisLockStore.class)
				.doesNotHaveBean(RedisConnectionFactory.class);
			String key = "kept-" + client;
			try (LockHandle lock = context.getBean(LockTemplate.class).acquire(key)) {
				assertThat(lock.isHeld()).isTrue();
				assertThat(
						SERVERS.stream().filter((server) -> server.command("EXISTS", "lk:" + key).equals("1")).count())
					.isGreaterThanOrEqualTo(2);
			}
		});
	}

	@Test
	void applicationsConnectionFactoryHasNoPartInIt() {
		this.runner.withConfiguration(LockApplications.redis())
			.withPropertyValues("spring.data.redis.port=1")
			.run((context) -> {
				assertThat(context).hasSingleBean(RedisConnectionFactory.class).hasSingleBean(RedlockStore.class);
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
					assertThat(lock.isHeld()).isTrue();
				}
			});
	}

	@Test
	void settingsFollowTheLockUnlessSet() {
		this.runner.withPropertyValues("distributed-lock.lease-time=12s", "distributed-lock.command-timeout=3s")
			.run((context) -> assertThat(this.settings.get()).isEqualTo(RedlockSettings.builder()
				.commandTimeout(Duration.ofSeconds(3))
				.nodeTimeout(Duration.ofMillis(750))
				.quarantine(Duration.ofSeconds(12))
				.build()));
		this.runner
			.withPropertyValues("distributed-lock.redis.key-prefix=shop:", "distributed-lock.redlock.quarantine=1m")
			.withBean(RedlockStoreBuilderCustomizer.class,
					() -> (id, builder) -> this.settings
						.set(builder.nodeTimeout(Duration.ofSeconds(1)).retryInterval(Duration.ofMillis(50)).build()))
			.run((context) -> assertThat(this.settings.get()).isEqualTo(RedlockSettings.builder()
				.keyPrefix("shop:")
				.commandTimeout(Duration.ofSeconds(10))
				.nodeTimeout(Duration.ofSeconds(1))
				.quarantine(Duration.ofMinutes(1))
				.retryInterval(Duration.ofMillis(50))
				.build()));
	}

	@Test
	void startsWhileAMinorityIsAwayAndWarns(CapturedOutput output) {
		this.runner.withPropertyValues(nodes(address(0), "127.0.0.1:1", address(2))).run((context) -> {
			try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
				assertThat(lock.isHeld()).isTrue();
			}
		});
		assertThat(output).contains("Redlock: Node 127.0.0.1:1: The server accepts no connections");
	}

	@Test
	void nodeThatIsNewIsWarnedOf(CapturedOutput output) {
		this.runner.withPropertyValues("distributed-lock.redis.key-prefix=new:")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("Redlock: Node " + address(0) + ": It is in quarantine until ");
	}

	@Test
	void passwordIsUsedAndNeverLogged(CapturedOutput output) {
		this.runner.withPropertyValues(nodes(address(0), "redis://:s3cret%40%2Fword@" + at(SECURED), address(2)))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
					assertThat(lock.isHeld()).isTrue();
				}
			});
		assertThat(output).contains("Node " + at(SECURED) + ": It is in quarantine").doesNotContain("s3cret");
		FailedStart failure = start(output, nodes(address(0), "redis://user:s3cret word@h:1", address(2)));
		assertThat(failure.description())
			.startsWith("The property distributed-lock.redlock.nodes[1] is not of the form");
		assertThat(output).doesNotContain("s3cret");
	}

	@ParameterizedTest
	@MethodSource
	void wrongValueSaysWhatToChange(String property, String description, String action, CapturedOutput output) {
		// The same option twice would be a list of both.
		String[] properties = property.startsWith("distributed-lock.redlock.nodes=") ? new String[] { property }
				: new String[] { nodes(), property };
		assertThat(start(output, properties)).isEqualTo(new FailedStart(description, action));
	}

	static Stream<Arguments> wrongValueSaysWhatToChange() {
		String form = "Write host:port or redis://user:password@host:port/database, with rediss:// for TLS.";
		return Stream.of(
				arguments("distributed-lock.redlock.nodes=",
						"distributed-lock.store is redlock, but distributed-lock.redlock.nodes is empty.", LIST),
				arguments(nodes("a:1", "b:1"),
						"The property distributed-lock.redlock.nodes has 2 nodes but must have an "
								+ "odd number of at least 3.",
						LIST),
				arguments(nodes("a:1", "b:1", "redis://A:1/3"),
						"The property distributed-lock.redlock.nodes has the server a:1 twice, whose loss would count "
								+ "twice.",
						"List each master once; another database of the same server is no other master."),
				arguments(nodes("a:1", "http://b:1", "c:1"),
						"The property distributed-lock.redlock.nodes[1] does not "
								+ "begin with redis:// or rediss://.",
						form),
				arguments(nodes("a:1", "b:1", "c:1/x"),
						"The property distributed-lock.redlock.nodes[2] has a database that is not a number.", form),
				arguments("distributed-lock.redlock.quarantine=20s",
						"The property distributed-lock.redlock.quarantine is 20s but must be at least the longest "
								+ "lease, and distributed-lock.lease-time is 30s.",
						"Raise it to 30s or more, or shorten the lease."));
	}

	@Test
	void wrongValueOfACustomizerSaysWhatToChange() {
		this.runner
			.withBean(RedlockStoreBuilderCustomizer.class,
					() -> (id, builder) -> builder.nodeTimeout(Duration.ofSeconds(4)))
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(
						"The settings of distributed-lock.redlock.* and distributed-lock.redis.* cannot "
								+ "work: Node timeout must be between 1ms and a third of the command timeout of 10s, was 4s. "
								+ "Correct the property, or the RedlockStoreBuilderCustomizer bean if one sets the value."));
	}

	/** Locks on one server would be taken for locks on a quorum. */
	@Test
	void nodesBesideARedisOfTheApplicationNeedAChoice(CapturedOutput output) {
		assertThat(FailedStart.of(output, LockApplications.redis(), Application.class,
				"distributed-lock.redlock.nodes=a:1,b:1,c:1"))
			.isEqualTo(new FailedStart(
					"redis and redlock could keep locks, and locks in different stores do not exclude each other.",
					"Set distributed-lock.store=redis or distributed-lock.store=redlock, the same in all applications that "
							+ "share locks; or remove the modules that are not to keep them."));
	}

	@Test
	void oneServerUnderTwoNamesIsRefused(CapturedOutput output) {
		String other = "localhost:" + SERVERS.get(0).port();
		FailedStart failure = start(output, nodes(address(0), address(1), other));
		assertThat(failure.description()).contains("Nodes " + address(0) + " and " + other
				+ " are one and the same server, whose loss would count twice: list each master once");
		assertThat(failure.action()).isEqualTo(ACCEPT);
	}

	@Test
	void nodeThatMayComeBackWithOldDataIsRefused(CapturedOutput output) {
		try (RedisServer snapshots = RedisServer.builder().args("--save", "60 1").start();
				RedisServer lazy = RedisServer.builder().args("--appendonly", "yes").start();
				RedisServer safe = RedisServer.builder()
					.args("--appendonly", "yes", "--appendfsync", "always")
					.start()) {
			assertThat(start(output, nodes(at(snapshots), at(lazy), at(safe))).description())
				.contains("Node " + at(snapshots) + ": It may come back after a crash with old data")
				.contains("Node " + at(lazy) + ": It may come back after a crash with old data")
				.doesNotContain("Node " + at(safe));
		}
	}

	@Test
	void nodesThatEvictAreWarnedOfWhenAsked(CapturedOutput output) {
		try (RedisServer evicting = RedisServer.builder()
			.args("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
			.start()) {
			this.runner
				.withPropertyValues(nodes(address(0), address(1), at(evicting)),
						"distributed-lock.redis.startup-check=warn")
				.run((context) -> assertThat(context).hasNotFailed());
			assertThat(output).contains("The Redlock nodes cannot keep locks reliably:")
				.contains("Node " + at(evicting) + ": Redis evicts keys when memory is full");
		}
	}

	private static FailedStart start(CapturedOutput output, String... properties) {
		return FailedStart.of(output, true, Application.class,
				Stream.concat(Stream.of(REDLOCK, PATIENCE), Stream.of(properties)).toArray(String[]::new));
	}

	private static String nodes(String... addresses) {
		return "distributed-lock.redlock.nodes=" + String.join(",",
				(addresses.length > 0) ? addresses : new String[] { address(0), address(1), address(2) });
	}

	private static String address(int index) {
		return at(SERVERS.get(index));
	}

	private static String at(RedisServer server) {
		return server.host() + ":" + server.port();
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

}
