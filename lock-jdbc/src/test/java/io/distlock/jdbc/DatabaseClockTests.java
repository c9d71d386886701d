package io.distlock.jdbc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is known of the database's clock after answers that took their time. */
class DatabaseClockTests {

	private static final long TRIP_MICROS = 200;

	private final AtomicLong nanos = new AtomicLong(TimeUnit.DAYS.toNanos(1));

	private final DatabaseClock clock = new DatabaseClock(this.nanos::get);

	/** What the database's clock shows while this machine's shows zero. */
	private long offsetMicros = TimeUnit.DAYS.toMicros(20_000);

	@BeforeEach
	void knowTheClock() {
		for (int i = 0; i < 10; i++) {
			see(TRIP_MICROS / 2, TRIP_MICROS / 2);
		}
	}

	/** The clock is read between both ways. */
	private void see(long thereMicros, long backMicros) {
		long sentAt = this.nanos.get();
		pass(thereMicros);
		long shown = actual();
		pass(backMicros);
		this.clock.seen(shown, sentAt);
	}

	private void pass(long micros) {
		this.nanos.addAndGet(TimeUnit.MICROSECONDS.toNanos(micros));
	}

	private long actual() {
		return this.offsetMicros + TimeUnit.NANOSECONDS.toMicros(this.nanos.get());
	}

	/** How far the estimate is behind the clock. */
	private long behind() {
		return actual() - this.clock.estimate().orElseThrow();
	}

	@Test
	void anAnswerThatComesLateDoesNotSpoilTheEstimate() {
		assertThat(behind()).isBetween(0L, 1L);
		see(100, 80_000);
		assertThat(behind()).as("a drift of 0.1 % in 80 ms").isBetween(0L, 90L);
		see(80_000, 100);
		assertThat(behind()).isBetween(0L, 90L);
	}

	@Test
	void aClockThatWasSetIsBelieved() {
		this.offsetMicros += TimeUnit.SECONDS.toMicros(5);
		see(100, 40_000);
		assertThat(behind()).isBetween(0L, 40_000L);
		see(100, 100);
		assertThat(behind()).isBetween(0L, 1L);
		this.offsetMicros -= TimeUnit.SECONDS.toMicros(5);
		see(100, 40_000);
		assertThat(behind()).isBetween(0L, 40_000L);
		see(100, 100);
		assertThat(behind()).isBetween(0L, 1L);
	}

	/** Each of them bounds it from above as well. */
	@Test
	void anEstimateIsNeverAheadOfWhatAnswersAllow() {
		this.offsetMicros -= 30_000;
		see(40_000, 100);
		assertThat(behind()).as("could be so").isNegative();
		see(100, 100);
		assertThat(behind()).isBetween(-TRIP_MICROS / 2, 1L);
	}

	@Test
	void anEstimateThatIsOldIsNone() {
		pass(TimeUnit.SECONDS.toMicros(11));
		assertThat(this.clock.estimate()).isEmpty();
		see(100, 40_000);
		assertThat(behind()).isBetween(0L, 40_000L);
	}

}
