package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.ClockJump;
import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockTemplate;
import io.distlock.LossReason;
import io.distlock.OnLost;
import io.distlock.observe.LockObserver;
import io.distlock.spring.event.LockClockJumpEvent;
import io.distlock.spring.event.LockEventPublisher;
import io.distlock.spring.event.LockHeldTooLongEvent;
import io.distlock.spring.event.LockLostEvent;
import io.distlock.spring.intercept.CommitGuard;
import io.distlock.test.Standstill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/** How an application is notified of lost locks, and where it says what happens then. */
@ExtendWith(OutputCaptureExtension.class)
class LossAutoConfigurationTests {

	private final ApplicationContextRunner empty = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withPropertyValues("distributed-lock.store=memory");

	private final ApplicationContextRunner runner = this.empty.withBean(Jobs.class);

	@Test
	void eventsAndCountersWhenALockIsLost() {
		this.runner.withBean(Diary.class).withPropertyValues("distributed-lock.max-hold=20ms").run((context) -> {
			SimpleMeterRegistry registry = new SimpleMeterRegistry();
			context.getBean(LockMeters.class).bindTo(registry);
			Diary diary = context.getBean(Diary.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> context.getBean(Jobs.class).brief());
			Awaitility.await().until(() -> diary.lost.size() == 1 && diary.heldTooLong.size() == 1);
			LockLoss story = diary.lost.element().loss();
			assertThat(story.key()).isEqualTo("brief");
			assertThat(story.reason()).isEqualTo(LossReason.EXPIRED);
			assertThat(diary.threads).doesNotContain("distributed-lock-housekeeper", Thread.currentThread().getName());
			Awaitility.await().until(() -> diary.own.size() == 1);
			assertThat(registry.get("lock.lost").tag("lock.reason", "expired").functionCounter().count()).isEqualTo(1);
			assertThat(registry.get("lock.held.too.long").functionCounter().count()).isEqualTo(1);
			assertThat(registry.get("lock.lost").tag("lock.reason", "vanished").functionCounter().count()).isZero();
		});
	}

	@Test
	void clockJumpsArePublishedAndCounted() {
		this.runner.withBean(Diary.class).run((context) -> {
			SimpleMeterRegistry registry = new SimpleMeterRegistry();
			context.getBean(LockMeters.class).bindTo(registry);
			ClockJump jump = new ClockJump("default", Duration.ofSeconds(3));
			context.getBean(LockObservers.class).clockJumped(jump);
			assertThat(context.getBean(Diary.class).jumps).containsExactly(new LockClockJumpEvent(jump));
			assertThat(registry.get("lock.clock.jumps").tag("lock.store", "default").functionCounter().count())
				.isEqualTo(1);
		});
	}

	@Test
	void publisherWhenTheContextIsClosedThenSilent() {
		this.runner.run((context) -> {
			LockEventPublisher publisher = context.getBean(LockEventPublisher.class);
			context.getSourceApplicationContext().close();
			publisher.clockJumped(new ClockJump("default", Duration.ofSeconds(-3)));
		});
	}

	@Test
	void annotationWinsOverTheDefaultAndTheOverrideOverTheAnnotation() {
		this.runner.withPropertyValues("distributed-lock.on-lost=interrupt").run((context) -> {
			assertInterrupted(context.getBean(Jobs.class)::silent);
			assertNotInterrupted(context.getBean(Jobs.class)::reporting);
		});
		this.runner.withPropertyValues("distributed-lock.locks.reporting.on-lost=interrupt").run((context) -> {
			assertNotInterrupted(context.getBean(Jobs.class)::silent);
			assertInterrupted(context.getBean(Jobs.class)::reporting);
		});
	}

	/** An interrupt is sent by another thread, so it may come a little later. */
	private static void assertInterrupted(Consumer<Runnable> method) {
		assertLost(method, () -> assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> new CountDownLatch(1).await(60, TimeUnit.SECONDS)));
	}

	private static void assertNotInterrupted(Consumer<Runnable> method) {
		assertLost(method, () -> assertThatNoException()
			.isThrownBy(() -> new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS)));
	}

	private static void assertLost(Consumer<Runnable> method, Runnable afterwards) {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> method.accept(afterwards));
	}

	@Test
	void maxHoldWhenNotPositiveThenTheApplicationDoesNotStart() {
		this.runner.withPropertyValues("distributed-lock.max-hold=0s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("The property distributed-lock.max-hold is 0s but must be more than 0."));
		this.runner.withPropertyValues("distributed-lock.locks.brief.max-hold=-1s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith(
						"The property distributed-lock.locks.brief.max-hold is -1s but must be more than 0."));
		this.runner.withBean(NegativeMaxHold.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("maxHold 0s must be more than 0"));
	}

	@Test
	void commitGuardWatchesTransactionManagersByItself() {
		this.runner.withUserConfiguration(Transactions.class).run((context) -> {
			TransactionTemplate transaction = new TransactionTemplate(context.getBean(Manager.class));
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> context.getBean(Jobs.class).briefTransaction(transaction));
			assertThat(context.getBean(Manager.class).ends).containsExactly("rollback");
		});
	}

	@Tag("ci")
	@Test
	void commitGuardWhenSwitchedOffThenTransactionsCommit() {
		this.runner.withUserConfiguration(Transactions.class)
			.withPropertyValues("distributed-lock.commit-guard=false")
			.run((context) -> {
				TransactionTemplate transaction = new TransactionTemplate(context.getBean(Manager.class));
				assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> context.getBean(Jobs.class).briefTransaction(transaction));
				assertThat(context.getBean(Manager.class).ends).containsExactly("commit");
			});
	}

	@Test
	void commitGuardWhenLocksAreOffOrWithoutTransactionsThenAbsent() {
		this.runner.withPropertyValues("distributed-lock.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(CommitGuard.class));
		this.empty.withClassLoader(new FilteredClassLoader(TransactionExecutionListener.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CommitGuard.class));
	}

	@Test
	void contextWhenItClosesWithHeldAndQueuedLocksThenWithinBounds() {
		this.runner.withPropertyValues("distributed-lock.shutdown-timeout=200ms").run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			LockHandle held = template.acquire("held");
			List<Object> refused = new CopyOnWriteArrayList<>();
			for (int i = 0; i < 3; i++) {
				template.acquireAsync("held").whenComplete((lock, failure) -> refused.add(failure));
			}
			assertThat(Standstill.timed(context.getSourceApplicationContext()::close))
				.isLessThan(Duration.ofSeconds(8));
			Awaitility.await().until(() -> refused.size() == 3);
			assertThat(held.isHeld()).as("nobody else runs before the lease is over").isTrue();
		});
	}

	@Tag("ci")
	@Test
	void lossAfterTheContextClosedIsToldToListenersButNotPublished(CapturedOutput output) {
		Diary diary = new Diary();
		this.runner.withBean(Diary.class, () -> diary)
			.withPropertyValues("distributed-lock.shutdown-timeout=0s", "distributed-lock.lease-time=6s")
			.run((context) -> context.getBean(LockTemplate.class).acquire("held"));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> diary.own.size() == 1);
		assertThat(diary.lost).isEmpty();
		assertThat(output).doesNotContain("failed");
	}

	static class Jobs {

		@DistributedLock(name = "brief", leaseTime = "3s")
		public void brief() {
			awaitLoss();
		}

		@DistributedLock(name = "brief", leaseTime = "5s")
		public void briefTransaction(TransactionTemplate transaction) {
			transaction.executeWithoutResult((status) -> awaitLoss());
		}

		@DistributedLock(name = "silent", leaseTime = "1s")
		public void silent(Runnable afterwards) {
			awaitLoss();
			afterwards.run();
		}

		@DistributedLock(name = "reporting", leaseTime = "1s", onLost = OnLost.REPORT, maxHold = "10m")
		public void reporting(Runnable afterwards) {
			awaitLoss();
			afterwards.run();
		}

		private static void awaitLoss() {
			LockHandle lock = LockContext.current().orElseThrow();
			// Without an interruptible wait: the interrupt may come at once.
			while (lock.isHeld()) {
				LockSupport.parkNanos(1_000_000);
			}
		}

	}

	static class NegativeMaxHold {

		@DistributedLock(name = "never", maxHold = "0s")
		public void run() {
		}

	}

	/** Reads the events of its application, and is a listener itself. */
	static class Diary implements LockObserver {

		final Queue<LockLostEvent> lost = new ConcurrentLinkedQueue<>();

		final Queue<LockHeldTooLongEvent> heldTooLong = new ConcurrentLinkedQueue<>();

		final Queue<LockClockJumpEvent> jumps = new ConcurrentLinkedQueue<>();

		final Queue<String> threads = new ConcurrentLinkedQueue<>();

		final Queue<LockLoss> own = new ConcurrentLinkedQueue<>();

		@EventListener
		void onLost(LockLostEvent event) {
			this.threads.add(Thread.currentThread().getName());
			this.lost.add(event);
		}

		@EventListener
		void onHeldTooLong(LockHeldTooLongEvent event) {
			this.heldTooLong.add(event);
		}

		@EventListener
		void onJump(LockClockJumpEvent event) {
			this.jumps.add(event);
		}

		@Override
		public void lost(LockLoss hold) {
			this.own.add(hold);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Transactions {

		@Bean
		Manager transactionManager() {
			return new Manager();
		}

	}

	/** Of nothing; remembers how its transactions ended. */
	static class Manager extends AbstractPlatformTransactionManager {

		final Queue<String> ends = new ConcurrentLinkedQueue<>();

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.ends.add("commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.ends.add("rollback");
		}

	}

}
