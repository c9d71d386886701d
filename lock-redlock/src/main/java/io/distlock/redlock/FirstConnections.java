package io.distlock.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Gives commands more time while nodes connect for the first time. The extra time ends
 * once a majority of the nodes has answered, or can no longer answer.
 */
final class FirstConnections {

	private final CompletableFuture<Void> over = new CompletableFuture<>();

	private final AtomicInteger answered = new AtomicInteger();

	private final AtomicInteger failed = new AtomicInteger();

	private final Duration limit;

	private final LongSupplier nanoTime;

	private final long since;

	private final int majority;

	private final int mostFailures;

	private final int nodes;

	/**
	 * Starts to measure the time now.
	 * @param first one stage per node, completed when the node has answered for the first
	 * time
	 * @param majority how many nodes are a majority
	 * @param limit how long it may take
	 * @param nanoTime the monotonic clock
	 */
	FirstConnections(List<? extends CompletionStage<?>> first, int majority, Duration limit, LongSupplier nanoTime) {
		this.majority = majority;
		this.nodes = first.size();
		this.mostFailures = this.nodes - majority;
		this.limit = limit;
		this.nanoTime = nanoTime;
		this.since = nanoTime.getAsLong();
		first.forEach((answer) -> answer.whenComplete((seen, failure) -> {
			((failure == null) ? this.answered : this.failed).incrementAndGet();
			if (isOver()) {
				this.over.complete(null);
			}
		}));
	}

	private boolean isOver() {
		return this.answered.get() >= this.majority || this.failed.get() > this.mostFailures;
	}

	/** Returns the time that is left; zero once it is over. */
	Duration left() {
		if (isOver()) {
			return Duration.ZERO;
		}
		Duration left = this.limit.minusNanos(this.nanoTime.getAsLong() - this.since);
		return left.isNegative() ? Duration.ZERO : left;
	}

	/**
	 * Runs an action once a majority of the nodes has answered, or can no longer answer.
	 * @param action an action that is quick and never blocks
	 */
	void whenOver(Runnable action) {
		this.over.thenRun(action);
	}

	/**
	 * Returns how much longer a command may wait for a connection to the slowest node.
	 * @return the limit until every node has answered or failed, even nodes that a
	 * majority does not need; then zero
	 */
	Duration ofSlowest() {
		return (this.answered.get() + this.failed.get() < this.nodes) ? this.limit : Duration.ZERO;
	}

}
