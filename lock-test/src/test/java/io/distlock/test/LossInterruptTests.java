package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.distlock.LockAction;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.LossReason;
import io.distlock.OnLost;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A body whose thread is interrupted when its lock is lost. On virtual time. */
class LossInterruptTests {

	private static final LockRequest REQUEST = LockRequest.of("stock:42").onLost(OnLost.INTERRUPT);

	private static final LockRequest REPORT = LockRequest.of("stock:42").onLost(OnLost.REPORT);

	private final LossWorld world = new LossWorld();

	@AfterEach
	void close() {
		this.world.close();
	}

	/** What the body's caller got, and whether its thread's flag is set afterwards. */
	private record End(Throwable thrown, boolean interrupted) {
	}

	private FutureTask<End> inThread(LockRequest request, LockAction<Exception> body) {
		return TestThreads.inWaitingThread(() -> {
			Throwable thrown = catchThrowable(() -> this.world.template.run(request, body));
			return new End(thrown, Thread.currentThread().isInterrupted());
		});
	}

	private static void awaitFor(CountDownLatch latch) throws InterruptedException {
		latch.await();
	}

	/**
	 * Returns some time after the loss was reported, in which an interrupt would have
	 * come.
	 */
	private static void awaitLoss(LockHandle lock) throws InterruptedException {
		CountDownLatch told = new CountDownLatch(1);
		lock.onLost((lost) -> told.countDown());
		told.await();
		Thread body = Thread.currentThread();
		Awaitility.await().during(Duration.ofMillis(100)).until(() -> !body.isInterrupted());
	}

	@Test
	void bodyWhenItBlocksThenInterruptedAndTheLossIsThrown() throws Exception {
		FutureTask<End> worker = inThread(REQUEST, (lock) -> awaitFor(new CountDownLatch(1)));
		this.world.loseAll();
		End end = TestThreads.get(worker);
		assertThat(end.thrown()).isInstanceOf(LockLostException.class).hasCauseInstanceOf(InterruptedException.class);
		assertThat(((LockLostException) end.thrown()).reason()).isEqualTo(LossReason.EXPIRED);
		assertThat(end.interrupted()).isFalse();
	}

	@Test
	void bodyWhenItWrapsTheInterruptThenTheLossIsThrown() throws Exception {
		FutureTask<End> worker = inThread(REQUEST, (lock) -> {
			try {
				awaitFor(new CountDownLatch(1));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("wrapped", ex);
			}
		});
		this.world.loseAll();
		End end = TestThreads.get(worker);
		assertThat(end.thrown()).isInstanceOf(LockLostException.class).hasCauseInstanceOf(IllegalStateException.class);
		assertThat(end.interrupted()).as("ours, even if somebody sets it again").isFalse();
	}

	@Test
	void bodyWhenItFailsOtherwiseThenItsExceptionCarriesTheLoss() throws Exception {
		FutureTask<End> worker = inThread(REQUEST, (lock) -> {
			Throwable interrupt = catchThrowable(() -> awaitFor(new CountDownLatch(1)));
			throw new IllegalStateException("no stock after " + interrupt);
		});
		this.world.loseAll();
		End end = TestThreads.get(worker);
		assertThat(end.thrown()).isInstanceOf(IllegalStateException.class);
		assertThat(end.thrown().getSuppressed()).singleElement().isInstanceOf(LockLostException.class);
	}

	@Test
	void bodyWhenItTakesNoNoticeThenNoInterruptIsLeft() throws Exception {
		FutureTask<End> worker = inThread(REQUEST, (lock) -> {
			while (!Thread.currentThread().isInterrupted()) {
				LockSupport.park();
			}
			assertThat(LockScopes.isInterruptedByLoss(lock)).isTrue();
		});
		this.world.loseAll();
		End end = TestThreads.get(worker);
		assertThat(end.thrown()).isInstanceOf(LockLostException.class);
		assertThat(end.interrupted()).isFalse();
	}

	@Test
	void bodyWhenInterruptedByOthersBeforeThenThatInterruptIsKept() throws Exception {
		CountDownLatch leave = new CountDownLatch(1);
		FutureTask<End> worker = inThread(REQUEST, (lock) -> {
			catchThrowable(() -> awaitFor(leave));
			Thread.currentThread().interrupt();
			while (!LockScopes.isInterruptedByLoss(lock)) {
				Thread.onSpinWait();
			}
		});
		leave.countDown();
		this.world.loseAll();
		End end = TestThreads.get(worker);
		assertThat(end.thrown()).isInstanceOf(LockLostException.class);
		assertThat(end.interrupted()).isTrue();
	}

	@Test
	void bodyWhenInterruptedByOthersWithoutALossThenItsExceptionStays() throws Exception {
		AtomicReference<Thread> thread = new AtomicReference<>();
		FutureTask<End> worker = inThread(REQUEST, (lock) -> {
			thread.set(Thread.currentThread());
			awaitFor(new CountDownLatch(1));
		});
		thread.get().interrupt();
		assertThat(TestThreads.get(worker).thrown()).isInstanceOf(InterruptedException.class);
	}

	@Test
	void bodyWhenLossIsOnlyReportedThenNotInterrupted() throws Exception {
		FutureTask<End> worker = inThread(REPORT, (lock) -> {
			awaitLoss(lock);
			assertThat(LockScopes.isInterruptedByLoss(lock)).isFalse();
		});
		this.world.loseAll();
		assertThat(TestThreads.get(worker).thrown()).isInstanceOf(LockLostException.class);
	}

	@Test
	void bodyWhenTheHandleThatAskedIsClosedThenNotInterrupted() throws Exception {
		FutureTask<End> worker = inThread(REPORT, (lock) -> {
			this.world.template.acquire(REQUEST).close();
			awaitLoss(lock);
		});
		this.world.loseAll();
		assertThat(TestThreads.get(worker).thrown()).isInstanceOf(LockLostException.class);
	}

	@Test
	void bodyWhenNestedThenInterruptedOnce() throws Exception {
		FutureTask<End> worker = inThread(REQUEST, (outer) -> {
			Throwable nested = catchThrowable(
					() -> this.world.template.run(REQUEST, (inner) -> awaitFor(new CountDownLatch(1))));
			assertThat(nested).isInstanceOf(LockLostException.class);
			CountDownLatch told = new CountDownLatch(1);
			outer.onLost((lost) -> told.countDown());
			awaitFor(told);
		});
		this.world.loseAll();
		assertThat(TestThreads.get(worker).thrown()).isInstanceOf(LockLostException.class).hasNoCause();
	}

	@Test
	void handleWhenAcquiredAsynchronouslyThenNobodyIsInterrupted() throws Exception {
		CountDownLatch told = new CountDownLatch(1);
		LockHandle lock = this.world.template.acquireAsync(REQUEST).toCompletableFuture().get();
		lock.onLost((lost) -> told.countDown());
		this.world.loseAll();
		told.await();
		assertThat(LockScopes.isInterruptedByLoss(lock)).isFalse();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

}
