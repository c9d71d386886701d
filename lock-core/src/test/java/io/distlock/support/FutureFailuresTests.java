package io.distlock.support;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FutureFailuresTests {

	private final IllegalStateException failure = new IllegalStateException("inside");

	@Test
	void wrappersOfFuturesAreRemovedHoweverMany() {
		assertThat(FutureFailures.unwrap(new CompletionException(new ExecutionException(this.failure))))
			.isSameAs(this.failure);
	}

	@Test
	void otherFailuresStayAsTheyAre() {
		RuntimeException outer = new IllegalArgumentException("outside", this.failure);
		assertThat(FutureFailures.unwrap(outer)).isSameAs(outer);
	}

	@Test
	void wrapperWithoutCauseStaysAsItIs() {
		CompletionException empty = new CompletionException("empty", null);
		assertThat(FutureFailures.unwrap(empty)).isSameAs(empty);
	}

}
