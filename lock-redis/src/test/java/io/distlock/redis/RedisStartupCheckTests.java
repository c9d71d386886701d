package io.distlock.redis;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;

import io.distlock.LockStoreException;
import io.distlock.redis.RedisStartupCheck.Result;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class RedisStartupCheckTests {

	private static final String RIGHTS = "~lk:* &lk:ch:* +hello +auth +ping +client|setname +evalsha +eval +hmget +hget +hset "
			+ "+hdel +hgetall +hlen +exists +pexpire +pttl +time +publish +subscribe +unsubscribe";

	private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(100);

	private static final RedisLockStoreSettings QUARANTINE = RedisLockStoreSettings.DEFAULTS
		.withQuarantine(Duration.ofSeconds(30));

	private static final RedisLockStoreSettings REPLICATED = RedisLockStoreSettings.DEFAULTS.withReplicas(1);

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

	private final RedisServer server = RedisServer.start();

	@AfterEach
	void stop() {
		this.server.close();
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void runWhenAllIsWellThenPassed(Client client) {
		assertThat(check(client)).isEqualTo(new Result.Passed());
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void runWhenKeysMayBeEvictedThenProblem(Client client) throws IOException {
		redis("CONFIG SET maxmemory 100mb", "CONFIG SET maxmemory-policy volatile-lru");
		assertThat(problem(check(client))).contains("volatile-lru").contains("noeviction");
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void runWhenServerIsAwayThenUnreachable(Client client) {
		this.server.stop();
		assertThat(check(client)).isInstanceOf(Result.Unreachable.class);
	}

	@Test
	void runWhenServerHangsThenUnreachableInTime() {
		RedisConnectionFactory factory = Client.LETTUCE.connect(this.server);
		this.server.pause();
		long begun = System.nanoTime();
		assertThat(new RedisStartupCheck(factory, RedisLockStoreSettings.DEFAULTS.withCommandTimeout(COMMAND_TIMEOUT))
			.run()).isInstanceOf(Result.Unreachable.class);
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(COMMAND_TIMEOUT.multipliedBy(20));
		this.server.resume();
		Client.close(factory);
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void runWhenUserHasListedRightsThenPassed(Client client) throws IOException {
		user(RIGHTS);
		assertThat(checkAsUser(client)).isEqualTo(new Result.Passed());
	}

	@ParameterizedTest
	@MethodSource("commands")
	void runWhenOneRightIsMissingThenNamed(String command) throws IOException {
		user(RIGHTS.replace("+" + command + " ", ""));
		assertThat(problem(checkAsUser(Client.LETTUCE))).contains(command);
	}

	static Stream<String> commands() {
		return Stream.of("evalsha", "eval", "hmget", "hget", "hset", "hdel", "hgetall", "hlen", "exists", "pexpire",
				"pttl", "time", "publish");
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void runWithQuarantineWhenMarkerMayNotBeUsedThenNamed(Client client) throws IOException {
		user(RIGHTS);
		assertThat(problem(checkAsUser(client, QUARANTINE))).contains("+get").contains("+set");
		user(RIGHTS + " +get +set");
		assertThat(checkAsUser(client, QUARANTINE)).isEqualTo(new Result.Passed());
	}

	@Test
	void runWithQuarantineWhenMarkerIsMissingThenQuarantineBegins() {
		long before = Long.parseLong(this.server.command("TIME").lines().findFirst().orElseThrow()) * 1000;
		assertThat(check(Client.LETTUCE.connect(this.server), QUARANTINE)).isEqualTo(new Result.Passed());
		assertThat(Long.parseLong(this.server.command("GET", "lk:%boot"))).isGreaterThanOrEqualTo(before + 30_000);
		assertThat(this.server.command("PTTL", "lk:%boot")).isEqualTo("-1");
	}

	@Test
	void runWithQuarantineWhenMarkerIsThereThenLeftAlone() {
		this.server.command("SET", "lk:%boot", "0");
		assertThat(check(Client.LETTUCE.connect(this.server), QUARANTINE)).isEqualTo(new Result.Passed());
		assertThat(this.server.command("GET", "lk:%boot")).isEqualTo("0");
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void runWithQuarantineWhenClusterThenProblem(Client client) {
		RedisConnectionFactory factory = SharedServers.cluster(client);
		assertThat(problem(new RedisStartupCheck(factory, QUARANTINE).run())).contains("Cluster cannot")
			.contains("slot");
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> new RedisLockStore(factory, QUARANTINE).start("id", NOBODY))
			.withMessageContaining("Cluster cannot");
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void runWithReplicasWhenNoneIsConnectedThenProblemUntilOneIs(Client client) {
		assertThat(problem(check(client.connect(this.server), REPLICATED))).contains("Only 0 of the 1 replicas");
		this.server.command("CONFIG", "SET", "repl-diskless-sync-delay", "0");
		try (RedisServer replica = RedisServer.builder()
			.args("--replicaof", this.server.host() + " " + this.server.port())
			.start()) {
			RedisConnectionFactory factory = client.connect(this.server);
			// Online for the master, a replica may still be loading.
			await().until(() -> check(factory, REPLICATED).equals(new Result.Passed()));
		}
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void runWithReplicasWhenUserMayNotWaitThenNamed(Client client) throws IOException {
		user(RIGHTS);
		assertThat(problem(checkAsUser(client, REPLICATED))).contains("+wait");
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void runWithReplicasWhenClusterThenProblem(Client client) {
		RedisConnectionFactory factory = SharedServers.cluster(client);
		assertThat(problem(new RedisStartupCheck(factory, REPLICATED).run())).contains("Cluster cannot wait");
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> new RedisLockStore(factory, REPLICATED).start("id", NOBODY))
			.withMessageContaining("Cluster cannot");
	}

	@Test
	void runWhenChannelsAreClosedThenProblem() throws IOException {
		user(RIGHTS.replace("&lk:ch:* ", ""));
		assertThat(problem(checkAsUser(Client.LETTUCE))).contains("publish");
	}

	@Test
	void tooOldFollowsVersion() {
		assertThat(Stream.of("5.0.14", "6.0.20", "6.2.0", "7.0.15", "8.0.1", "unknown").filter(ServerProbe::tooOld))
			.containsExactly("5.0.14", "6.0.20");
	}

	private static String problem(Result result) {
		assertThat(result).isInstanceOf(Result.Problems.class);
		return String.join("\n", ((Result.Problems) result).problems());
	}

	private Result check(Client client) {
		return check(client.connect(this.server));
	}

	private Result checkAsUser(Client client) {
		return checkAsUser(client, RedisLockStoreSettings.DEFAULTS);
	}

	private Result checkAsUser(Client client, RedisLockStoreSettings settings) {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(this.server.host(),
				this.server.port());
		configuration.setUsername("app");
		configuration.setPassword("secret");
		return check(client.connect(configuration), settings);
	}

	private static Result check(RedisConnectionFactory factory) {
		return check(factory, RedisLockStoreSettings.DEFAULTS);
	}

	private static Result check(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
		try {
			return new RedisStartupCheck(factory, settings).run();
		}
		finally {
			Client.close(factory);
		}
	}

	private void user(String rights) throws IOException {
		redis("ACL SETUSER app reset on >secret " + rights);
	}

	private void redis(String... commands) throws IOException {
		try (Socket socket = new Socket(this.server.host(), this.server.port())) {
			for (String command : commands) {
				socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
				assertThat(socket.getInputStream().readNBytes(5)).isEqualTo("+OK\r\n".getBytes(StandardCharsets.UTF_8));
			}
		}
	}

}
