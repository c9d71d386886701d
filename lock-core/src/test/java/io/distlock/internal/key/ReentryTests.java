package io.distlock.internal.key;

import java.time.Duration;

import io.distlock.LockOptions;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Sharing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who nests, and which answers of the store it waits for. */
class ReentryTests {

	private static Waiter nested() {
		return new AsyncWaiter(new AcquireOptions(new LeaseTerm(Duration.ofSeconds(30), true), Sharing.EXCLUSIVE, 0, 1,
				"", LockOptions.NONE), 0, (outcome) -> {
				});
	}

	@Test
	void begunAfterThenOnlyAnswersToWhatWasSentSince() {
		Waiter first = nested();
		Reentry one = Reentry.NONE.with(first, 100);
		assertThat(Reentry.NONE.begunAfter(0)).isFalse();
		assertThat(one.begunAfter(99)).isTrue();
		assertThat(one.begunAfter(100)).isFalse();
		assertThat(one.without(first).begunAfter(99)).isFalse();
		assertThat(one.without(first).waiting()).isEmpty();
	}

	@Test
	void unansweredThenOnlyOnceTheStoreHadItsTime() {
		Waiter first = nested();
		Waiter second = nested();
		Reentry both = Reentry.NONE.with(first, 100).with(second, 200);
		assertThat(both.waiting()).containsExactly(first, second);
		assertThat(both.unanswered(209, 10)).isFalse();
		assertThat(both.unanswered(210, 10)).isTrue();
		assertThat(Reentry.NONE.unanswered(210, 10)).isFalse();
	}

}
