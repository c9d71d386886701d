package io.distlock.redis.simulation;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What happened, counted. */
final class Figures {

	private final Map<Fault, Long> faults = new EnumMap<>(Fault.class);

	long runs;

	long steps;

	long scripts;

	long acquisitions;

	long passedOn;

	/** Began beside others who believe, as they may. */
	long together;

	long refused;

	long failed;

	long losses;

	long staleWrites;

	long overlaps;

	long longestIdleMillis;

	void count(Fault fault) {
		this.faults.merge(fault, 1L, Long::sum);
	}

	void add(Figures other) {
		this.runs += other.runs;
		this.steps += other.steps;
		this.scripts += other.scripts;
		this.acquisitions += other.acquisitions;
		this.passedOn += other.passedOn;
		this.together += other.together;
		this.refused += other.refused;
		this.failed += other.failed;
		this.losses += other.losses;
		this.staleWrites += other.staleWrites;
		this.overlaps += other.overlaps;
		this.longestIdleMillis = Math.max(this.longestIdleMillis, other.longestIdleMillis);
		other.faults.forEach((fault, count) -> this.faults.merge(fault, count, Long::sum));
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT,
				"%,d runs, %,d steps, %,d scripts, %,d acquisitions (%,d of them passed on, %,d beside others), %,d refused, %,d failed, "
						+ "%,d losses told, %,d stale writes refused, %,d overlaps, longest idle %,d ms, faults %s",
				this.runs, this.steps, this.scripts, this.acquisitions, this.passedOn, this.together, this.refused,
				this.failed, this.losses, this.staleWrites, this.overlaps, this.longestIdleMillis, this.faults);
	}

}
