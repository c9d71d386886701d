package io.distlock.lab.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.distlock.lab.event.LabEvent;
import io.distlock.lab.event.LabEvent.Kind;
import io.distlock.lab.run.Moment.Change;
import org.jspecify.annotations.Nullable;

/**
 * Computes the figures of a run from the moments that {@link EventOrder} passes on. For
 * one thread at a time.
 * <p>
 * A caller is inside from {@link Kind#ENTER} to {@link Kind#LEAVE}, but not while its
 * process is frozen, and not after its process was killed. One that was frozen inside, or
 * was told there that its lock is lost ({@link Kind#LOST}), and leaves without having
 * written ({@link Kind#ABANDON}) counts until then.
 */
final class RunStatistics {

	private static final long REMEMBERED_MICROS = 10_000_000;

	private final int limit;

	private final boolean[] dead;

	private final Map<Integer, Open> open = new HashMap<>();

	private final Deque<Closed> recent = new ArrayDeque<>();

	private final List<Closed> fresh = new ArrayList<>();

	private final List<Met> met = new ArrayList<>();

	private final Set<Integer> meeting = new TreeSet<>();

	private final BitSet items = new BitSet();

	private int[] waits = new int[1024];

	private int waited;

	private boolean entered;

	private long overlapSince = -1;

	private @Nullable Met longest;

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
		this.dead = new boolean[nodes + 1];
	}

	/** Takes what happened next. */
	void take(Moment moment) {
		LabEvent event = moment.event();
		Change change = moment.change();
		if (event != null) {
			take(moment, event);
		}
		else if (change != null) {
			change(moment, change);
			this.last = Math.max(this.last, moment.micros());
		}
	}

	private void take(Moment moment, LabEvent event) {
		switch (event.kind()) {
			case ENTER -> {
				enter(moment, event);
				if (this.dead[moment.node()]) {
					// It came in while the signal was on its way, and was gone with its
					// process.
					end(event.caller(), moment.micros(), End.KILLED);
				}
			}
			case LEAVE -> end(event.caller(), moment.micros(), End.LEFT);
			case ABANDON -> end(event.caller(), moment.micros(), End.GAVE_UP);
			case SOLD -> sell(event);
			case LOST -> {
				tell(moment, event);
				return;
			}
			case REFUSED -> this.refused++;
			case FAILURE -> {
				this.failures++;
				this.broken += event.value();
			}
			case COUNTS -> {
				this.retries += event.value();
				this.conflicts += event.extra();
				return;
			}
			default -> {
				return;
			}
		}
		this.last = Math.max(this.last, moment.micros());
	}

	private void enter(Moment moment, LabEvent event) {
		this.entered = true;
		this.first = Math.min(this.first, moment.micros());
		wait(event.value());
		Open section = new Open(moment.node(), event.caller(), moment.micros(), event.text());
		List<Open> others = this.open.values().stream().filter(Open::isInside).toList();
		this.open.put(event.caller(), section);
		if (this.limit > 0 && others.size() >= this.limit) {
			this.overlaps++;
			section.overlap = true;
			others.forEach((other) -> other.overlap = true);
		}
		measure(moment.micros());
	}

	private void tell(Moment moment, LabEvent event) {
		Open section = this.open.get(event.caller());
		if (section != null && section.told == 0) {
			section.told = moment.micros();
			measure(moment.micros());
		}
	}

	private void end(int caller, long micros, End end) {
		Open section = this.open.remove(caller);
		if (section == null) {
			return;
		}
		long counted = micros;
		if (section.thawed > 0 || section.told > 0) {
			if (end == End.GAVE_UP) {
				counted = earlier(section.frozen, section.told);
			}
			else {
				meet(section, earlier(section.thawed, section.told), micros);
			}
		}
		close(section, counted, micros, end);
		measure(micros);
	}

	/** Returns the earlier moment of those that are set. */
	private static long earlier(long one, long other) {
		return (one == 0 || other == 0) ? Math.max(one, other) : Math.min(one, other);
	}

	/**
	 * A caller wrote after it woke up, or after it was told of the loss: who else was
	 * inside from then on?
	 */
	private void meet(Open section, long begin, long end) {
		List<Met> others = new ArrayList<>();
		for (Open other : this.open.values()) {
			if (other.isInside()) {
				other.overlap = true;
				others.add(new Met(Math.max(begin, other.from), end, List.of(section.caller, other.caller)));
			}
		}
		for (Closed other : this.recent) {
			if (other.counted() > begin && other.from() < end) {
				others.add(new Met(Math.max(begin, other.from()), Math.min(end, other.counted()),
						List.of(section.caller, other.caller())));
			}
		}
		if (this.limit > 0 && others.size() >= this.limit) {
			this.overlaps++;
			section.overlap = true;
			others.forEach(this::met);
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
				case THAWED -> section.thawed = moment.micros();
				case KILLED -> {
					this.open.remove(section.caller);
					close(section, moment.micros(), moment.micros(), End.KILLED);
				}
				case FAULT_BEGAN, FAULT_ENDED -> {
				}
			}
		}
		measure(moment.micros());
	}

	private void close(Open section, long counted, long end, End how) {
		Closed closed = new Closed(section.node, section.caller, section.from, counted, end, section.overlap,
				section.frozen, (section.thawed > 0) ? section.thawed : end, how, section.token);
		this.fresh.add(closed);
		this.recent.add(closed);
		while (this.recent.getFirst().to() < end - REMEMBERED_MICROS) {
			this.recent.removeFirst();
		}
	}

	private void measure(long now) {
		List<Integer> inside = this.open.values()
			.stream()
			.filter(Open::isInside)
			.map((section) -> section.caller)
			.toList();
		boolean tooMany = this.limit > 0 && inside.size() > this.limit;
		if (tooMany) {
			this.overlapSince = (this.overlapSince < 0) ? now : this.overlapSince;
			this.meeting.addAll(inside);
		}
		else if (this.overlapSince >= 0) {
			met(new Met(this.overlapSince, now, List.copyOf(this.meeting)));
			this.overlapSince = -1;
			this.meeting.clear();
		}
	}

	private void met(Met overlap) {
		this.met.add(overlap);
		if (this.longest == null || overlap.micros() > this.longest.micros()) {
			this.longest = overlap;
		}
	}

	int inside() {
		return (int) this.open.values().stream().filter(Open::isInside).count();
	}

	/** Returns the sections that ended since the last call. */
	List<Closed> takeSections() {
		List<Closed> sections = List.copyOf(this.fresh);
		this.fresh.clear();
		return sections;
	}

	/** Returns the overlaps that ended since the last call. */
	List<Met> takeOverlaps() {
		List<Met> overlaps = List.copyOf(this.met);
		this.met.clear();
		return overlaps;
	}

	Result result() {
		return new Result(this.sold, this.doubles, this.overlaps, this.longest, this.refused, this.broken,
				this.failures, this.retries, this.conflicts, Waiting.of(this.waits, this.waited),
				(this.last > this.first) ? this.last - this.first : 0);
	}

	int sold() {
		return this.sold;
	}

	/** How a caller came out. */
	enum End {

		LEFT("left"), GAVE_UP("gave-up"), KILLED("killed");

		private final String id;

		End(String id) {
			this.id = id;
		}

		String id() {
			return this.id;
		}

	}

	/** Callers that were inside at the same time, and when. */
	record Met(long from, long to, List<Integer> callers) {

		long micros() {
			return this.to - this.from;
		}

	}

	/** A section that ended; it counts for overlaps until {@code counted}. */
	record Closed(int node, int caller, long from, long counted, long to, boolean overlap, long frozenFrom,
			long frozenTo, End end, String token) {
	}

	private static final class Open {

		private final int node;

		private final int caller;

		private final long from;

		private final String token;

		private boolean overlap;

		private long frozen;

		private long thawed;

		private long told;

		private Open(int node, int caller, long from, String token) {
			this.node = node;
			this.caller = caller;
			this.from = from;
			this.token = token;
		}

		/** Whoever was frozen inside, or told of a loss, is looked at when it leaves. */
		private boolean isInside() {
			return this.frozen == 0 && this.told == 0;
		}

	}

	/** The figures. */
	record Result(int sold, int doubles, int overlaps, @Nullable Met longest, int refused, int broken, long failures,
			long retries, long conflicts, Waiting waiting, long micros) {

		int oversold(int items, int left) {
			return Math.max(0, this.sold - (items - left));
		}

		int lost(int items, int left) {
			return Math.max(0, items - left - this.sold);
		}

		double perSecond() {
			return (this.micros > 0) ? Math.round(this.sold * 1e7 / this.micros) / 10.0 : 0;
		}

		long longestMicros() {
			return (this.longest != null) ? this.longest.micros() : 0;
		}

	}

}
