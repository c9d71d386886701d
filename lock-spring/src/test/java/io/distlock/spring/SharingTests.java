package io.distlock.spring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.BeanCreationException;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockOptions;
import io.distlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Annotated methods that several may run together. */
class SharingTests {

	/** What another process gets at this moment. */
	private static boolean free(LockedApplication application, LockRequest request) {
		return application.other().tryAcquire(request.waitAtMost(Duration.ZERO)).map((handle) -> {
			handle.close();
			return true;
		}).orElse(false);
	}

	private static LockRequest read() {
		return LockRequest.of("prices").mode(LockMode.SHARED);
	}

	private static LockRequest permit(String key, int permits) {
		return LockRequest.of(key).permits(permits);
	}

	@Test
	void modeSharedLetsReadersInAndNoWriter() {
		try (LockedApplication application = LockedApplication.of(Prices.class)) {
			Prices prices = application.get(Prices.class);
			prices.read(() -> {
				assertThat(free(application, read())).isTrue();
				assertThat(free(application, LockRequest.of("prices"))).isFalse();
				return prices.read(() -> true);
			});
			prices.write(() -> {
				assertThat(free(application, read())).isFalse();
				return prices.read(() -> free(application, read()));
			});
			assertThat(free(application, LockRequest.of("prices"))).isTrue();
		}
	}

	@Test
	void semaphoreLetsAsManyInAsItSays() {
		try (LockedApplication application = LockedApplication.of(Api.class)) {
			Api api = application.get(Api.class);
			api.call("de", () -> {
				assertThat(LockContext.current()).map(LockHandle::key).contains("api:de");
				assertThat(free(application, permit("api:de", 2))).isTrue();
				try (LockHandle second = application.other().acquire(permit("api:de", 2))) {
					assertThat(second.isHeld()).isTrue();
					assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> api.call("de", () -> true))
						.withMessageStartingWith("Lock 'api:de' is busy");
				}
				return api.call("de", () -> !free(application, permit("api:de", 2)));
			});
			assertThat(free(application, permit("api:de", 1))).isTrue();
		}
	}

	@Test
	void semaphoreOnAClassOrAnAnnotationApplies() {
		try (LockedApplication application = LockedApplication.of(Reports.class)) {
			Reports reports = application.get(Reports.class);
			assertThat(reports.any(() -> free(application, permit("reports", 1)))).isFalse();
			assertThat(reports.meta(() -> free(application, permit("meta", 1)))).isFalse();
			assertThat(reports.meta(() -> free(application, permit("meta", 2)))).isTrue();
			assertThat(reports.own(() -> free(application, LockRequest.of("own")))).isFalse();
			assertThat(reports.own(() -> free(application, permit("reports", 1)))).isTrue();
		}
	}

	@Test
	void permitsMayBeAPlaceholderAndTheConfigurationWins() {
		Map<String, Object> properties = Map.of("limit", " 3 ");
		try (LockedApplication application = new LockedApplication(true, Map.of(), properties, Limited.class)) {
			application.get(Limited.class).run(() -> {
				assertThat(free(application, permit("limited", 1))).isFalse();
				assertThat(free(application, permit("limited", 2))).isTrue();
				LockRequest three = permit("limited", 3);
				try (LockHandle second = application.other().acquire(three);
						LockHandle third = application.other().acquire(three)) {
					assertThatExceptionOfType(LockBusyException.class)
						.isThrownBy(() -> application.get(Limited.class).run(() -> true));
				}
				return true;
			});
		}
		LockOptions one = LockOptions.NONE.withPermits(1);
		try (LockedApplication application = new LockedApplication(true, Map.of("limited", one), properties,
				Limited.class)) {
			application.get(Limited.class)
				.run(() -> assertThatExceptionOfType(LockBusyException.class)
					.isThrownBy(() -> application.get(Limited.class).run(() -> true)) != null);
		}
	}

	static Stream<List<Object>> wrong() {
		return Stream.of(List.of("0", "permits 0 from \"${limit}\" must be between 1 and 1000000"),
				List.of("-1", "permits -1 from \"${limit}\" must be between 1 and 1000000"),
				List.of("1000001", "permits 1000001 from \"${limit}\" must be between 1 and 1000000"),
				List.of("many", "permits \"many\" from \"${limit}\" is not a number"),
				List.of("99999999999", "permits \"99999999999\" from \"${limit}\" is not a number"));
	}

	@ParameterizedTest
	@MethodSource("wrong")
	void permitsThatAreNoneAreRefused(List<String> wrong) {
		assertThatExceptionOfType(BeanCreationException.class)
			.isThrownBy(() -> new LockedApplication(true, Map.of(), Map.of("limit", wrong.get(0)), Limited.class))
			.withMessageContaining("@DistributedSemaphore on SharingTests.Limited.run(Supplier): " + wrong.get(1)
					+ ". Set it to how many callers may hold a permit at the same time")
			.withRootCauseInstanceOf(InvalidLockDefinitionException.class);
	}

	@Test
	void permitsOfALockAreRefused() {
		LockOptions two = LockOptions.NONE.withPermits(2);
		assertThatExceptionOfType(BeanCreationException.class)
			.isThrownBy(() -> new LockedApplication(true, Map.of("prices", two), Map.of(), Prices.class))
			.withMessageContaining("distributed-lock.locks.prices.permits is set, but it is a lock. "
					+ "Remove the property, or annotate the method with @DistributedSemaphore")
			.withRootCauseInstanceOf(InvalidLockDefinitionException.class);
	}

	@Test
	void keyFailuresNameTheSemaphore() {
		try (LockedApplication application = LockedApplication.of(Api.class)) {
			assertThatExceptionOfType(LockKeyException.class)
				.isThrownBy(() -> application.get(Api.class).call(null, () -> true))
				.withMessageStartingWith(
						"@DistributedSemaphore on SharingTests.Api.call(String, Supplier): key '#tenant'");
		}
	}

	static class Prices {

		@DistributedLock(name = "prices", mode = LockMode.SHARED, waitTime = "0")
		boolean read(Supplier<Boolean> body) {
			return body.get();
		}

		@DistributedLock(name = "prices", waitTime = "0")
		boolean write(Supplier<Boolean> body) {
			return body.get();
		}

	}

	static class Api {

		@DistributedSemaphore(name = "api", key = "#tenant", permits = "2", waitTime = "0")
		boolean call(String tenant, Supplier<Boolean> body) {
			return body.get();
		}

	}

	@DistributedSemaphore(name = "reports", permits = "1")
	static class Reports {

		public boolean any(Supplier<Boolean> body) {
			return body.get();
		}

		@TwoAtATime
		public boolean meta(Supplier<Boolean> body) {
			return body.get();
		}

		@DistributedLock(name = "own")
		public boolean own(Supplier<Boolean> body) {
			return body.get();
		}

	}

	@DistributedSemaphore(name = "meta", permits = "2")
	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@interface TwoAtATime {

	}

	static class Limited {

		@DistributedSemaphore(name = "limited", permits = "${limit}", waitTime = "0")
		boolean run(Supplier<Boolean> body) {
			return body.get();
		}

	}

}
