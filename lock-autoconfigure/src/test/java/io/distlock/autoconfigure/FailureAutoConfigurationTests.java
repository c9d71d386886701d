package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.OnStoreFailure;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockNotTaken;
import io.distlock.observe.LockObserver;
import io.distlock.spi.LockStore;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.FaultyLockStore.Fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What the configuration says about failures of the store and minimum holds. */
class FailureAutoConfigurationTests {

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore());

	private final ApplicationContextRunner empty = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withBean(LockStore.class, () -> this.store)
		.withBean(Unlocked.class);

	private final ApplicationContextRunner runner = this.empty.withBean(Jobs.class);

	@Test
	void onStoreFailureWhenNotSetThenFails() {
		this.runner.run((context) -> {
			this.store.injectAll(Fault.REFUSE);
			assertFails(context.getBean(Jobs.class)::silent);
			assertFails(context.getBean(Jobs.class)::careful);
			assertThat(context.getBean(Jobs.class).careless()).isTrue();
			assertThat(runsWithoutLock(context)).isEqualTo(1);
		});
	}

	@Test
	void onStoreFailureWhenSetThenForMethodsThatDoNotSayIt() {
		this.runner.withPropertyValues("distributed-lock.on-store-failure=run-without-lock").run((context) -> {
			assertThat(context.getBean(Jobs.class).silent()).as("runs without its lock").isFalse();
			this.store.injectAll(Fault.REFUSE);
			assertThat(context.getBean(Jobs.class).silent()).isTrue();
			assertFails(context.getBean(Jobs.class)::careful);
			assertThat(runsWithoutLock(context)).isEqualTo(1);
		});
	}

	@Test
	void onStoreFailureWhenSetForOneLockThenWinsOverTheAnnotation() {
		this.runner
			.withPropertyValues("distributed-lock.locks.careful.on-store-failure=run-without-lock",
					"distributed-lock.locks.careless.on-store-failure=fail")
			.run((context) -> {
				this.store.injectAll(Fault.REFUSE);
				assertThat(context.getBean(Jobs.class).careful()).isTrue();
				assertFails(context.getBean(Jobs.class)::careless);
				assertFails(context.getBean(Jobs.class)::silent);
			});
	}

	@Test
	void onStoreFailureWhenAMethodWantsATokenThenItMustFail() {
		String property = "distributed-lock.on-store-failure=run-without-lock";
		this.empty.withBean(Fenced.class)
			.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("it may run without "));
		this.empty.withBean(FencedCareful.class).withPropertyValues(property).run((context) -> {
			assertThat(context.getBean(FencedCareful.class).run(0)).isPositive();
			this.store.injectAll(Fault.REFUSE);
			assertFails(() -> context.getBean(FencedCareful.class).run(0));
		});
	}

	@Test
	void minHoldWhenZeroOrNotSetThenFreeAfterTheMethod() {
		this.runner.withPropertyValues("short=0s").run((context) -> {
			context.getBean(Jobs.class).job();
			context.getBean(Jobs.class).silent();
			assertThat(isFree(context, "job")).isTrue();
			assertThat(isFree(context, "silent")).isTrue();
		});
	}

	@Test
	void minHoldThenStillTakenWhenTheApplicationIsStartedAnew() {
		this.runner.withPropertyValues("short=1h").run((context) -> {
			context.getBean(Jobs.class).job();
			assertThat(isFree(context, "job")).isFalse();
		});
		this.runner.run((context) -> assertThat(isFree(context, "job")).isFalse());
	}

	@Test
	void minHoldWhenSetForTheLockThenWinsOverTheAnnotation() {
		this.runner
			.withPropertyValues("short=1h", "distributed-lock.locks.job.min-hold=0s",
					"distributed-lock.locks.silent.min-hold=1h")
			.run((context) -> {
				context.getBean(Jobs.class).job();
				context.getBean(Jobs.class).silent();
				assertThat(isFree(context, "job")).isTrue();
				assertThat(isFree(context, "silent")).isFalse();
			});
	}

	@Test
	void minHoldWhenOutOfRangeThenTheApplicationDoesNotStart() {
		this.runner.withPropertyValues("short=1h", "distributed-lock.locks.job.min-hold=-1s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("distributed-lock.locks.job.min-hold is -1s but must be between 0 and 11574d"));
		this.runner.withPropertyValues("short=-1s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(
						"minHold -1s from \"${short:0s}\" must be between 0 and 11574d. Set it to how far the clocks"));
	}

	@Test
	void minHoldWhenLongerThanTheQuarantineThenTheApplicationDoesNotStart() {
		ApplicationContextRunner quarantine = new ApplicationContextRunner()
			.withConfiguration(LockApplications.withoutRedis())
			.withBean(Jobs.class)
			.withPropertyValues("distributed-lock.store=redis", "distributed-lock.redis.url=redis://localhost:1",
					"distributed-lock.redis.startup-check=off", "distributed-lock.redis.quarantine=1m");
		quarantine.withPropertyValues("short=2m")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("minHold 2m is longer than the quarantine of 1m"));
		quarantine.withPropertyValues("distributed-lock.locks.job.min-hold=2m")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("distributed-lock.locks.job.min-hold is 2m"));
	}

	private static void assertFails(Runnable call) {
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(call::run);
	}

	private static int runsWithoutLock(AssertableApplicationContext context) {
		return context.getBean(Unlocked.class).runs.get();
	}

	private static boolean isFree(AssertableApplicationContext context, String key) {
		return context.getBean(LockTemplate.class)
			.tryAcquire(LockRequest.of(key).waitAtMost(Duration.ZERO))
			.map((lock) -> {
				lock.close();
				return true;
			})
			.orElse(false);
	}

	/** Methods tell whether they ran without a lock. */
	static class Jobs {

		@DistributedLock(name = "silent")
		public boolean silent() {
			return isUnlocked();
		}

		@DistributedLock(name = "careful", onStoreFailure = OnStoreFailure.FAIL)
		public boolean careful() {
			return isUnlocked();
		}

		@DistributedLock(name = "careless", onStoreFailure = OnStoreFailure.RUN_WITHOUT_LOCK)
		public boolean careless() {
			return isUnlocked();
		}

		@DistributedLock(name = "job", minHold = "${short:0s}")
		public void job() {
			assertThat(LockContext.current()).map(LockHandle::isHeld).contains(true);
		}

		private static boolean isUnlocked() {
			return LockContext.current().isEmpty();
		}

	}

	static class Fenced {

		@DistributedLock(name = "fenced")
		public long run(@FencingToken long token) {
			return token;
		}

	}

	static class FencedCareful {

		@DistributedLock(name = "fenced", onStoreFailure = OnStoreFailure.FAIL)
		public long run(@FencingToken long token) {
			return token;
		}

	}

	/** Counts what ran without its lock. */
	static class Unlocked implements LockObserver {

		private final AtomicInteger runs = new AtomicInteger();

		@Override
		public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
			return null;
		}

		@Override
		public void notTaken(LockNotTaken lock) {
			if (lock.reason() == LockNotTaken.Reason.STORE_FAILURE) {
				this.runs.incrementAndGet();
			}
		}

	}

}
