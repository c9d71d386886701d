package io.distlock.internal.key;

import java.util.List;
import java.util.stream.Stream;

import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;

/**
 * Extensions of a hold that wait for the answer of the store.
 *
 * @param waiting the extensions, in the order in which they arrived
 * @param since when the last of them began to wait
 */
record Extensions(List<Waiter> waiting, long since) {

	static final Extensions NONE = new Extensions(List.of(), 0);

	Extensions with(Waiter extension, long now) {
		return new Extensions(Stream.concat(this.waiting.stream(), Stream.of(extension)).toList(), now);
	}

	Extensions without(Waiter extension) {
		return new Extensions(this.waiting.stream().filter((other) -> other != extension).toList(), this.since);
	}

	/**
	 * Whether the answer does not cover the waiting extensions: one of them came after
	 * the command, or wants a longer lease.
	 * @param sentAt when the command was sent
	 * @param term what it requested
	 */
	boolean unansweredBy(long sentAt, LeaseTerm term) {
		if (this.waiting.isEmpty()) {
			return false;
		}
		return sentAt - this.since < 0
				|| this.waiting.stream().anyMatch((extension) -> extension.term().nanos() > term.nanos());
	}

	/** When the time of the first one is over. */
	long dueBy(long latest) {
		long next = latest;
		for (Waiter extension : this.waiting) {
			next = LocalDeadline.earlier(next, extension.deadline());
		}
		return next;
	}

	/** Those whose time is over, also while later ones wait for the same answer. */
	List<Waiter> overdue(long now) {
		return this.waiting.stream().filter((extension) -> extension.remaining(now) <= 0).toList();
	}

}
