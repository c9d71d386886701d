package io.distlock.jdbc;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import io.distlock.spi.ClockDrift;

/**
 * Estimates the database's clock from the last time that the database reported. An
 * estimate may be wrong, so the database checks each write against its clock.
 */
final class DatabaseClock {

	/** The age of the oldest useful sample; clocks drift. */
	private static final long OLDEST = TimeUnit.SECONDS.toNanos(10);

	private final LongSupplier nanoTime;

	private volatile Sample last = new Sample(0, 0, false);

	/**
	 * How many round trips to measure before half of the shortest one counts; the first
	 * ones are often slow.
	 */
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
	 * Records a time that the database reported.
	 * @param micros the reported time
	 * @param sentAt when the statement was sent
	 * @return the moment now, in microseconds of the database
	 */
	long seen(long micros, long sentAt) {
		long receivedAt = this.nanoTime.getAsLong();
		long trip = receivedAt - sentAt;
		this.shortestTrip = Math.min(this.shortestTrip, trip);
		// The answer took at least half of the shortest round trip.
		boolean known = this.trips.incrementAndGet() >= TRIPS;
		long earliest = known ? micros + TimeUnit.NANOSECONDS.toMicros(this.shortestTrip / 2) : micros;
		long latest = micros + TimeUnit.NANOSECONDS.toMicros(trip);
		// A late answer says little: the earlier estimate is more exact.
		OptionalLong before = at(receivedAt);
		boolean better = before.isPresent() && before.getAsLong() > earliest && before.getAsLong() <= latest;
		long now = better ? before.getAsLong() : earliest;
		this.last = new Sample(now, receivedAt, true);
		return now;
	}

	/**
	 * Estimates the time of the database in microseconds; empty if the last sample is too
	 * old.
	 */
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

	/** Forgets the clock, because the next connection may lead to another server. */
	void forget() {
		this.last = new Sample(0, 0, false);
		this.shortestTrip = Long.MAX_VALUE;
		this.trips.set(0);
	}

	private record Sample(long micros, long at, boolean valid) {
	}

}
