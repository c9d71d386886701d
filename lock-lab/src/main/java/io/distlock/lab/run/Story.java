package io.distlock.lab.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.distlock.lab.event.LabEvent;
import io.distlock.lab.event.LabEvent.Kind;
import io.distlock.lab.run.Moment.Change;
import io.distlock.lab.strategy.Condition;
import io.distlock.lab.strategy.Step;
import io.distlock.lab.strategy.Step.Lock;
import io.distlock.lab.strategy.StrategySupport;
import org.jspecify.annotations.Nullable;

/**
 * Tells what happened in a run and why: who got the lock, what became of it while its
 * holder worked, who came in meanwhile, and what was written over what. It follows the
 * caller that the fault hits, and whoever meets another one inside. For one thread at a
 * time.
 * <p>
 * Nobody tells a home-made lock when its lease ends. So the end is computed from the
 * grant and the renewals; if somebody else came in before, that is the latest moment.
 */
final class Story {

	private static final long LEASE_MICROS = StrategySupport.LEASE.toMillis() * 1000;

	/** A grant is written down a little later than the server saw it. */
	private static final long SLACK_MICROS = 100_000;

	private static final int MOST_OF_A_KIND = 12;

	/** In a run as small as this one, each grant and write is told. */
	static final int FEW_ITEMS = 12;

	private static final int SENTENCES = 5;

	/** What a holder does about it, which belongs to each story. */
	private static final Set<String> REACTIONS = Set.of("told-lost", "gave-up");

	/** Steps with such a flaw delete the key whose it ever is. */
	private static final Set<Condition> BLIND = EnumSet.of(Condition.OWNER_ONLY, Condition.DEADLOCK_FREE);

	/** What a reader has to see, the most important first. */
	private static final List<String> CLIMAXES = List.of("stuck", "answer-lost", "granted", "wrote-over", "sold-again",
			"refused", "told-lost", "gave-up", "stopped");

	/** What may be left out of the sentences, first things first. */
	private static final List<String> MINOR = List.of("thawed", "fault-ended", "wrote", "renewed", "granted", "frozen");

	private final Step step;

	private final int mostOfAKind;

	private final long begin;

	private final Consumer<StoryNote> listener;

	private final Map<String, Integer> told = new HashMap<>();

	private final Map<Integer, Hold> inside = new LinkedHashMap<>();

	/** The last time that each caller was inside. */
	private final Map<Integer, Hold> latest = new HashMap<>();

	/** Who sold an item first. */
	private final Map<Integer, Hold> sellers = new HashMap<>();

	private final List<Integer> frozen = new ArrayList<>();

	private final List<Climax> climaxes = new ArrayList<>();

	/** The one that the fault hits. */
	private @Nullable Hold hit;

	private @Nullable Hold first;

	/**
	 * One that has the lock and is not inside: it died, or the fault hit it on its way.
	 */
	private @Nullable Hold outside;

	/** The last one that left after its lock was gone. */
	private @Nullable Hold late;

	private final Fault fault;

	/** When the fault began, 0 before. */
	private long faultBegan;

	private int entered;

	private int notes;

	/**
	 * Begins to tell.
	 * @param step the strategy
	 * @param fault the fault
	 * @param items how many items there are
	 * @param begin when the run began
	 * @param listener gets each note
	 */
	Story(Step step, Fault fault, int items, long begin, Consumer<StoryNote> listener) {
		this.step = step;
		this.fault = fault;
		this.mostOfAKind = (items <= FEW_ITEMS) ? Integer.MAX_VALUE : MOST_OF_A_KIND;
		this.begin = begin;
		this.listener = listener;
	}

	/** Takes what happened next. */
	void take(Moment moment) {
		LabEvent event = moment.event();
		Change change = moment.change();
		if (change != null) {
			change(moment, change);
		}
		else if (event != null && event.kind() == Kind.ENTER) {
			enter(new Hold(moment.node(), event));
		}
		else if (event != null) {
			// It may be told that its lock was lost when it has left.
			Hold hold = (event.kind() == Kind.LOST) ? this.latest.get(event.caller()) : this.inside.get(event.caller());
			if (event.kind() == Kind.TRAPPED && this.hit == null) {
				trapped(moment, event, hold);
			}
			else if (hold != null) {
				take(hold, event);
			}
		}
	}

	private void trapped(Moment moment, LabEvent event, @Nullable Hold hold) {
		Hold here = (hold != null) ? hold : this.latest.get(event.caller());
		if (here == null || (hold == null && event.value() == 0)) {
			// It has the lock, and did not come in yet.
			here = new Hold(moment.node(), event);
		}
		this.hit = here;
		this.outside = (hold == null) ? here : null;
		granted(here);
	}

	private void take(Hold hold, LabEvent event) {
		if (event.kind() != Kind.LOST) {
			tellRenewal(hold);
		}
		switch (event.kind()) {
			case RENEWED -> hold.renewed = event.micros();
			case LOST -> {
				hold.renewed = 0;
				granted(hold);
				climax(hold, "told-lost", event.micros(), values("reason", event.text(), "token", hold.token));
			}
			case WROTE -> wrote(hold, event);
			case SOLD -> sold(hold, event);
			case REFUSED -> {
				hold.refused = true;
				climax(hold, "refused", event.micros(), values("token", event.text()));
			}
			case LEAVE, ABANDON -> leave(hold, event);
			default -> {
			}
		}
	}

	private void enter(Hold next) {
		Hold other = this.inside.values()
			.stream()
			.min(Comparator.comparing((Hold each) -> each.metBy != null))
			.orElse(null);
		Hold former = this.outside;
		if (former != null && former.caller == next.caller && !former.wasInside) {
			this.outside = null;
			next.notes.addAll(former.notes);
			next.granted = true;
			this.hit = next;
		}
		else if (other != null && this.step.inside() == 1) {
			granted(other);
			why(other, next.from);
			meet(other, next);
		}
		else if (former != null) {
			this.outside = null;
			why(former, next.from);
			meet(former, next);
		}
		else if (this.mostOfAKind > MOST_OF_A_KIND || this.entered < 2) {
			granted(next);
			if (this.first != null && this.entered == 1) {
				meet(this.first, next);
			}
		}
		this.entered++;
		this.first = (this.first != null) ? this.first : next;
		next.wasInside = true;
		this.inside.put(next.caller, next);
		this.latest.put(next.caller, next);
	}

	private void meet(Hold former, Hold next) {
		next.meets = former;
		if (former.metBy != null) {
			// Who came in after the first one adds nothing.
			return;
		}
		former.metBy = next;
		granted(next);
		if (former.has("lock-deleted")) {
			next.notes.stream()
				.filter((note) -> note.kind().equals("granted"))
				.forEach((note) -> this.climaxes.add(new Climax(note, next)));
		}
	}

	private void granted(Hold hold) {
		if (!hold.granted) {
			hold.granted = true;
			Hold other = hold.meets;
			boolean together = other != null && this.inside.get(other.caller) == other;
			tell(hold, "granted", hold.from,
					values("token", hold.token, "meets", (other != null && together) ? other.caller : ""));
		}
	}

	private boolean hasLease(Hold hold) {
		boolean given = hold.wasInside || this.step.lock() == Lock.OURS;
		return given && (this.step.lock() == Lock.KEY || this.step.lock() == Lock.OURS);
	}

	/** Why could somebody come in while this one was inside? */
	private void why(Hold hold, long now) {
		Hold before = this.late;
		if (hold.gone || this.step.lock() == Lock.NONE) {
			return;
		}
		boolean forgetful = this.fault == Fault.RESTART_REDIS || this.fault == Fault.FAILOVER;
		if (forgetful && this.faultBegan >= hold.from) {
			gone(hold, "lock-forgotten", this.faultBegan, values("fault", this.fault.id()));
			return;
		}
		tellRenewal(hold);
		String meanwhile = meanwhile(hold);
		if (hasLease(hold) && (now >= hold.leaseFrom + LEASE_MICROS - SLACK_MICROS
				|| (this.step.lock() == Lock.OURS && !meanwhile.equals("working")))) {
			// One that is handed over by message is shorter until its holder confirms.
			leaseEnded(hold, now, meanwhile);
		}
		else if (hold.dead) {
			// Its session ended with its process.
			hold.gone = true;
		}
		else if (BLIND.contains(this.step.condition()) && before != null && before.left >= hold.from) {
			hold.notes.addAll(before.notes.stream()
				.filter((note) -> Set.of("frozen", "lease-ended").contains(note.kind()))
				.toList());
			gone(hold, "lock-deleted", before.left, values("by", before.caller, "byNode", Director.name(before.node)));
		}
		else if (this.step.condition() == Condition.REENTRANT) {
			gone(hold, "unprotected", hold.from, Map.of());
		}
	}

	private String meanwhile(Hold hold) {
		return hold.dead ? "dead" : this.frozen.contains(hold.node) ? "frozen"
				: (this.fault.hitsRedis() && this.faultBegan > 0) ? "redis-away" : "working";
	}

	private void leaseEnded(Hold hold, long now, String meanwhile) {
		long at = Math.min(now, hold.leaseFrom + LEASE_MICROS);
		gone(hold, "lease-ended", at, values("while", meanwhile, "afterMillis", (at - hold.leaseFrom) / 1000));
	}

	private void gone(Hold hold, String kind, long micros, Map<String, Object> values) {
		hold.gone = true;
		if (hold.left > 0) {
			this.late = hold;
		}
		tell(hold, kind, micros, values);
	}

	/** An answer to a renewal may have been no: told when the next thing happens. */
	private void tellRenewal(Hold hold) {
		if (hold.renewed > 0 && hold.renewed < hold.leaseFrom + LEASE_MICROS) {
			hold.leaseFrom = hold.renewed;
			hold.renewals++;
			if (hold == this.hit) {
				tell(hold, "renewed", hold.renewed, values("count", hold.renewals));
			}
		}
		hold.renewed = 0;
	}

	private void wrote(Hold hold, LabEvent event) {
		int read = event.value() + 1;
		if (event.extra() != read) {
			hold.overwrote = true;
			granted(hold);
			climax(hold, "wrote-over", event.micros(),
					values("value", event.value(), "over", event.extra(), "read", read));
		}
		else if (hold.granted) {
			tell(hold, "wrote", event.micros(), values("value", event.value(), "over", event.extra()));
		}
	}

	private void sold(Hold hold, LabEvent event) {
		Hold before = this.sellers.putIfAbsent(event.value(), hold);
		if (event.value() > 0 && before != null && !hold.overwrote && !before.overwrote) {
			granted(before);
			hold.meets = (hold.meets != null) ? hold.meets : before;
			granted(hold);
			climax(hold, "sold-again", event.micros(), values("item", event.value(), "firstNode",
					Director.name(before.node), "firstCaller", before.caller));
		}
	}

	private void leave(Hold hold, LabEvent event) {
		this.inside.remove(event.caller());
		hold.left = event.micros();
		if (event.kind() == Kind.ABANDON && hold == this.hit && !hold.refused) {
			climax(hold, "gave-up", event.micros(), Map.of());
		}
		if (hold.gone) {
			this.late = hold;
		}
	}

	private void change(Moment moment, Change change) {
		if (change == Change.FAULT_BEGAN || change == Change.FAULT_ENDED) {
			fault(moment, change);
		}
		else {
			process(moment, change);
		}
	}

	private void fault(Moment moment, Change change) {
		boolean began = change == Change.FAULT_BEGAN;
		this.faultBegan = began ? moment.micros() : this.faultBegan;
		StoryNote note = note(began ? "fault-began" : "fault-ended", moment.micros(), 0, null,
				values("fault", this.fault.id()));
		if (this.hit != null && note != null) {
			this.hit.notes.add(note);
		}
		if (!began) {
			wakesUp(this.hit, moment.micros());
		}
	}

	/** One that only has to give back its lock does so now, whose it ever is. */
	private void wakesUp(@Nullable Hold hold, long micros) {
		if (hold != null && hold == this.hit && hold == this.late) {
			hold.left = micros;
		}
	}

	private void process(Moment moment, Change change) {
		Hold here = this.inside.values()
			.stream()
			.filter((hold) -> hold.node == moment.node())
			.min(Comparator.comparing((Hold hold) -> hold != this.hit))
			.orElse(this.hit);
		if (change == Change.FROZEN) {
			this.frozen.add(moment.node());
		}
		else if (change == Change.KILLED) {
			this.outside = here;
			if (here != null) {
				here.dead = true;
			}
			this.inside.values().removeIf((hold) -> hold.node == moment.node());
		}
		StoryNote note = note(change.name().toLowerCase(Locale.ROOT), moment.micros(), moment.node(),
				(here != null) ? here.caller : null, Map.of());
		if (here != null && note != null) {
			here.notes.add(note);
		}
		if (change == Change.THAWED) {
			if (here != null && !here.gone && hasLease(here) && moment.micros() > here.leaseFrom + LEASE_MICROS) {
				leaseEnded(here, moment.micros(), "frozen");
			}
			wakesUp(here, moment.micros());
			this.frozen.remove((Object) moment.node());
		}
	}

	/** The run ends in a way that no event shows. */
	void end(String kind, long micros, Map<String, Object> values) {
		StoryNote note = note(kind, micros, 0, null, values);
		if (note != null) {
			this.climaxes.add(new Climax(note, this.hit));
		}
	}

	/**
	 * Nobody can go on: whose is the lock? A home-made one names its owner, if at all.
	 */
	void stuck(long micros, int waiting, KeySample lock) {
		Hold former = this.outside;
		String owner = (lock.value() != null) ? lock.value() : "";
		boolean self = this.inside.isEmpty() && former == null && owner.contains(":");
		end("stuck", micros,
				values("waiting", waiting, "owner", owner, "ownerState",
						(former != null) ? "dead" : self ? "waits-for-itself" : "unknown", "ttl",
						(lock.ttl() != null) ? lock.ttl() : ""));
	}

	/** Returns the numbers of the notes that explain the run, in order of time. */
	List<Integer> explanation() {
		Climax climax = this.climaxes.stream().min(Comparator.comparingInt(Climax::rank)).orElse(null);
		Hold hold = (climax != null && climax.hold() != null) ? climax.hold()
				: (this.hit != null) ? this.hit : this.first;
		List<StoryNote> chosen = new ArrayList<>();
		if (hold != null) {
			chosen.addAll(hold.notes);
			Stream.of(hold.meets, hold.metBy)
				.filter(Objects::nonNull)
				.limit(1)
				.forEach((other) -> chosen.addAll(other.notes));
		}
		if (climax != null) {
			// Only one thing goes wrong in a story, and nothing after it belongs to it.
			StoryNote end = climax.note();
			chosen.removeIf((note) -> !REACTIONS.contains(note.kind())
					&& (note.at() > end.at() || (CLIMAXES.contains(note.kind()) && !note.kind().equals("granted"))));
			chosen.add(end);
		}
		List<StoryNote> sentences = new ArrayList<>(chosen.stream()
			.distinct()
			.sorted(Comparator.comparingDouble(StoryNote::at).thenComparingInt(StoryNote::id))
			.toList());
		for (String kind : MINOR) {
			for (int i = 0; i < sentences.size() - 1 && sentences.size() > SENTENCES;) {
				if (sentences.get(i).kind().equals(kind)) {
					sentences.remove(i);
				}
				else {
					i++;
				}
			}
		}
		return sentences.stream().limit(SENTENCES).map(StoryNote::id).toList();
	}

	private void climax(Hold hold, String kind, long micros, Map<String, Object> values) {
		StoryNote note = tell(hold, kind, micros, values);
		if (note != null) {
			this.climaxes.add(new Climax(note, hold));
		}
	}

	private @Nullable StoryNote tell(Hold hold, String kind, long micros, Map<String, Object> values) {
		StoryNote note = note(kind, micros, hold.node, hold.caller, values);
		if (note != null) {
			hold.notes.add(note);
		}
		return note;
	}

	/** Returns {@code null} if enough of this kind was told. */
	private @Nullable StoryNote note(String kind, long micros, int node, @Nullable Integer caller,
			Map<String, Object> values) {
		if (this.told.merge(kind, 1, Integer::sum) > this.mostOfAKind) {
			return null;
		}
		StoryNote note = new StoryNote(++this.notes, (micros - this.begin) / 1000.0, kind,
				(node > 0) ? Director.name(node) : null, caller, values);
		this.listener.accept(note);
		return note;
	}

	/** Names and values; one that is empty is left out. */
	private static Map<String, Object> values(Object... pairs) {
		Map<String, Object> values = new LinkedHashMap<>();
		for (int i = 0; i < pairs.length; i += 2) {
			if (!"".equals(pairs[i + 1])) {
				values.put((String) pairs[i], pairs[i + 1]);
			}
		}
		return values;
	}

	/** What goes wrong, or what keeps it from going wrong. */
	private record Climax(StoryNote note, @Nullable Hold hold) {

		private int rank() {
			return CLIMAXES.indexOf(this.note.kind());
		}

	}

	/** A caller that is inside. */
	private static final class Hold {

		private final int node;

		private final int caller;

		private final long from;

		private final String token;

		private final List<StoryNote> notes = new ArrayList<>();

		private @Nullable Hold meets;

		private @Nullable Hold metBy;

		private long leaseFrom;

		private long renewed;

		private int renewals;

		private long left;

		private boolean granted;

		private boolean wasInside;

		private boolean dead;

		private boolean gone;

		private boolean overwrote;

		private boolean refused;

		private Hold(int node, LabEvent event) {
			this.node = node;
			this.caller = event.caller();
			this.from = event.micros();
			this.leaseFrom = event.micros();
			this.token = event.text();
		}

		private boolean has(String kind) {
			return this.notes.stream().anyMatch((note) -> note.kind().equals(kind));
		}

	}

}
