package io.distlock.spring;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.distlock.DistributedLock;
import io.distlock.LockHandle;
import io.distlock.OnBusy;

import static org.assertj.core.api.Assertions.assertThat;

/** What skipped calls return belongs to their callers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SkipValueTests {

	private final LockedApplication application = LockedApplication.of(Prices.class);

	private final Prices prices = this.application.get(Prices.class);

	private final LockHandle held = this.application.other().acquire("prices");

	@AfterAll
	void close() {
		this.held.close();
		this.application.close();
	}

	static Stream<Arguments> values() {
		return Stream.of(Arguments.of("list", (Function<Prices, Object>) Prices::list),
				Arguments.of("array", (Function<Prices, Object>) Prices::array),
				Arguments.of("result", (Function<Prices, Object>) Prices::stage),
				Arguments.of("list of result", (Function<Prices, Object>) (prices) -> prices.stage().join()),
				Arguments.of("empty result", (Function<Prices, Object>) Prices::nothing));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("values")
	void valueThatCanBeChangedIsTheCallersOwn(String name, Function<Prices, Object> call) {
		assertThat(call.apply(this.prices)).isNotSameAs(call.apply(this.prices));
	}

	@Test
	void callerDoesNotSeeWhatAnotherWrote() {
		this.prices.list().add("c");
		this.prices.array()[0] = "c";
		assertThat(this.prices.list()).containsExactly("a", "b");
		assertThat(this.prices.array()).containsExactly("a", "b");
	}

	static class Prices {

		@DistributedLock(name = "prices", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "a,b")
		public List<String> list() {
			throw new AssertionError();
		}

		@DistributedLock(name = "prices", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "a,b")
		public String[] array() {
			throw new AssertionError();
		}

		@DistributedLock(name = "prices", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "a,b")
		public CompletableFuture<List<String>> stage() {
			throw new AssertionError();
		}

		@DistributedLock(name = "prices", waitTime = "0", onBusy = OnBusy.SKIP)
		public CompletableFuture<Void> nothing() {
			throw new AssertionError();
		}

	}

}
