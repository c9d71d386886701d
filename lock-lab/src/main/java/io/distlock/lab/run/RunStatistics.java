package io.distlock.lab.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

import io.distlock.lab.event.LabEvent;
import io.distlock.lab.event.LabEvent.Kind;

/**
 * Computes the figures of a run from the events that its nodes record. Events of several
 * nodes arrive in any order. They are processed in the order in which they happened, as
 * soon as no node can report an earlier one. For one thread at a time.
 * <p>
 * A caller is inside from {@link Kind#ENTER} to {@link Kind#LEAVE}, but not while its
 * process is frozen, and not after its process was killed. One that was frozen inside and
 * leaves without having written ({@link Kind#ABANDON}) was inside until it was frozen.
 */
final class RunStatistics {

	private static final long REMEMBERED_MICROS = 10_000_000;

	private final int limit;

	private final long[] complete;

	private final boolean[] silent;

	private final boolean[] dead;

	private final PriorityQueue<Moment> moments = new PriorityQueue<>(
			Comparator.comparingLong(Moment::micros).thenComparingLong(Moment::order));

	private final Map<Integer, Open> open = new HashMap<>();

	private final Deque<Closed> recent = new ArrayDeque<>();

	private final List<Closed> fresh = new ArrayList<>();

	private final BitSet items = new BitSet();

	private int[] waits = new int[1024];

	private int waited;

	private boolean entered;

	private long order;

	private long overlapSince = -1;

	private long longestOverlap;

	private int overlaps;

	private int sold;

	private int doubles;

	private int refused;

	private int broken;

	private long failures;

	private long retries;

	private long conflicts;

	private long first = Long.MAX_VALUE;

	private long last;

	/**
	 * Begins a run.
	 * @param nodes how many nodes report
	 * @param limit how many may be inside at a time, 0 for any number
	 */
	RunStatistics(int nodes, int limit) {
		this.limit = limit;
		this.complete = new long[nodes + 1];
		this.silent = new boolean[nodes + 1];
		this.dead = new boolean[nodes + 1];
	}

	/** Adds an event of a node; nodes are numbered from 1. */
	void add(int node, LabEvent event) {
		switch (event.kind()) {
			case HEARTBEAT -> this.complete[node] = Math.max(this.complete[node], event.micros());
			case COUNTS -> {
				this.retries += event.value();
				this.conflicts += event.extra();
			}
			default -> this.moments.add(new Moment(event.micros(), this.order++, node, event.kind(), event));
		}
	}

	/** Records that the process of a node was stopped, continued or killed. */
	void change(int node, long micros, Change change) {
		this.silent[node] = change != Change.THAWED;
		LabEvent marker = new LabEvent(Kind.HEARTBEAT, change.ordinal(), micros, 0, 0);
		this.moments.add(new Moment(micros, this.order++, node, Kind.HEARTBEAT, marker));
	}

	/** Processes all events older than the last heartbeat of every running node. */
	void advance() {
		long until = Long.MAX_VALUE;
		for (int node = 1; node < this.complete.length; node++) {
			if (!this.silent[node]) {
				until = Math.min(until, this.complete[node]);
			}
		}
		advance(until);
	}

	/** Processes all remaining events: no node reports any more. */
	void finish() {
		advance(Long.MAX_VALUE);
	}

	private void advance(long until) {
		for (Moment next = this.moments.peek(); next != null && next.micros() <= until; next = this.moments.peek()) {
			this.moments.remove();
			look(next);
		}
	}

	private void look(Moment moment) {
		LabEvent event = moment.event();
		switch (moment.kind()) {
			case ENTER -> enter(moment, event);
			case LEAVE, ABANDON -> leave(moment, event.caller());
			case SOLD -> sell(event);
			case REFUSED -> this.refused++;
			case FAILURE -> {
				this.failures++;
				this.broken += event.value();
			}
			case HEARTBEAT -> change(moment, Change.values()[event.caller()]);
			default -> {
				return;
			}
		}
		if (moment.kind() == Kind.ENTER && this.dead[moment.node()]) {
			// It came in while the signal was on its way, and was gone with its process.
			leave(moment, event.caller());
		}
		this.last = Math.max(this.last, moment.micros());
	}

	private void enter(Moment moment, LabEvent event) {
		this.entered = true;
		this.first = Math.min(this.first, moment.micros());
		wait(event.value());
		Open section = new Open(moment.node(), event.caller(), moment.micros());
		List<Open> others = this.open.values().stream().filter((other) -> other.frozen < 0 && !other.late).toList();
		this.open.put(event.caller(), section);
		if (this.limit > 0 && others.size() >= this.limit) {
			this.overlaps++;
			section.overlap = true;
			others.forEach((other) -> other.overlap = true);
		}
		measure(moment.micros());
	}

	private void leave(Moment moment, int caller) {
		Open section = this.open.remove(caller);
		if (section == null) {
			return;
		}
		long end = moment.micros();
		if (section.late) {
			if (moment.kind() == Kind.ABANDON) {
				end = section.frozen;
			}
			else {
				meet(section, end);
			}
		}
		close(section, end);
		measure(moment.micros());
	}

	/** A caller that was frozen wrote after it woke up: who else was inside then? */
	private void meet(Open section, long end) {
		long longest = 0;
		int others = 0;
		for (Open other : this.open.values()) {
			if (other.frozen < 0 && !other.late) {
				others++;
				other.overlap = true;
				longest = Math.max(longest, end - Math.max(section.thawed, other.from));
			}
		}
		for (Closed other : this.recent) {
			if (other.to() > section.thawed && other.from() < end) {
				others++;
				longest = Math.max(longest, Math.min(end, other.to()) - Math.max(section.thawed, other.from()));
			}
		}
		if (this.limit > 0 && others >= this.limit) {
			this.overlaps++;
			section.overlap = true;
			this.longestOverlap = Math.max(this.longestOverlap, longest);
		}
	}

	private void sell(LabEvent event) {
		this.sold++;
		this.first = Math.min(this.first, event.micros());
		if (!this.entered) {
			wait(event.extra());
		}
		if (event.value() > 0) {
			if (this.items.get(event.value())) {
				this.doubles++;
			}
			this.items.set(event.value());
		}
	}

	private void wait(int micros) {
		if (this.waited == this.waits.length) {
			this.waits = Arrays.copyOf(this.waits, 2 * this.waited);
		}
		this.waits[this.waited++] = micros;
	}

	private void change(Moment moment, Change change) {
		this.dead[moment.node()] |= change == Change.KILLED;
		List<Open> sections = this.open.values().stream().filter((each) -> each.node == moment.node()).toList();
		for (Open section : sections) {
			switch (change) {
				case FROZEN -> section.frozen = moment.micros();
				case THAWED -> {
					section.late = true;
					section.thawed = moment.micros();
				}
				case KILLED -> {
					this.open.remove(section.caller);
					close(section, moment.micros());
				}
			}
		}
		measure(moment.micros());
	}

	private void close(Open section, long end) {
		Closed closed = new Closed(section.node, section.caller, section.from, end, section.overlap);
		this.fresh.add(closed);
		this.recent.add(closed);
		while (this.recent.getFirst().to() < end - REMEMBERED_MICROS) {
			this.recent.removeFirst();
		}
	}

	private void measure(long now) {
		boolean tooMany = this.limit > 0 && inside() > this.limit;
		if (tooMany && this.overlapSince < 0) {
			this.overlapSince = now;
		}
		else if (!tooMany && this.overlapSince >= 0) {
			this.longestOverlap = Math.max(this.longestOverlap, now - this.overlapSince);
			this.overlapSince = -1;
		}
	}

	int inside() {
		return (int) this.open.values().stream().filter((section) -> section.frozen < 0 && !section.late).count();
	}

	/** Returns the sections that ended since the last call. */
	List<Closed> takeSections() {
		List<Closed> sections = List.copyOf(this.fresh);
		this.fresh.clear();
		return sections;
	}

	Result result() {
		return new Result(this.sold, this.doubles, this.overlaps, this.longestOverlap, this.refused, this.broken,
				this.failures, this.retries, this.conflicts, Waiting.of(this.waits, this.waited),
				(this.last > this.first) ? this.last - this.first : 0);
	}

	int sold() {
		return this.sold;
	}

	/** A change of the state of a process. */
	enum Change {

		FROZEN, THAWED, KILLED

	}

	private record Moment(long micros, long order, int node, Kind kind, LabEvent event) {
	}

	/** A section that ended. */
	record Closed(int node, int caller, long from, long to, boolean overlap) {
	}

	private static final class Open {

		private final int node;

		private final int caller;

		private final long from;

		private boolean overlap;

		private boolean late;

		private long frozen = -1;

		private long thawed;

		private Open(int node, int caller, long from) {
			this.node = node;
			this.caller = caller;
			this.from = from;
		}

	}

	/** The figures. */
	record Result(int sold, int doubles, int overlaps, long longestOverlapMicros, int refused, int broken,
			long failures, long retries, long conflicts, Waiting waiting, long micros) {

		int oversold(int items, int left) {
			return Math.max(0, this.sold - (items - left));
		}

		int lost(int items, int left) {
			return Math.max(0, items - left - this.sold);
		}

		double perSecond() {
			return (this.micros > 0) ? Math.round(this.sold * 1e7 / this.micros) / 10.0 : 0;
		}

	}

}
