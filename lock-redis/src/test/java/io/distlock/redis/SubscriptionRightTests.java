package io.distlock.redis;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.FutureTask;

import ch.qos.logback.classic.Level;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.output.LogLines;
import io.distlock.test.redis.RedisCluster;
import io.distlock.test.Pause;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A user who may not subscribe: locks work by polling. */
@Isolated // counts lines
@Tag("ci")
class SubscriptionRightTests {

	private static final String USER = "silent";

	private static final String PASSWORD = "secret";

	private final LogLines log = LogLines.of("io.distlock.redis");

	@AfterEach
	void listenNoMore() {
		this.log.close();
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void acquireWhenServerForbidsSubscribingThenPollsAndSaysSoOnce(Client client) throws Exception {
		RedisServer server = SharedServers.standalone();
		createUser(server);
		RedisStandaloneConfiguration configuration = Client.of(server);
		configuration.setUsername(USER);
		configuration.setPassword(PASSWORD);
		pollsAndSaysSoOnce(client.connect(configuration));
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void acquireWhenClusterForbidsSubscribingThenPollsAndSaysSoOnce(Client client) throws Exception {
		RedisCluster cluster = SharedServers.cluster();
		cluster.nodes().forEach(SubscriptionRightTests::createUser);
		RedisClusterConfiguration configuration = Client.nodes(cluster);
		configuration.setUsername(USER);
		configuration.setPassword(PASSWORD);
		pollsAndSaysSoOnce(client.connect(configuration));
	}

	private void pollsAndSaysSoOnce(RedisConnectionFactory factory) throws Exception {
		String key = "silent:" + UUID.randomUUID();
		try (TemplatesUnderTest templates = new TemplatesUnderTest(factory, RedisLockStoreSettings.DEFAULTS)) {
			CloseableLockTemplate one = templates.addPatient();
			await().until(() -> warnings().size() == 1);
			LockHandle held = one.acquire(LockRequest.of(key));
			CloseableLockTemplate two = templates.addPatient();
			FutureTask<Long> waiter = TemplatesUnderTest.waiter(two, key);
			// Longer than any of the clients waits before it would try again.
			Pause.of(Duration.ofMillis(1500));
			assertThat(waiter).isNotDone();
			held.close();
			assertThat(TemplatesUnderTest.get(waiter, TemplatesUnderTest.LONG)).isGreaterThan(held.fencingToken());
			assertThat(this.log.events().stream().filter((event) -> event.getLevel() == Level.WARN))
				.as("no stack trace")
				.allSatisfy((event) -> assertThat(event.getThrowableProxy()).isNull());
			assertThat(warnings()).hasSize(2)
				.allSatisfy((message) -> assertThat(message).startsWith("Not allowed to subscribe to lk:ch:"))
				.doesNotHaveDuplicates();
		}
		finally {
			Client.close(factory);
		}
	}

	private List<String> warnings() {
		return this.log.messages(Level.WARN);
	}

	private static void createUser(RedisServer server) {
		server.command("ACL", "SETUSER", USER, "reset", "on", ">" + PASSWORD, "~*", "&*", "+@all", "-subscribe");
	}

}
