package io.distlock.lab.run;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;

import io.distlock.lab.event.LabEvent;
import io.distlock.lab.event.LabEvent.Kind;
import io.distlock.lab.run.Moment.Change;

/**
 * Brings the events of several nodes, which arrive in any order, into the order in which
 * they happened. Passes them on as soon as no node can report an earlier one. For one
 * thread at a time.
 */
final class EventOrder {

	private final PriorityQueue<Numbered> moments = new PriorityQueue<>(
			Comparator.<Numbered>comparingLong((each) -> each.moment().micros()).thenComparingLong(Numbered::number));

	private final long[] complete;

	private final boolean[] silent;

	private final Consumer<Moment> next;

	private long number;

	EventOrder(int nodes, Consumer<Moment> next) {
		this.complete = new long[nodes + 1];
		this.silent = new boolean[nodes + 1];
		this.next = next;
	}

	/** Adds an event of a node; nodes are numbered from 1. */
	void add(int node, LabEvent event) {
		if (event.kind() == Kind.HEARTBEAT) {
			this.complete[node] = Math.max(this.complete[node], event.micros());
		}
		else {
			this.moments.add(new Numbered(new Moment(node, event.micros(), event, null), this.number++));
		}
	}

	/** Records what was done to a node or a server. */
	void change(int node, long micros, Change change) {
		this.silent[node] = change == Change.FROZEN || change == Change.KILLED;
		this.moments.add(new Numbered(new Moment(node, micros, null, change), this.number++));
	}

	/** Passes on what is complete. */
	void advance() {
		long until = Long.MAX_VALUE;
		for (int node = 1; node < this.complete.length; node++) {
			if (!this.silent[node]) {
				until = Math.min(until, this.complete[node]);
			}
		}
		advance(until);
	}

	/** Passes on all remaining events: no node reports any more. */
	void finish() {
		advance(Long.MAX_VALUE);
	}

	private void advance(long until) {
		for (Numbered first = this.moments.peek(); first != null
				&& first.moment().micros() <= until; first = this.moments.peek()) {
			this.moments.remove();
			this.next.accept(first.moment());
		}
	}

	private record Numbered(Moment moment, long number) {
	}

}
