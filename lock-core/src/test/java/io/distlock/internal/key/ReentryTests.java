package io.distlock.internal.key;

import java.time.Duration;

import io.distlock.LockOptions;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Sharing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who nests, and which answers of the store it waits for. */
class ReentryTests {

	private static final LeaseTerm TERM = new LeaseTerm(Duration.ofSeconds(30), true);

	private static Waiter nested() {
		return new AsyncWaiter(new AcquireOptions(TERM, Sharing.EXCLUSIVE, 0, "", LockOptions.NONE), 0,
				(waiter, outcome) -> {
				});
	}

	@Test
	void dueByThenWhenTheAnswerIsMissing() {
		assertThat(Reentry.NONE.dueBy(500, 10)).isEqualTo(500);
		Reentry one = Reentry.NONE.with(nested(), 100);
		assertThat(one.dueBy(500, 10)).isEqualTo(110);
		assertThat(one.dueBy(105, 10)).isEqualTo(105);
	}

	@Test
	void unansweredByThenOnlyAnswersToWhatWasSentSince() {
		Waiter first = nested();
		Reentry one = Reentry.NONE.with(first, 100);
		assertThat(Reentry.NONE.unansweredBy(0, TERM)).isFalse();
		assertThat(one.unansweredBy(99, TERM)).isTrue();
		assertThat(one.unansweredBy(100, TERM)).isFalse();
		assertThat(one.without(first).unansweredBy(99, TERM)).isFalse();
		assertThat(one.without(first).waiting()).isEmpty();
	}

	@Test
	void unansweredByWhenSentForAShorterLeaseThenStill() {
		Reentry one = Reentry.NONE.with(nested(), 100);
		assertThat(one.unansweredBy(100, new LeaseTerm(Duration.ofSeconds(29), true))).isTrue();
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
