package io.distlock.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * How much longer the first commands may take: while nodes connect for the first time,
 * until a majority of them has answered, or cannot answer any more.
 */
final class FirstConnections {

	private final AtomicInteger answered = new AtomicInteger();

	private final AtomicInteger failed = new AtomicInteger();

	private final Duration limit;

	private final LongSupplier nanoTime;

	private final long since;

	private final int majority;

	private final int mostFailures;

	/**
	 * Begins now.
	 * @param first completes per node when it has answered for the first time
	 * @param majority how many nodes are a majority
	 * @param limit how long it may take
	 * @param nanoTime the monotonic clock
	 */
	FirstConnections(List<? extends CompletionStage<?>> first, int majority, Duration limit, LongSupplier nanoTime) {
		this.majority = majority;
		this.mostFailures = first.size() - majority;
		this.limit = limit;
		this.nanoTime = nanoTime;
		this.since = nanoTime.getAsLong();
		first.forEach((answer) -> answer
			.whenComplete((seen, failure) -> ((failure == null) ? this.answered : this.failed).incrementAndGet()));
	}

	/** Returns how much is left of the time, zero once it is over. */
	Duration left() {
		if (this.answered.get() >= this.majority || this.failed.get() > this.mostFailures) {
			return Duration.ZERO;
		}
		Duration left = this.limit.minusNanos(this.nanoTime.getAsLong() - this.since);
		return left.isNegative() ? Duration.ZERO : left;
	}

}
