package io.distlock.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Component;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What runs inside of the lock and what outside, and how to have it the other way. */
class AdviceOrderTests {

	@Test
	void retryWhenOrdersAreTheDefaultsThenAllAttemptsRunUnderOneLock() {
		try (LockedApplication application = LockedApplication.of(RetryInside.class, Asked.class, Jobs.class)) {
			Jobs jobs = application.get(Jobs.class);
			assertThatIllegalStateException().isThrownBy(jobs::fail);
			assertThat(jobs.tokens()).hasSize(3);
			assertThat(Set.copyOf(jobs.tokens())).hasSize(1);
			assertThat(application.get(Asked.class).times).isOne();
		}
	}

	@Test
	void retryWhenOrderedOutsideThenEachAttemptTakesTheLock() {
		try (LockedApplication application = LockedApplication.of(RetryOutside.class, Asked.class, Jobs.class)) {
			Jobs jobs = application.get(Jobs.class);
			assertThatIllegalStateException().isThrownBy(jobs::fail);
			assertThat(Set.copyOf(jobs.tokens())).hasSize(3);
			assertThat(application.get(Asked.class).times).isEqualTo(3);
		}
	}

	@Test
	void busyLockWhenRetryIsInsideThenNotRetried() {
		assertThat(timesAskedWhileBusy(RetryInside.class)).isOne();
		assertThat(timesAskedWhileBusy(RetryOutside.class)).isEqualTo(3);
	}

	private static int timesAskedWhileBusy(Class<?> configuration) {
		try (LockedApplication application = LockedApplication.of(configuration, Asked.class, Jobs.class);
				LockHandle held = application.other().acquire("jobs:a")) {
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(application.get(Jobs.class)::fail);
			return application.get(Asked.class).times;
		}
	}

	@Test
	void cacheWhenOrdersAreTheDefaultsThenAHitTakesTheLockToo() {
		assertThat(timesAskedForTwoHits(CacheInside.class)).isEqualTo(2);
	}

	@Test
	void cacheWhenOrderedOutsideThenAHitNeedsNoLock() {
		assertThat(timesAskedForTwoHits(CacheOutside.class)).isOne();
	}

	private static int timesAskedForTwoHits(Class<?> configuration) {
		try (LockedApplication application = LockedApplication.of(configuration, Asked.class, Prices.class)) {
			Prices prices = application.get(Prices.class);
			assertThat(prices.price("a")).isEqualTo(prices.price("a"));
			return application.get(Asked.class).times;
		}
	}

	@Test
	void asyncWhenAnnotatedTooThenTheLockIsTakenOnTheOtherThread() throws InterruptedException {
		try (LockedApplication application = LockedApplication.of(AsyncThreads.class, Asked.class, Mails.class)) {
			Mails mails = application.get(Mails.class);
			mails.send();
			assertThat(mails.seen().poll(30, TimeUnit.SECONDS)).isEqualTo("mail-1 under [mails:a]");
			assertThat(application.get(Asked.class).thread).isEqualTo("mail-1");
			assertThat(LockContext.all()).isEmpty();
		}
	}

	@Test
	void validationWhenOrdersAreTheDefaultsThenHappensUnderTheLock() {
		assertThat(timesAskedForInvalid(ValidationInside.class)).isOne();
	}

	@Test
	void validationWhenBeforeOtherAdviceThenNoLockIsTakenForInvalidArguments() {
		assertThat(timesAskedForInvalid(ValidationOutside.class)).isZero();
	}

	private static int timesAskedForInvalid(Class<?> configuration) {
		try (LockedApplication application = LockedApplication.of(configuration, Asked.class, Orders.class)) {
			assertThatExceptionOfType(ConstraintViolationException.class)
				.isThrownBy(() -> application.get(Orders.class).place(null));
			return application.get(Asked.class).times;
		}
	}

	/** Counts how often the key is wanted, which is once for each acquisition. */
	@Component("asked")
	public static class Asked {

		private volatile int times;

		private volatile String thread = "";

		public synchronized String key() {
			this.times++;
			this.thread = Thread.currentThread().getName();
			return "a";
		}

	}

	static class Jobs {

		private final List<Long> tokens = new ArrayList<>();

		@Retryable(maxAttempts = 3, backoff = @Backoff(delay = 0))
		@DistributedLock(name = "jobs", key = "@asked.key()", waitTime = "0")
		public void fail() {
			this.tokens.add(LockContext.current().orElseThrow().fencingToken());
			throw new IllegalStateException("failed");
		}

		List<Long> tokens() {
			return this.tokens;
		}

	}

	static class Prices {

		@Cacheable("prices")
		@DistributedLock(name = "prices", key = "@asked.key()")
		public Object price(String sku) {
			return new Object();
		}

	}

	static class Mails {

		private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

		@Async
		@DistributedLock(name = "mails", key = "@asked.key()")
		public void send() {
			this.seen.add(Thread.currentThread().getName() + " under "
					+ LockContext.all().stream().map(LockHandle::key).toList());
		}

		BlockingQueue<String> seen() {
			return this.seen;
		}

	}

	@Validated
	static class Orders {

		@DistributedLock(name = "orders", key = "@asked.key()")
		public void place(@NotNull @Nullable String sku) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableRetry(proxyTargetClass = true)
	static class RetryInside {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableRetry(proxyTargetClass = true, order = 0)
	static class RetryOutside {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching(proxyTargetClass = true)
	static class CacheInside {

		@Bean
		CacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching(proxyTargetClass = true, order = 0)
	static class CacheOutside {

		@Bean
		CacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	static class AsyncThreads {

		@Bean
		TaskExecutor taskExecutor() {
			return new SimpleAsyncTaskExecutor("mail-");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ValidationInside {

		@Bean
		static MethodValidationPostProcessor validation() {
			return create(false);
		}

		private static MethodValidationPostProcessor create(boolean first) {
			MethodValidationPostProcessor processor = new MethodValidationPostProcessor();
			processor.setProxyTargetClass(true);
			processor.setBeforeExistingAdvisors(first);
			return processor;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ValidationOutside {

		@Bean
		static MethodValidationPostProcessor validation() {
			return ValidationInside.create(true);
		}

	}

}
