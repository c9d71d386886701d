package io.distlock.internal.key;

import java.util.List;
import java.util.stream.Stream;

/**
 * Nested acquisitions of a hold's owner that wait until the store has extended the lease.
 *
 * @param waiting the acquisitions, in the order in which they arrived
 * @param since when the last of them began to wait
 */
record Reentry(List<Waiter> waiting, long since) {

	static final Reentry NONE = new Reentry(List.of(), 0);

	Reentry with(Waiter nested, long now) {
		return new Reentry(Stream.concat(this.waiting.stream(), Stream.of(nested)).toList(), now);
	}

	Reentry without(Waiter nested) {
		return new Reentry(this.waiting.stream().filter((other) -> other != nested).toList(), this.since);
	}

	/**
	 * Whether one of them began to wait after a moment, so that older answers say
	 * nothing.
	 */
	boolean begunAfter(long moment) {
		return !this.waiting.isEmpty() && moment - this.since < 0;
	}

	/** Whether they have waited for longer than the store may take to answer. */
	boolean unanswered(long now, long timeoutNanos) {
		return !this.waiting.isEmpty() && now - this.since >= timeoutNanos;
	}

}
