package io.distlock.spring;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class FencingTokenTests {

	@Test
	void argumentIsTheTokenOfTheGrantWhateverTheCallerPasses() {
		try (LockedApplication application = LockedApplication.of(Prices.class)) {
			Prices prices = application.get(Prices.class);
			List<Long> first = prices.publish(0, "book");
			List<Long> second = prices.publish(Long.MAX_VALUE, "book");
			assertThat(first.get(0)).isPositive().isEqualTo(first.get(1));
			assertThat(second.get(0)).isGreaterThan(first.get(0)).isEqualTo(second.get(1));
		}
	}

	@Test
	void argumentMayBeABoxedLong() {
		try (LockedApplication application = LockedApplication.of(Prices.class)) {
			assertThat(application.get(Prices.class).boxed("book", null)).isPositive();
		}
	}

	@Test
	void annotationOfTheInterfaceCounts() {
		try (LockedApplication application = LockedApplication.withInterfaceProxies(ApiPrices.class)) {
			assertThat(application.get(Api.class).publish("book", 0)).isPositive();
		}
		try (LockedApplication application = LockedApplication.of(ApiPrices.class)) {
			assertThat(application.get(ApiPrices.class).publish("book", 0)).isPositive();
		}
	}

	@Test
	void nestedLocksHaveTokensOfTheirOwn() {
		try (LockedApplication application = LockedApplication.of(Prices.class, Nested.class)) {
			List<Long> tokens = application.get(Nested.class).publish(0, application.get(Prices.class));
			assertThat(tokens.get(0)).isEqualTo(tokens.get(2));
			assertThat(tokens.get(1)).isPositive().isNotEqualTo(tokens.get(0));
		}
	}

	@Test
	void keyDoesNotSeeWhatTheCallerPassed() {
		try (LockedApplication application = LockedApplication.of(ByPosition.class)) {
			assertThatExceptionOfType(LockKeyException.class)
				.isThrownBy(() -> application.get(ByPosition.class).publish(5))
				.withMessageContaining("evaluated to null");
		}
	}

	@ParameterizedTest
	@MethodSource
	void refusesWhatCannotGetAToken(Class<?> type, String text) {
		LockedApplication.assertRefused(type, text);
	}

	static Stream<Arguments> refusesWhatCannotGetAToken() {
		String unlocked = "a parameter is annotated with @FencingToken, but no lock applies. "
				+ "Annotate the method with @DistributedLock, or pass the token from the method that is";
		return Stream.of(
				arguments(OfInt.class, "the parameter annotated with @FencingToken is of type int. Make it a long"),
				arguments(OfArray.class,
						"the parameter annotated with @FencingToken is of type long[]. Make it a long"),
				arguments(Twice.class, "several parameters are annotated with @FencingToken. Keep one of them"),
				arguments(Unlocked.class, unlocked), arguments(UnlockedOfApi.class, unlocked),
				arguments(OfKey.class, "key '#token' uses #token, the fencing token, which is known only when the lock "
						+ "is held. Use the other parameters"));
	}

	static class Prices {

		@DistributedLock(name = "price", key = "#sku")
		public List<Long> publish(@FencingToken long token, String sku) {
			return List.of(token, LockContext.fencingToken());
		}

		@DistributedLock(name = "boxed", key = "#sku")
		public @Nullable Long boxed(String sku, @FencingToken @Nullable Long token) {
			return token;
		}

	}

	static class Nested {

		@DistributedLock
		public List<Long> publish(@FencingToken long token, Prices prices) {
			return List.of(token, prices.publish(0, "other").get(0), LockContext.fencingToken());
		}

	}

	interface Api {

		@DistributedLock(name = "api")
		long publish(String sku, @FencingToken long token);

	}

	static class ApiPrices implements Api {

		@Override
		public long publish(String sku, long token) {
			return token;
		}

	}

	static class ByPosition {

		@DistributedLock(key = "args[0]")
		public void publish(@FencingToken long token) {
		}

	}

	static class OfInt {

		@DistributedLock
		public void run(@FencingToken int token) {
		}

	}

	static class OfArray {

		@DistributedLock
		public void run(@FencingToken long... token) {
		}

	}

	static class Twice {

		@DistributedLock
		public void run(@FencingToken long one, @FencingToken long two) {
		}

	}

	static class Unlocked {

		public void run(@FencingToken long token) {
		}

		@DistributedLock
		public void other() {
		}

	}

	interface UnlockedApi {

		void run(@FencingToken long token);

	}

	static class UnlockedOfApi implements UnlockedApi {

		@Override
		public void run(long token) {
		}

	}

	static class OfKey {

		@DistributedLock(key = "#token")
		public void run(@FencingToken long token) {
		}

	}

}
