package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.HoldPolicy;
import io.distlock.spi.Sharing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the next reader in line waits for. */
class ReadersTests {

	private static final long HALF_A_SECOND = TimeUnit.MILLISECONDS.toNanos(500);

	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private final Readers readers = new Readers(NOW, true);

	private static Waiter reader() {
		Lease lease = new Lease(Duration.ofSeconds(30), true);
		return new AsyncWaiter(new Wish(lease, Sharing.SHARED, 0, 1, "", HoldPolicy.NONE), NOW, (outcome) -> {
		});
	}

	@Test
	void nextLookWhenNothingIsKnownThenAtOnce() {
		assertThat(new Readers(NOW, false).nextLook()).isEqualTo(NOW);
		assertThat(this.readers.nextLook()).isEqualTo(NOW + HALF_A_SECOND);
		this.readers.known(NOW + 1);
		assertThat(this.readers.nextLook()).isEqualTo(NOW + 1 + HALF_A_SECOND);
	}

	@Test
	void lookedWhenTheAnswerIsOlderThenStillLooking() {
		this.readers.look(reader(), NOW);
		assertThat(this.readers.looking()).isTrue();
		this.readers.looked(NOW - 1);
		assertThat(this.readers.looking()).isTrue();
		this.readers.looked(NOW);
		assertThat(this.readers.looking()).isFalse();
	}

	@Test
	void lookedThenCoversTheOneItWasFor() {
		Waiter asking = reader();
		this.readers.look(asking, NOW);
		assertThat(this.readers.covers(asking)).isFalse();
		this.readers.looked(NOW);
		assertThat(this.readers.covers(asking)).isTrue();
		assertThat(this.readers.covers(reader())).isFalse();
		this.readers.looked(NOW + 1);
		assertThat(this.readers.covers(asking)).as("the answers after it do not take that back").isTrue();
	}

	@Test
	void missesAnswerThenAfterEachTimeoutUntilItIsThere() {
		this.readers.look(reader(), NOW);
		assertThat(this.readers.dueBy(NOW + 100, 7)).isEqualTo(NOW + 7);
		assertThat(this.readers.missesAnswer(NOW + 6, 7)).isFalse();
		assertThat(this.readers.missesAnswer(NOW + 7, 7)).isTrue();
		assertThat(this.readers.missesAnswer(NOW + 8, 7)).isFalse();
		assertThat(this.readers.dueBy(NOW + 100, 7)).isEqualTo(NOW + 14);
		this.readers.looked(NOW);
		assertThat(this.readers.missesAnswer(NOW + 14, 7)).isFalse();
		assertThat(this.readers.dueBy(NOW + 100, 7)).isEqualTo(NOW + 100);
	}

}
