package io.distlock.spring.intercept;

import java.util.concurrent.CompletableFuture;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.distlock.LockException;
import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.LockedMethodId;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a skipped method returns whose result is not there yet. */
class SkipPolicyTests {

	@Test
	void skipOfDeferredResultsThenTheirOwnEmptyResult() throws Throwable {
		assertThat(skipped("future", null)).asInstanceOf(InstanceOfAssertFactories.completableFuture(String.class))
			.isCompletedWithValue(null);
		assertThat(skipped("futureNumber", "7"))
			.asInstanceOf(InstanceOfAssertFactories.completableFuture(Integer.class))
			.isCompletedWithValue(7);
		assertThat(((Mono<?>) skipped("mono", null)).blockOptional()).isEmpty();
		assertThat(((Flux<?>) skipped("flux", null)).collectList().block()).isEmpty();
		assertThatExceptionOfType(InvalidLockDefinitionException.class).isThrownBy(() -> skipped("mono", "a"))
			.withMessageContaining("skipValue is \"a\", but the method returns Mono. Leave it out, and let the caller "
					+ "say what an empty result means");
	}

	private static @Nullable Object skipped(String method, @Nullable String value) throws Throwable {
		LockedMethodId id = new LockedMethodId(Deferred.class.getMethod(method));
		return SkipPolicy.of(id, "onBusy is SKIP", value, Deferred.class)
			.answer(null, new LockException("", "busy", null));
	}

	static class Deferred {

		public CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("done");
		}

		public CompletableFuture<Integer> futureNumber() {
			return CompletableFuture.completedFuture(1);
		}

		public Mono<String> mono() {
			return Mono.just("done");
		}

		public Flux<String> flux() {
			return Flux.just("done");
		}

	}

}
