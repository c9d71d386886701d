package io.distlock.internal.key;

import java.util.List;
import java.util.stream.Stream;

import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;

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
	 * Whether the answer does not cover the waiting acquisitions: one of them came after
	 * the command, or wants a longer lease.
	 * @param sentAt when the command was sent
	 * @param term what it requested
	 */
	boolean unansweredBy(long sentAt, LeaseTerm term) {
		if (this.waiting.isEmpty()) {
			return false;
		}
		// mutant: reentry-term
		boolean shorter = this.waiting.stream().anyMatch((nested) -> nested.term().nanos() > term.nanos());
		return sentAt - this.since < 0 || shorter;
	}

	/** When they will have waited for longer than the store may take to answer. */
	long dueBy(long latest, long timeoutNanos) {
		if (this.waiting.isEmpty()) {
			return latest;
		}
		// mutant: extend-timeout
		long next = LocalDeadline.earlier(latest, this.since + timeoutNanos);
		for (Waiter nested : this.waiting) {
			next = nested.entersHold() ? next : LocalDeadline.earlier(next, nested.deadline());
		}
		return next;
	}

	/** Extensions whose time is over, also while later ones wait for the same answer. */
	List<Waiter> overdue(long now) {
		return this.waiting.stream().filter((nested) -> !nested.entersHold() && nested.remaining(now) <= 0).toList();
	}

	/** Whether they have waited for longer than the store may take to answer. */
	boolean unanswered(long now, long timeoutNanos) {
		return !this.waiting.isEmpty() && now - this.since >= timeoutNanos;
	}

}
