package io.distlock.autoconfigure;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockTemplate;
import io.distlock.docs.PackagePrivateLock;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.output.DocPage;
import io.distlock.spi.LockStore;
import io.distlock.spring.LockFailureHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** Annotated methods that cannot work, as Spring Boot explains them. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTests {

	private static final String MEMORY = "distributed-lock.store=memory";

	/** A store that limits leases; the check comes before any command. */
	private static final String[] QUARANTINE = { "distributed-lock.store=redis",
			"distributed-lock.redis.url=redis://localhost:1", "distributed-lock.redis.startup-check=off",
			"distributed-lock.redis.quarantine=40s" };

	private static final DocPage PAGE = DocPage.of("startup-messages.md");

	@ParameterizedTest
	@MethodSource
	void refusalIsOnThePage(Class<?> application, CapturedOutput output) {
		FailedStart.of(output, application, MEMORY, "five=5").isOn(PAGE, FailureAnalysisTests.class);
	}

	static Stream<Class<?>> refusalIsOnThePage() {
		return Stream.of(WrongKey.class, Private.class, Static.class, Final.class, FinalClass.class, ShortLease.class,
				LockAndSemaphore.class, TwoSizes.class, Both.class, FarFromItsMethod.class);
	}

	@Test
	void refusalOfTheSettingIsOnThePage(CapturedOutput output) {
		FailedStart.of(output, OffInterface.class, MEMORY, "spring.aop.proxy-target-class=false")
			.isOn(PAGE, FailureAnalysisTests.class);
		FailedStart.of(output, Sound.class, MEMORY, "spring.aop.auto=false").isOn(PAGE, FailureAnalysisTests.class);
		FailedStart.of(output, LongLease.class, QUARANTINE).isOn(PAGE, FailureAnalysisTests.class);
		FailedStart.of(output, Empty.class).isOn(PAGE, FailureAnalysisTests.class);
		FailedStart.of(output, TwoStores.class).isOn(PAGE, FailureAnalysisTests.class);
		FailedStart.of(output, Empty.class, MEMORY, "distributed-lock.lease-time=50ms")
			.isOn(PAGE, FailureAnalysisTests.class);
	}

	@Test
	void severalHandlersAreNamed(CapturedOutput output) {
		FailedStart failure = FailedStart.of(output, TwoHandlers.class, MEMORY);
		assertThat(failure)
			.isEqualTo(new FailedStart("There are 2 LockFailureHandler beans and none is primary: left, right.",
					"Remove all but one, or mark the one to use with @Primary."));
		DocPage.of("startup-messages.md").says(failure.description() + " " + failure.action());
	}

	@Test
	void wrongKeyExpression(CapturedOutput output) {
		assertThat(FailedStart.of(output, WrongKey.class, MEMORY)).isEqualTo(new FailedStart(
				"@DistributedLock on FailureAnalysisTests.Stock.deduct(String) of bean 'stock' cannot work: key '#skuu' "
						+ "uses the unknown variable #skuu.",
				"Did you mean #sku? The parameters are #sku, by position #p0."));
	}

	/** The nearest annotation counts, and is the one to blame. */
	@ParameterizedTest
	@ValueSource(classes = { LockOfClass.class, InheritedMethod.class })
	void semaphoreIsBlamedWhereItCounts(Class<?> type, CapturedOutput output) {
		assertThat(FailedStart.of(output, type, MEMORY).description())
			.startsWith("@DistributedSemaphore on FailureAnalysisTests.");
	}

	@Test
	void severalAtOnce(CapturedOutput output) {
		assertThat(FailedStart.of(output, Several.class, MEMORY)).isEqualTo(new FailedStart("""
				4 annotated methods cannot work:
				  - @DistributedLock on FailureAnalysisTests.Stock.deduct(String) of bean 'stock': \
				key '#skuu' uses the unknown variable #skuu.
				    Did you mean #sku? The parameters are #sku, by position #p0.
				  - @DistributedLock on FailureAnalysisTests.Private.deduct() of bean 'hidden': \
				the method is private, so no proxy sees the call.
				    Make it public, or take the lock in its body with LockTemplate.
				  - @DistributedLock on FailureAnalysisTests.ShortLease.deduct() of bean 'brief': \
				leaseTime 99ms must be between 100ms and 11574d.
				    Set it to how long the lock may outlive a process that died, for instance 30s, or leave it out.
				  - @DistributedLock on FailureAnalysisTests.Both.run() of bean 'both': \
				the method has @DistributedSemaphore too, and only one can apply.
				    Keep one of them, and call a method of another bean for the other.""",
				"Correct each of them: what to change, or what there is to choose from, is listed with it."));
	}

	@Configuration(proxyBeanMethods = false)
	static class Empty {

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoStores {

		@Bean
		LockStore left() {
			return new InMemoryLockStore();
		}

		@Bean
		LockStore right() {
			return new InMemoryLockStore();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WrongKey {

		@Bean
		Stock stock() {
			return new Stock();
		}

	}

	static class Stock {

		@DistributedLock(name = "stock", key = "#skuu")
		public void deduct(String sku) {
		}

	}

	static class Sound {

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class LongLease {

		@DistributedLock(leaseTime = "41s")
		public void deduct() {
		}

	}

	static class Final {

		@DistributedLock
		public final void deduct() {
		}

	}

	static class Private {

		@DistributedLock
		private void deduct() {
		}

	}

	static class Static {

		@DistributedLock
		public static void deduct() {
		}

	}

	static final class FinalClass {

		@DistributedLock
		public void deduct() {
		}

	}

	static class ShortLease {

		@DistributedLock(leaseTime = "99ms")
		public void deduct() {
		}

	}

	static class One {

		@DistributedLock(name = "report")
		public void run() {
		}

	}

	static class Three {

		@DistributedSemaphore(name = "report", permits = "3")
		public void run() {
		}

	}

	static class AlsoThree {

		@DistributedSemaphore(name = "report", permits = "${three:3}")
		public void run() {
		}

	}

	static class Five {

		@DistributedSemaphore(name = "report", permits = "${five}")
		public void run() {
		}

	}

	static class Both {

		@DistributedLock(name = "report")
		@DistributedSemaphore(name = "permits", permits = "3")
		public void run() {
		}

	}

	@DistributedLock(name = "all")
	static class LockOfClass {

		@DistributedSemaphore(name = "permits", permits = "0")
		public void run() {
		}

	}

	static class Plain {

		public void run() {
		}

	}

	@DistributedSemaphore(name = "permits", permits = "0")
	static class InheritedMethod extends Plain {

	}

	@Configuration(proxyBeanMethods = false)
	static class LockAndSemaphore {

		@Bean
		One one() {
			return new One();
		}

		@Bean
		Three three() {
			return new Three();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoSizes {

		@Bean
		Three three() {
			return new Three();
		}

		@Bean
		AlsoThree alsoThree() {
			return new AlsoThree();
		}

		@Bean
		Five five() {
			return new Five();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Several {

		@Bean
		Stock stock() {
			return new Stock();
		}

		@Bean
		Private hidden() {
			return new Private();
		}

		@Bean
		ShortLease brief() {
			return new ShortLease();
		}

		@Bean
		Both both() {
			return new Both();
		}

	}

	static class FarFromItsMethod extends PackagePrivateLock {

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoHandlers {

		@Bean
		LockFailureHandler left() {
			return (failure) -> null;
		}

		@Bean
		LockFailureHandler right() {
			return (failure) -> null;
		}

	}

	static class OffInterface implements Runnable {

		@Override
		public void run() {
		}

		@DistributedLock
		public void deduct() {
		}

	}

}
