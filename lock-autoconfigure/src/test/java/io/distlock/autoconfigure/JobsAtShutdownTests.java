package io.distlock.autoconfigure;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;
import io.distlock.test.TestThreads;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** The next instance need not wait for a lease when a deployment interrupts a job. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("ci")
class JobsAtShutdownTests {

	private final InMemoryLockServer server = new InMemoryLockServer();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withBean(LockStore.class, () -> new InMemoryLockStore(this.server))
		.withBean("lifecycleProcessor", DefaultLifecycleProcessor.class, JobsAtShutdownTests::impatient)
		.withBean(Job.class)
		.withPropertyValues("distributed-lock.lease-time=10d", "distributed-lock.shutdown-timeout=60s");

	/** Does not wait for the job, as a real one does not wait for ever. */
	private static DefaultLifecycleProcessor impatient() {
		DefaultLifecycleProcessor processor = new DefaultLifecycleProcessor();
		processor.setTimeoutPerShutdownPhase(1);
		return processor;
	}

	@ParameterizedTest
	@ValueSource(classes = { ThreadPoolTaskScheduler.class, ThreadPoolTaskExecutor.class })
	void jobThatIsInterruptedWhenTheContextClosesFreesItsLock(Class<? extends ExecutorConfigurationSupport> executor,
			CapturedOutput output) {
		this.runner.withBean("jobs", executor).run((context) -> {
			Job job = context.getBean(Job.class);
			execute(context.getBean(executor), job);
			assertThat(job.begun().await(60, TimeUnit.SECONDS)).isTrue();
			context.getSourceApplicationContext().close();
			assertThat(job.ended().await(60, TimeUnit.SECONDS)).isTrue();
			try (CloseableLockTemplate next = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
				.build()) {
				assertThat(TestThreads.isBusy(next, "long-job")).isFalse();
			}
		});
		assertThat(output).doesNotContain("Locks are still held");
	}

	/**
	 * A context that a test pauses, or a checkpoint stops, starts again with its
	 * executors.
	 */
	@Test
	void jobOfAContextThatOnlyStopsIsNotInterrupted() {
		this.runner.withBean("jobs", ThreadPoolTaskExecutor.class)
			.withPropertyValues("distributed-lock.shutdown-timeout=1ms")
			.run((context) -> {
				Job job = context.getBean(Job.class);
				execute(context.getBean(ThreadPoolTaskExecutor.class), job);
				assertThat(job.begun().await(60, TimeUnit.SECONDS)).isTrue();
				ConfigurableApplicationContext real = context.getSourceApplicationContext();
				real.stop();
				assertThat(job.ended().getCount()).isEqualTo(1);
				assertThat(context.getBean(ThreadPoolTaskExecutor.class).getThreadPoolExecutor().isShutdown())
					.isFalse();
				real.start();
			});
	}

	private static void execute(ExecutorConfigurationSupport executor, Runnable job) {
		if (executor instanceof ThreadPoolTaskScheduler scheduler) {
			scheduler.execute(job);
		}
		else {
			((ThreadPoolTaskExecutor) executor).execute(job);
		}
	}

	static class Job implements Runnable {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch ended = new CountDownLatch(1);

		CountDownLatch begun() {
			return this.begun;
		}

		CountDownLatch ended() {
			return this.ended;
		}

		@Override
		@DistributedLock(name = "long-job")
		public void run() {
			this.begun.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			finally {
				this.ended.countDown();
			}
		}

	}

}
