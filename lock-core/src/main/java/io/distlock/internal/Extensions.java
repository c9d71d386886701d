package io.distlock.internal;

import java.util.List;
import java.util.stream.Stream;

/**
 * Nested acquisitions that wait until the store has lengthened the lease of the hold they
 * are to enter.
 *
 * @param waiting who, in the order in which they came
 * @param since when the last of them began to wait
 */
record Extensions(List<Waiter> waiting, long since) {

	static final Extensions NONE = new Extensions(List.of(), 0);

	Extensions with(Waiter nested, long now) {
		return new Extensions(Stream.concat(this.waiting.stream(), Stream.of(nested)).toList(), now);
	}

	Extensions without(Waiter nested) {
		return new Extensions(this.waiting.stream().filter((other) -> other != nested).toList(), this.since);
	}

	/** Whether an answer to what was sent at a moment says nothing to who waits. */
	boolean begunAfter(long sentAt) {
		return !this.waiting.isEmpty() && sentAt - this.since < 0;
	}

	/** Whether somebody has waited for longer than the store may take to answer. */
	boolean unanswered(long now, long timeoutNanos) {
		return !this.waiting.isEmpty() && now - this.since >= timeoutNanos;
	}

}
