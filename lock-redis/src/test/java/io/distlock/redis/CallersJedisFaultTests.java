package io.distlock.redis;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.TestThreads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.UnifiedJedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The connections of Jedis that the application has. */
@Tag("ci")
class CallersJedisFaultTests extends AbstractCallerFaultTests {

	private CallersJedis factory;

	/** The command timeout is by default one second. */
	CallersJedisFaultTests() {
		super(Duration.ofSeconds(6));
	}

	@BeforeEach
	void start() {
		use(CallersJedis.connect(this.server, 8));
	}

	private void use(CallersJedis factory) {
		this.factory = factory;
		this.templates = new TemplatesUnderTest(factory, RedisLockStoreSettings.DEFAULTS);
		this.template = this.templates.add();
		factory.users.clear();
	}

	private void restart(CallersJedis factory) {
		this.templates.close();
		closeConnections();
		use(factory);
	}

	@Override
	boolean isInClient(Thread thread) {
		return this.factory.users.contains(thread);
	}

	@Override
	void closeConnections() {
		this.factory.destroy();
	}

	@Test
	void acquireAndCloseThenTheCallerExecutesBoth() {
		this.template.acquire("stock:1").close();
		assertThat(this.factory.users).containsExactly(Thread.currentThread(), Thread.currentThread());
	}

	@Test
	void acquireAndCloseThenTheCallersNextParkIsNotCutShort() {
		this.template.acquire("stock:1").close();
		long begun = System.nanoTime();
		LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(150));
	}

	@Test
	void acquireWhenAPoolMayWaitTooLongThenAnotherThreadExecutesIt() {
		restart(CallersJedis.connect(this.server, 4, Duration.ofMillis(501)));
		this.template.acquire("stock:1").close();
		assertThat(this.factory.users).isNotEmpty().doesNotContain(Thread.currentThread());
	}

	/** The client may take the whole command timeout of the store. */
	@Test
	void acquireWhenTheTemplateWaitsLessThanTheStoreThenAnotherThreadExecutesIt() {
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
		TestThreads.get(TestThreads.get(this.template.acquireAsync("stock:1")).closeAsync());
		assertThat(this.factory.users).isNotEmpty().doesNotContain(Thread.currentThread());
	}

	@Test
	void acquireWhenScriptsWereFlushedThenTheCallerSendsTheText() {
		this.server.command("SCRIPT", "FLUSH");
		this.template.acquire("stock:1").close();
		assertThat(this.factory.users).hasSizeGreaterThan(2).containsOnly(Thread.currentThread());
	}

	/** The interrupt is seen when the client gives up. */
	@Override
	@Test
	void acquireWhenInterruptedWithACommandUnderWayThenNothingIsHeldAndTheInterruptStays() throws Exception {
		restart(CallersJedis.connect(this.server, 4, Duration.ofMillis(100)));
		super.acquireWhenInterruptedWithACommandUnderWayThenNothingIsHeldAndTheInterruptStays();
	}

	/** A pipeline keeps its connection. The other one of the pool listens. */
	private AbstractPipeline takeConnection() {
		return ((UnifiedJedis) this.factory.getConnection().getNativeConnection()).pipelined();
	}

	@Test
	void acquireWhenThePoolIsExhaustedThenFailsInTimeAndWorksAgain() throws Exception {
		restart(CallersJedis.connect(this.server, 2));
		try (AbstractPipeline taken = takeConnection()) {
			assertThat(failing("stock:1")).isLessThan(this.bound);
		}
		TemplatesUnderTest.awaitWorking(this.template, "stock:1");
	}

	@Test
	void acquireWhenInterruptedInThePoolThenTheInterruptIsNotLost() throws Exception {
		restart(CallersJedis.connect(this.server, 2));
		try (AbstractPipeline taken = takeConnection()) {
			// Again if a stalled machine interrupts a thread that waits no longer.
			while (!interruptedInThePool()) {
				this.factory.users.clear();
			}
		}
		TemplatesUnderTest.awaitWorking(this.template, "stock:1");
	}

	private boolean interruptedInThePool() throws Exception {
		AtomicReference<Thread> thread = new AtomicReference<>();
		long begun = System.nanoTime();
		FutureTask<LockHandle> task = sending(thread, () -> this.template.acquire("stock:1"));
		thread.get().interrupt();
		Duration until = Duration.ofNanos(System.nanoTime() - begun);
		Throwable failure = catchThrowable(() -> TestThreads.get(task));
		if (until.compareTo(CallersJedis.HALF) >= 0) {
			return false;
		}
		assertThat(failure).rootCause().isInstanceOf(InterruptedException.class);
		return true;
	}

}
