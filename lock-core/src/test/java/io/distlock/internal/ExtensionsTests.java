package io.distlock.internal;

import java.time.Duration;

import io.distlock.LockOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who nests, and which answers of the store it waits for. */
class ExtensionsTests {

	private static Waiter nested() {
		return new AsyncWaiter(new Wish(new Lease(Duration.ofSeconds(30), true), 0, 1, "", LockOptions.NONE), 0,
				(outcome) -> {
				});
	}

	@Test
	void begunAfterThenOnlyAnswersToWhatWasSentSince() {
		Waiter first = nested();
		Extensions one = Extensions.NONE.with(first, 100);
		assertThat(Extensions.NONE.begunAfter(0)).isFalse();
		assertThat(one.begunAfter(99)).isTrue();
		assertThat(one.begunAfter(100)).isFalse();
		assertThat(one.without(first).begunAfter(99)).isFalse();
		assertThat(one.without(first).waiting()).isEmpty();
	}

	@Test
	void unansweredThenOnlyOnceTheStoreHadItsTime() {
		Waiter first = nested();
		Waiter second = nested();
		Extensions both = Extensions.NONE.with(first, 100).with(second, 200);
		assertThat(both.waiting()).containsExactly(first, second);
		assertThat(both.unanswered(209, 10)).isFalse();
		assertThat(both.unanswered(210, 10)).isTrue();
		assertThat(Extensions.NONE.unanswered(210, 10)).isFalse();
	}

}
