package io.distlock.internal.key;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Sharing;
import io.distlock.spi.Sharing;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the next reader in line waits for. */
class WaiterProbeTests {

	private static final long HALF_A_SECOND = TimeUnit.MILLISECONDS.toNanos(500);

	private static final long NOW = TimeUnit.DAYS.toNanos(3);

	private final WaiterProbe probe = new WaiterProbe(NOW, true);

	private static Waiter reader() {
		LeaseTerm lease = new LeaseTerm(Duration.ofSeconds(30), true);
		return new AsyncWaiter(new AcquireOptions(lease, Sharing.SHARED, 0, "", LockOptions.NONE), NOW,
				(waiter, outcome) -> {
				});
	}

	@Test
	void nextWhenNothingIsKnownThenAtOnce() {
		assertThat(new WaiterProbe(NOW, false).next()).isEqualTo(NOW);
		assertThat(this.probe.next()).isEqualTo(NOW + HALF_A_SECOND);
		this.probe.known(NOW + 1);
		assertThat(this.probe.next()).isEqualTo(NOW + 1 + HALF_A_SECOND);
	}

	@Test
	void answeredWhenTheAnswerIsOlderThenStillPending() {
		this.probe.begin(reader(), NOW);
		assertThat(this.probe.pending()).isTrue();
		this.probe.answered(NOW - 1);
		assertThat(this.probe.pending()).isTrue();
		this.probe.answered(NOW);
		assertThat(this.probe.pending()).isFalse();
	}

	@Test
	void answeredThenCoversTheOneItWasFor() {
		Waiter asking = reader();
		this.probe.begin(asking, NOW);
		assertThat(this.probe.covers(asking)).isFalse();
		this.probe.answered(NOW);
		assertThat(this.probe.covers(asking)).isTrue();
		assertThat(this.probe.covers(reader())).isFalse();
		this.probe.answered(NOW + 1);
		assertThat(this.probe.covers(asking)).as("the answers after it do not take that back").isTrue();
	}

	@Test
	void missesAnswerThenAfterEachTimeoutUntilItIsThere() {
		this.probe.begin(reader(), NOW);
		assertThat(this.probe.dueBy(NOW + 100, 7)).isEqualTo(NOW + 7);
		assertThat(this.probe.missesAnswer(NOW + 6, 7)).isFalse();
		assertThat(this.probe.missesAnswer(NOW + 7, 7)).isTrue();
		assertThat(this.probe.missesAnswer(NOW + 8, 7)).isFalse();
		assertThat(this.probe.dueBy(NOW + 100, 7)).isEqualTo(NOW + 14);
		this.probe.answered(NOW);
		assertThat(this.probe.missesAnswer(NOW + 14, 7)).isFalse();
		assertThat(this.probe.dueBy(NOW + 100, 7)).isEqualTo(NOW + 100);
	}

}
