package io.distlock.spring;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Annotated methods that run on another thread, in two applications on a real Redis. */
class AsyncMethodTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final Fleet FLEET = new Fleet(Application.class);

	private final Jobs jobs = FLEET.get(Jobs.class);

	private final CompletableFuture<String> work = new CompletableFuture<>();

	private final AtomicReference<String> thread = new AtomicReference<>("");

	@AfterAll
	static void close() {
		FLEET.close();
	}

	private CompletableFuture<String> work() {
		this.thread.set(Thread.currentThread().getName() + " under " + LockContext.current().orElseThrow().key());
		return this.work;
	}

	private void awaitCall() {
		Awaitility.await().atMost(SOON).until(() -> !this.thread.get().isEmpty());
	}

	@Test
	void voidMethodTakesTheLockOnItsOwnThreadAndHoldsItToItsEnd() {
		LockHandle other = FLEET.other().acquire("void");
		this.jobs.run("void", () -> work().join());
		assertThat(this.thread).hasValue("");
		other.close();
		awaitCall();
		assertThat(this.thread.get()).startsWith("executor-").endsWith(" under void");
		assertThat(FLEET.isBusy("void")).isTrue();
		this.work.complete("done");
		Awaitility.await().atMost(SOON).until(() -> !FLEET.isBusy("void"));
	}

	@Test
	void stageMethodRunsOnItsOwnThreadAndHoldsTheLockUntilTheStageCompletes() {
		LockHandle other = FLEET.other().acquire("stage");
		CompletableFuture<String> result = this.jobs.stage("stage", this::work);
		assertThat(result).isNotDone();
		assertThat(this.thread).hasValue("");
		other.close();
		awaitCall();
		assertThat(this.thread.get()).startsWith("executor-").endsWith(" under stage");
		assertThat(FLEET.isBusy("stage")).isTrue();
		this.work.complete("done");
		assertThat(result.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("done");
		assertThat(FLEET.isBusy("stage")).isFalse();
	}

	@Test
	void busyIsTheResult() {
		try (LockHandle other = FLEET.other().acquire("busy")) {
			assertThat(this.jobs.once("busy")).failsWithin(SOON)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockBusyException.class);
		}
	}

	@Test
	void lockAroundTheChangeOfThreadsIsRefused() {
		assertThatExceptionOfType(InvalidLockDefinitionException.class)
			.isThrownBy(() -> LockedApplication.of(Late.class, WrongOrder.class).close())
			.withMessage("Bean 'asyncMethodTests.Late': @DistributedLock on AsyncMethodTests.Late.run(): @Async hands "
					+ "the call to another thread inside of the lock, which would be released before the work is done. "
					+ "Leave order and mode of @EnableAsync at their defaults, so that the lock is taken on that "
					+ "thread");
		assertThatExceptionOfType(InvalidLockDefinitionException.class)
			.isThrownBy(() -> LockedApplication.of(Late.class, Woven.class).close())
			.withMessageContaining("@Async hands the call to another thread inside of the lock");
		assertThatExceptionOfType(InvalidLockDefinitionException.class)
			.isThrownBy(() -> LockedApplication.of(LateClass.class, Woven.class).close())
			.withMessageContaining("@Async hands the call to another thread inside of the lock");
	}

	@Test
	void lockAroundTheProxyThatChangesThreadsIsRefused() {
		assertThatExceptionOfType(InvalidLockDefinitionException.class)
			.isThrownBy(() -> new AnnotationConfigApplicationContext(ProxyInProxy.class, Locks.class).close())
			.withMessageContaining("@Async hands the call to another thread inside of the lock");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	@Import(Jobs.class)
	static class Application {

		@Bean
		SimpleAsyncTaskExecutor executor() {
			return new SimpleAsyncTaskExecutor("executor-");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WrongOrder {

		@Bean
		static AsyncAnnotationBeanPostProcessor inside() {
			AsyncAnnotationBeanPostProcessor inside = new AsyncAnnotationBeanPostProcessor();
			inside.setProxyTargetClass(true);
			inside.setBeforeExistingAdvisors(false);
			return inside;
		}

	}

	/** Creates its proxy before the other one, which goes around it. */
	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true, order = Ordered.HIGHEST_PRECEDENCE)
	@Import(Late.class)
	static class ProxyInProxy {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks(proxyTargetClass = true)
	static class Locks {

	}

	/** Stands for weaving, for which the bean has to be there. */
	@Configuration(proxyBeanMethods = false)
	static class Woven {

		@Bean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME)
		String aspect() {
			return "woven";
		}

	}

	@Async
	static class LateClass {

		@DistributedLock(name = "late")
		public void run() {
		}

	}

	static class Late {

		@Async
		@DistributedLock(name = "late")
		public void run() {
		}

	}

	static class Jobs {

		@Async
		@DistributedLock(key = "#key")
		public void run(String key, Runnable body) {
			body.run();
		}

		@Async
		@DistributedLock(key = "#key")
		public CompletableFuture<String> stage(String key, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@Async
		@DistributedLock(key = "#key", waitTime = "0")
		public CompletableFuture<String> once(String key) {
			return CompletableFuture.completedFuture("ran");
		}

	}

}
