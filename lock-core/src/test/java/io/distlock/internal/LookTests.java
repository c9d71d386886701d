package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import io.distlock.spi.Sharing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the next reader in line waits for. */
class LookTests {

	private static final long HALF_A_SECOND = TimeUnit.MILLISECONDS.toNanos(500);

	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private final Look look = new Look(NOW, true);

	private static Waiter reader() {
		Lease lease = new Lease(Duration.ofSeconds(30), true);
		return new AsyncWaiter(new Wish(lease, Sharing.SHARED, 0, 1, "", LockOptions.NONE), NOW, (outcome) -> {
		});
	}

	@Test
	void nextWhenNothingIsKnownThenAtOnce() {
		assertThat(new Look(NOW, false).next()).isEqualTo(NOW);
		assertThat(this.look.next()).isEqualTo(NOW + HALF_A_SECOND);
		this.look.known(NOW + 1);
		assertThat(this.look.next()).isEqualTo(NOW + 1 + HALF_A_SECOND);
	}

	@Test
	void answeredWhenTheAnswerIsOlderThenStillPending() {
		this.look.begin(reader(), NOW);
		assertThat(this.look.pending()).isTrue();
		this.look.answered(NOW - 1);
		assertThat(this.look.pending()).isTrue();
		this.look.answered(NOW);
		assertThat(this.look.pending()).isFalse();
	}

	@Test
	void answeredThenCoversTheOneItWasFor() {
		Waiter asking = reader();
		this.look.begin(asking, NOW);
		assertThat(this.look.covers(asking)).isFalse();
		this.look.answered(NOW);
		assertThat(this.look.covers(asking)).isTrue();
		assertThat(this.look.covers(reader())).isFalse();
		this.look.answered(NOW + 1);
		assertThat(this.look.covers(asking)).as("the answers after it do not take that back").isTrue();
	}

	@Test
	void missesAnswerThenAfterEachTimeoutUntilItIsThere() {
		this.look.begin(reader(), NOW);
		assertThat(this.look.dueBy(NOW + 100, 7)).isEqualTo(NOW + 7);
		assertThat(this.look.missesAnswer(NOW + 6, 7)).isFalse();
		assertThat(this.look.missesAnswer(NOW + 7, 7)).isTrue();
		assertThat(this.look.missesAnswer(NOW + 8, 7)).isFalse();
		assertThat(this.look.dueBy(NOW + 100, 7)).isEqualTo(NOW + 14);
		this.look.answered(NOW);
		assertThat(this.look.missesAnswer(NOW + 14, 7)).isFalse();
		assertThat(this.look.dueBy(NOW + 100, 7)).isEqualTo(NOW + 100);
	}

}
