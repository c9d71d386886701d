package io.distlock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.TestThreads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The locks' own connections of Jedis, in a pool of Jedis: a connection is not used any
 * more when something may still be under way on it.
 */
@Tag("ci")
class DedicatedJedisFaultTests extends AbstractCallerFaultTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private JedisConnections connections;

	DedicatedJedisFaultTests() {
		super(Duration.ofSeconds(20));
	}

	@BeforeEach
	void start() {
		this.connections = JedisConnections.like(
				new LettuceConnectionFactory(new RedisStandaloneConfiguration(this.server.host(), this.server.port())),
				TIMEOUT, null);
		this.templates = new TemplatesUnderTest(this.connections.factory(),
				RedisLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(10)).build());
		this.template = this.templates.addPatient();
	}

	/** Or waits for a new connection, if another command has the one there is. */
	@Override
	boolean isInClient(Thread thread) {
		return Stream.of(thread.getStackTrace())
			.anyMatch((frame) -> List.of("executeCommand", "makeObject").contains(frame.getMethodName()));
	}

	@Override
	void closeConnections() {
		this.connections.close();
	}

	@Test
	void commandsUseTheSameConnectionWithTheLoginOfTheFactory() {
		this.server.command("ACL", "SETUSER", "locks", "on", ">secret", "~*", "&*", "+@all");
		RedisStandaloneConfiguration redis = new RedisStandaloneConfiguration(this.server.host(), this.server.port());
		redis.setUsername("locks");
		redis.setPassword("secret");
		redis.setDatabase(3);
		JedisConnections secured = JedisConnections.like(
				new LettuceConnectionFactory(redis, LettuceClientConfiguration.builder().clientName("shop").build()),
				Duration.ofSeconds(1), null);
		try (secured;
				CloseableLockTemplate own = LockTemplateBuilder.forStore(new RedisLockStore(secured.factory()))
					.build()) {
			for (int i = 0; i < 20; i++) {
				own.acquire("stock:1").close();
			}
			assertThat(this.server.command("CLIENT", "LIST", "TYPE", "normal").lines())
				.filteredOn((client) -> client.contains(" name=shop "))
				.filteredOn((client) -> client.contains(" cmd=eval"))
				.as("40 commands; one may be sent before the connection of the one before is given back")
				.hasSizeBetween(1, 4)
				.allSatisfy((client) -> assertThat(client).contains(" user=locks ", " db=3 "));
		}
	}

	/** The answer comes while the connection belongs to nobody. */
	@Test
	void acquireWhenTheAnswerComesTooLateThenItIsNotTakenForThatOfTheNextCommand() throws Exception {
		this.server.pause();
		failing("stock:late");
		this.server.resume();
		TemplatesUnderTest.awaitWorking(this.template, "stock:late");
		try (LockHandle lock = this.template.acquire("stock:late")) {
			assertThat(lock.key()).isEqualTo("stock:late");
			assertThat(TestThreads.isBusy(this.templates.add(), "stock:late")).isTrue();
		}
	}

	@Test
	void acquireWhenMoreCallersThanConnectionsHangThenAllFailInTimeAndItWorksAgain() throws Exception {
		this.server.pause();
		CountDownLatch start = new CountDownLatch(1);
		List<FutureTask<Duration>> callers = new ArrayList<>();
		for (int i = 0; i < 80; i++) {
			String key = "stock:" + i;
			callers.add(TestThreads.inThread(() -> {
				start.await();
				return failing(key);
			}));
		}
		start.countDown();
		for (FutureTask<Duration> caller : callers) {
			assertThat(TestThreads.get(caller)).isLessThan(this.bound);
		}
		this.server.resume();
		TemplatesUnderTest.awaitWorking(this.template, "stock:1");
	}

	/** Behind the name of the server another one is the master by then. */
	@Test
	void callsWhenTheServerIsNoMasterAnyMoreThenTheyDoNotStayWithIt() throws Exception {
		List<String> before = await().until(this::ids, (ids) -> !ids.isEmpty());
		this.server.command("REPLICAOF", "127.0.0.1", "1");
		failing("stock:1");
		this.server.command("REPLICAOF", "NO", "ONE");
		// Again and again: a connection may do something else after its script.
		await().untilAsserted(() -> {
			TemplatesUnderTest.awaitWorking(this.template, "stock:1");
			assertThat(ids()).isNotEmpty().doesNotContainAnyElementsOf(before);
		});
	}

	private List<String> ids() {
		return this.server.command("CLIENT", "LIST", "TYPE", "normal")
			.lines()
			.filter((client) -> client.contains(" cmd=eval"))
			.map((client) -> client.substring(0, client.indexOf(' ')))
			.toList();
	}

}
