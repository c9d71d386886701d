package io.distlock.jdbc;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import io.distlock.spi.ClockDrift;

/**
 * Estimates the database's clock from the last time it was seen. An estimate may be
 * wrong: each write is checked against the clock itself.
 */
final class DatabaseClock {

	/** Clocks drift, so an old sample says too little. */
	private static final long OLDEST = TimeUnit.SECONDS.toNanos(10);

	private final LongSupplier nanoTime;

	private volatile Sample last = new Sample(0, 0, false);

	/** The first round trips are often slow: half of one is too long an estimate. */
	private static final int TRIPS = 4;

	private volatile long shortestTrip = Long.MAX_VALUE;

	private final AtomicInteger trips = new AtomicInteger();

	DatabaseClock(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	long nanoTime() {
		return this.nanoTime.getAsLong();
	}

	/**
	 * The clock was seen.
	 * @param micros what it showed
	 * @param sentAt when the statement was sent
	 * @return the moment now, in microseconds of the database
	 */
	long seen(long micros, long sentAt) {
		long receivedAt = this.nanoTime.getAsLong();
		long trip = receivedAt - sentAt;
		this.shortestTrip = Math.min(this.shortestTrip, trip);
		// The answer took at least half of the shortest trip.
		boolean known = this.trips.incrementAndGet() >= TRIPS;
		long earliest = known ? micros + TimeUnit.NANOSECONDS.toMicros(this.shortestTrip / 2) : micros;
		long latest = micros + TimeUnit.NANOSECONDS.toMicros(trip);
		// A late answer says little: the estimate from before is more exact.
		OptionalLong before = at(receivedAt);
		boolean better = before.isPresent() && before.getAsLong() > earliest && before.getAsLong() <= latest;
		long now = better ? before.getAsLong() : earliest;
		this.last = new Sample(now, receivedAt, true);
		return now;
	}

	/** Estimates the time of the database in microseconds; empty after a long silence. */
	OptionalLong estimate() {
		return at(this.nanoTime.getAsLong());
	}

	private OptionalLong at(long nanoTime) {
		Sample sample = this.last;
		long age = nanoTime - sample.at();
		if (!sample.valid() || age > OLDEST) {
			return OptionalLong.empty();
		}
		return OptionalLong.of(sample.micros() + TimeUnit.NANOSECONDS.toMicros(age - ClockDrift.of(age)));
	}

	/** Forgets the clock: the next connection may lead to another server. */
	void forget() {
		this.last = new Sample(0, 0, false);
		this.shortestTrip = Long.MAX_VALUE;
		this.trips.set(0);
	}

	private record Sample(long micros, long at, boolean valid) {
	}

}
