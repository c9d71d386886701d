package io.distlock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.Standstill;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * The locks' own connections of Jedis, in a pool of Jedis: whatever hangs, breaks or
 * interrupts a caller, its call ends within the command timeout, others go on, and a
 * connection is not used any more when something may still be under way on it.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("ci")
class DedicatedJedisFaultTests {

	/** The command timeout, and so much for a busy machine that is no other timeout. */
	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final RedisServer server = RedisServer.start();

	private JedisConnections connections;

	private TemplatesUnderTest templates;

	private CloseableLockTemplate template;

	@BeforeEach
	void start() {
		this.connections = JedisConnections.like(
				new LettuceConnectionFactory(new RedisStandaloneConfiguration(this.server.host(), this.server.port())),
				TIMEOUT, null);
		this.templates = new TemplatesUnderTest(this.connections.factory(),
				RedisLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(10)).build());
		this.template = this.templates.addPatient();
	}

	@AfterEach
	void stop() {
		this.server.resume();
		this.templates.close();
		this.connections.close();
		this.server.close();
	}

	private Duration failing(String key) throws Exception {
		return Standstill.timed(
				() -> assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.template.acquire(key)));
	}

	/** Whether a thread waits for the answer to a command that it sent. */
	private static boolean isInClient(Thread thread) {
		return Stream.of(thread.getStackTrace()).anyMatch((frame) -> frame.getMethodName().equals("executeCommand"));
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
			for (int i = 0; i < 5; i++) {
				own.acquire("stock:1").close();
			}
			assertThat(this.server.command("CLIENT", "LIST", "TYPE", "normal").lines())
				.filteredOn((client) -> client.contains(" name=shop "))
				.filteredOn((client) -> client.contains(" cmd=eval"))
				.as("the first command may overlap with the one that connects at startup")
				.hasSizeBetween(1, 2)
				.allSatisfy((client) -> assertThat(client).contains(" user=locks ", " db=3 "));
		}
	}

	@Test
	void callsWhenTheServerHangsThenTheCallersSendThemselvesAndEachEndsWithinTheCommandTimeout() throws Exception {
		LockHandle held = this.template.acquire("stock:held");
		this.server.pause();
		AtomicReference<Thread> sender = new AtomicReference<>();
		FutureTask<Duration> other = TestThreads.inThread(() -> {
			sender.set(Thread.currentThread());
			return failing("stock:other");
		});
		await().until(() -> sender.get() != null && isInClient(sender.get()));
		assertThat(failing("stock:1")).isLessThan(BOUND);
		assertThat(TestThreads.get(other)).isLessThan(BOUND);
		assertThat(Standstill.timed(held::close)).isLessThan(BOUND);
		this.server.resume();
		TemplatesUnderTest.awaitWorking(this.template, "stock:1");
		TemplatesUnderTest.awaitWorking(this.template, "stock:held");
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
	void callsWhenConnectionsAreKilledThenRepeated() {
		this.server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
		LockHandle lock = this.template.acquire("stock:1");
		this.server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
		lock.close();
		await()
			.until(() -> this.template.tryAcquire(LockRequest.of("stock:1").waitAtMost(Duration.ZERO)).map((again) -> {
				again.close();
				return true;
			}).orElse(false));
	}

	@Test
	void acquireWhenInterruptedWithACommandUnderWayThenNothingIsHeldAndTheInterruptStays() throws Exception {
		Standstill.repeat(this::interruptWithACommandUnderWay);
		TemplatesUnderTest.awaitWorking(this.templates.add(), "stock:1");
	}

	private void interruptWithACommandUnderWay() throws Exception {
		this.server.pause();
		AtomicReference<Thread> thread = new AtomicReference<>();
		AtomicReference<Boolean> flag = new AtomicReference<>();
		FutureTask<Throwable> task = TestThreads.inThread(() -> {
			thread.set(Thread.currentThread());
			Throwable failure = catchThrowable(() -> this.template.acquire("stock:1"));
			flag.set(Thread.interrupted());
			return failure;
		});
		try {
			await().until(() -> thread.get() != null && isInClient(thread.get()));
			thread.get().interrupt();
			assertThat(TestThreads.get(task)).isInstanceOf(LockInterruptedException.class);
			assertThat(flag.get()).isTrue();
		}
		finally {
			this.server.resume();
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
			assertThat(TestThreads.get(caller)).isLessThan(BOUND);
		}
		this.server.resume();
		TemplatesUnderTest.awaitWorking(this.template, "stock:1");
	}

	@Test
	void closeOfTheTemplateWhenACommandIsUnderWayThenBothEndInTimeAndItsConnectionsToo() throws Exception {
		this.server.pause();
		AtomicReference<Thread> thread = new AtomicReference<>();
		FutureTask<LockHandle> task = TestThreads.inThread(() -> {
			thread.set(Thread.currentThread());
			return this.template.acquire("stock:1");
		});
		await().until(() -> thread.get() != null && isInClient(thread.get()));
		assertThat(Standstill.timed(this.template::close)).isLessThan(BOUND);
		assertThat(catchThrowable(() -> TestThreads.get(task))).hasCauseInstanceOf(RuntimeException.class);
		this.server.resume();
		TemplatesUnderTest.awaitWorking(this.templates.add(), "stock:1");
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
