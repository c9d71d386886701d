package io.distlock.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.test.Standstill;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * A caller that executes its command itself: whatever hangs, breaks or interrupts it, the
 * call ends within the command timeout, others go on, and no hold is left over.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class AbstractCallerFaultTests {

	final RedisServer server = RedisServer.start();

	/** The command timeout, and so much for a busy machine that is no other timeout. */
	final Duration bound;

	TemplatesUnderTest templates;

	CloseableLockTemplate template;

	AbstractCallerFaultTests(Duration bound) {
		this.bound = bound;
	}

	/** Whether a thread sent a command, and waits for the answer. */
	abstract boolean isInClient(Thread thread);

	abstract void closeConnections();

	@AfterEach
	void stop() {
		this.server.resume();
		this.templates.close();
		closeConnections();
		this.server.close();
	}

	final Duration failing(String key) throws Exception {
		return Standstill.timed(
				() -> assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.template.acquire(key)));
	}

	/** A thread, and the command under way in it. */
	final <T> FutureTask<T> sending(AtomicReference<Thread> thread, Callable<T> call) {
		FutureTask<T> task = TestThreads.inThread(() -> {
			thread.set(Thread.currentThread());
			return call.call();
		});
		await().until(() -> thread.get() != null && isInClient(thread.get()));
		return task;
	}

	@Test
	void callsWhenTheServerHangsThenTheCallersSendThemselvesAndEachEndsWithinTheCommandTimeout() throws Exception {
		LockHandle held = this.template.acquire("stock:held");
		LockHandle several = this.template.acquire(LockRequest.ofAll(List.of("stock:a", "stock:b", "stock:c")));
		this.server.pause();
		FutureTask<Duration> other = sending(new AtomicReference<>(), () -> failing("stock:other"));
		assertThat(failing("stock:1")).isLessThan(this.bound);
		assertThat(TestThreads.get(other)).isLessThan(this.bound);
		assertThat(Standstill.timed(held::close)).isLessThan(this.bound);
		assertThat(Standstill.timed(several::close)).as("several keys together").isLessThan(this.bound);
		this.server.resume();
		TemplatesUnderTest.awaitWorking(this.template, "stock:1");
		TemplatesUnderTest.awaitWorking(this.template, "stock:held");
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
		TemplatesUnderTest.awaitWorking(this.template, "stock:1");
		this.server.pause();
		try {
			AtomicReference<Thread> thread = new AtomicReference<>();
			AtomicReference<Boolean> flag = new AtomicReference<>();
			FutureTask<Throwable> task = sending(thread, () -> {
				Throwable failure = catchThrowable(() -> this.template.acquire("stock:1"));
				flag.set(Thread.interrupted());
				return failure;
			});
			thread.get().interrupt();
			assertThat(TestThreads.get(task)).isInstanceOf(LockInterruptedException.class);
			assertThat(flag.get()).isTrue();
		}
		finally {
			this.server.resume();
		}
	}

	@Test
	void closeOfTheTemplateWhenACommandIsUnderWayThenBothEndInTime() throws Exception {
		this.server.pause();
		FutureTask<LockHandle> task = sending(new AtomicReference<>(), () -> this.template.acquire("stock:1"));
		assertThat(Standstill.timed(this.template::close)).isLessThan(this.bound);
		assertThat(catchThrowable(() -> TestThreads.get(task))).hasCauseInstanceOf(RuntimeException.class);
		this.server.resume();
		TemplatesUnderTest.awaitWorking(this.templates.add(), "stock:1");
	}

}
