package io.distlock.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.Standstill;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.UnifiedJedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * A caller that executes its command itself: whatever hangs, breaks or interrupts it, the
 * call ends within the command timeout, others go on, and no hold is left over.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("ci")
class CallersJedisFaultTests {

	/**
	 * The command timeout, by default one second, and so much for a busy machine that is
	 * no other timeout.
	 */
	private static final Duration BOUND = Duration.ofSeconds(6);

	private final RedisServer server = RedisServer.start();

	private CallersJedis factory;

	private TemplatesUnderTest templates;

	@AfterEach
	void stop() {
		this.server.resume();
		this.templates.close();
		this.factory.destroy();
		this.server.close();
	}

	private CloseableLockTemplate start(int connections) {
		return start(CallersJedis.connect(this.server, connections));
	}

	private CloseableLockTemplate start(CallersJedis factory) {
		this.factory = factory;
		this.templates = new TemplatesUnderTest(factory, RedisLockStoreSettings.DEFAULTS);
		CloseableLockTemplate template = this.templates.add();
		factory.users.clear();
		return template;
	}

	/** A thread, and the command under way in it. */
	private FutureTask<LockHandle> acquiring(CloseableLockTemplate template, String key,
			AtomicReference<Thread> thread) {
		CountDownLatch begun = new CountDownLatch(1);
		FutureTask<LockHandle> task = TestThreads.inThread(() -> {
			thread.set(Thread.currentThread());
			begun.countDown();
			return template.acquire(key);
		});
		await().until(() -> begun.getCount() == 0 && this.factory.users.contains(thread.get()));
		return task;
	}

	@Test
	void acquireAndCloseThenTheCallerExecutesBoth() {
		CloseableLockTemplate template = start(4);
		template.acquire("stock:1").close();
		assertThat(this.factory.users).containsExactly(Thread.currentThread(), Thread.currentThread());
	}

	@Test
	void acquireAndCloseThenTheCallersNextParkIsNotCutShort() {
		CloseableLockTemplate template = start(4);
		template.acquire("stock:1").close();
		long begun = System.nanoTime();
		LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(150));
	}

	@Test
	void acquireWhenAPoolMayWaitTooLongThenAnotherThreadExecutesIt() {
		CloseableLockTemplate template = start(CallersJedis.connect(this.server, 4, Duration.ofMillis(501)));
		template.acquire("stock:1").close();
		assertThat(this.factory.users).isNotEmpty().doesNotContain(Thread.currentThread());
	}

	/** The client may take the whole command timeout of the store. */
	@Test
	void acquireWhenTheTemplateWaitsLessThanTheStoreThenAnotherThreadExecutesIt() {
		start(4);
		LockSettings impatient = LockSettings.builder().commandTimeout(Duration.ofMillis(999)).build();
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new RedisLockStore(this.factory))
			.settings(impatient)
			.build()) {
			TemplatesUnderTest.awaitWorking(template, "stock:1");
			this.factory.users.clear();
			template.acquire("stock:1").close();
			assertThat(this.factory.users).isNotEmpty().doesNotContain(Thread.currentThread());
		}
	}

	@Test
	void acquireAsyncThenAnotherThreadExecutesIt() throws Exception {
		CloseableLockTemplate template = start(4);
		TestThreads.get(TestThreads.get(template.acquireAsync("stock:1")).closeAsync());
		assertThat(this.factory.users).isNotEmpty().doesNotContain(Thread.currentThread());
	}

	@Test
	void acquireWhenScriptsWereFlushedThenTheCallerSendsTheText() {
		CloseableLockTemplate template = start(4);
		this.server.command("SCRIPT", "FLUSH");
		template.acquire("stock:1").close();
		assertThat(this.factory.users).hasSizeGreaterThan(2).containsOnly(Thread.currentThread());
	}

	@Test
	void callsWhenTheServerHangsThenEachEndsWithinTheCommandTimeout() throws Exception {
		CloseableLockTemplate template = start(8);
		LockHandle held = template.acquire("stock:held");
		LockHandle several = template.acquire(LockRequest.ofAll(List.of("stock:a", "stock:b", "stock:c")));
		this.server.pause();
		FutureTask<Duration> other = TestThreads
			.inThread(() -> Standstill.timed(() -> assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> template.acquire("stock:other"))));
		assertThat(Standstill.timed(() -> assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> template.acquire("stock:1")))).isLessThan(BOUND);
		assertThat(TestThreads.get(other)).isLessThan(BOUND);
		assertThat(Standstill.timed(held::close)).isLessThan(BOUND);
		assertThat(Standstill.timed(several::close)).as("several keys together").isLessThan(BOUND);
		this.server.resume();
		TemplatesUnderTest.awaitWorking(template, "stock:1");
		TemplatesUnderTest.awaitWorking(template, "stock:held");
	}

	@Test
	void callsWhenConnectionsAreKilledThenRepeated() {
		CloseableLockTemplate template = start(4);
		this.server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
		LockHandle lock = template.acquire("stock:1");
		this.server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
		lock.close();
		await().until(() -> template.tryAcquire(LockRequest.of("stock:1").waitAtMost(Duration.ZERO)).map((again) -> {
			again.close();
			return true;
		}).orElse(false));
	}

	@Test
	void acquireWhenInterruptedWithACommandUnderWayThenNothingIsHeldAndTheInterruptStays() throws Exception {
		CloseableLockTemplate template = start(CallersJedis.connect(this.server, 4, Duration.ofMillis(100)));
		Standstill.repeat(() -> interruptWithACommandUnderWay(template));
		TemplatesUnderTest.awaitWorking(this.templates.add(), "stock:1");
	}

	private void interruptWithACommandUnderWay(CloseableLockTemplate template) throws Exception {
		TemplatesUnderTest.awaitWorking(template, "stock:1");
		this.server.pause();
		AtomicReference<Thread> thread = new AtomicReference<>();
		AtomicReference<Boolean> flag = new AtomicReference<>();
		CountDownLatch begun = new CountDownLatch(1);
		FutureTask<Throwable> task = TestThreads.inThread(() -> {
			thread.set(Thread.currentThread());
			begun.countDown();
			Throwable failure = catchThrowable(() -> template.acquire("stock:1"));
			flag.set(Thread.interrupted());
			return failure;
		});
		try {
			await().until(() -> begun.getCount() == 0 && this.factory.users.contains(thread.get()));
			thread.get().interrupt();
			assertThat(TestThreads.get(task)).isInstanceOf(LockInterruptedException.class);
			assertThat(flag.get()).isTrue();
		}
		finally {
			this.server.resume();
		}
	}

	/** A pipeline keeps its connection. The other one of the pool listens. */
	private AbstractPipeline takeConnection() {
		return ((UnifiedJedis) this.factory.getConnection().getNativeConnection()).pipelined();
	}

	@Test
	void acquireWhenThePoolIsExhaustedThenFailsInTimeAndWorksAgain() throws Exception {
		CloseableLockTemplate template = start(2);
		try (AbstractPipeline taken = takeConnection()) {
			assertThat(Standstill.timed(() -> assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> template.acquire("stock:1")))).isLessThan(BOUND);
		}
		TemplatesUnderTest.awaitWorking(template, "stock:1");
	}

	@Test
	void acquireWhenInterruptedInThePoolThenTheInterruptIsNotLost() throws Exception {
		CloseableLockTemplate template = start(2);
		try (AbstractPipeline taken = takeConnection()) {
			// Again if a stalled machine interrupts a thread that waits no longer.
			while (!interruptedInThePool(template)) {
				this.factory.users.clear();
			}
		}
		TemplatesUnderTest.awaitWorking(template, "stock:1");
	}

	private boolean interruptedInThePool(CloseableLockTemplate template) throws Exception {
		AtomicReference<Thread> thread = new AtomicReference<>();
		long begun = System.nanoTime();
		FutureTask<LockHandle> task = acquiring(template, "stock:1", thread);
		thread.get().interrupt();
		Duration until = Duration.ofNanos(System.nanoTime() - begun);
		Throwable failure = catchThrowable(() -> TestThreads.get(task));
		if (until.compareTo(CallersJedis.HALF) >= 0) {
			return false;
		}
		assertThat(failure).rootCause().isInstanceOf(InterruptedException.class);
		return true;
	}

	@Test
	void closeOfTheTemplateWhenACommandIsUnderWayThenBothEndInTime() throws Exception {
		CloseableLockTemplate template = start(4);
		this.server.pause();
		FutureTask<LockHandle> task = acquiring(template, "stock:1", new AtomicReference<>());
		assertThat(Standstill.timed(template::close)).isLessThan(BOUND);
		assertThat(catchThrowable(() -> TestThreads.get(task))).hasCauseInstanceOf(RuntimeException.class);
		this.server.resume();
		TemplatesUnderTest.awaitWorking(this.templates.add(), "stock:1");
	}

}
