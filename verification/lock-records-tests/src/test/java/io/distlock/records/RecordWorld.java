package io.distlock.records;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;

import io.distlock.Holder;
import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.records.place.RecordTraits;
import io.distlock.records.state.LockText;
import io.distlock.records.state.StateRules;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.test.records.FaultyLockRecords;
import io.distlock.test.records.MemoryPlace;

/**
 * Some processes with real stores on one place, on virtual time and one thread, while
 * calls get lost, doubled and late and clocks are wrong. Each process asks for the lock,
 * believes in what it is granted for as long as the engine would, renews, and finishes
 * until that is confirmed.
 */
final class RecordWorld {

	private static final String LOCK = "stock";

	private static final long LEASE = 1000;

	private static final int LONGEST_TRACE = 60;

	private static final Duration FAULTY = Duration.ofSeconds(20);

	/**
	 * How many more locks each process may have for itself, beside the contended one.
	 */
	private static final int OWN_LOCKS = 3;

	/**
	 * Without faults each one gets the lock within this: what the dead left ends after a
	 * lease or a claim, and then all are served in turn.
	 */
	private static final long HEALED_NANOS = Duration.ofMillis(2 * LEASE + 2 * 1500).toNanos();

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private final List<Process> processes = new ArrayList<>();

	private final Queue<Note> trace = new ArrayDeque<>();

	private final Map<Long, Sharing> tokens = new HashMap<>();

	private final MemoryPlace place;

	private final Random random;

	private final boolean lying;

	/**
	 * Whether there are few processes that use the lock shortly, so that it is often
	 * free.
	 */
	private final boolean calm;

	private final boolean together;

	private long nanos = 1_000_000_000L;

	private long order;

	private long highestToken;

	private String checked = "";

	private String violation = "";

	private int grants;

	RecordWorld(long seed, boolean lying, boolean notifies, MemoryPlace.Promise broken) {
		this.random = new Random(seed);
		this.lying = lying;
		this.calm = seed % 5 == 0;
		this.together = seed % 4 < 2;
		this.place = new MemoryPlace(RecordTraits.Lifetime.CLOCK, notifies, this::instant,
				(message) -> in(micros(100, 2000), message));
		this.place.breakPromise(broken);
		int count = 2 + (this.calm ? 0 : this.random.nextInt(4));
		for (int i = 0; i < count; i++) {
			this.processes.add(new Process("p" + i));
		}
	}

	/** Lets all happen, and says which rule was broken first, empty for none. */
	String run() {
		this.processes.forEach((process) -> in(micros(0, 5000), process::begin));
		this.events.add(new Event(FAULTY.toNanos(), this.order++, this::heal));
		// What an answer that came after the end has left behind goes with a sweep.
		long end = this.nanos + FAULTY.plus(Sweep.INTERVAL).plusSeconds(20).toNanos();
		while (this.violation.isEmpty() && !this.events.isEmpty() && this.events.peek().at() < end) {
			Event event = this.events.poll();
			this.nanos = Math.max(this.nanos, event.at());
			event.action().run();
			checkBelievers();
			checkRecord();
		}
		if (this.violation.isEmpty()) {
			checkEnd();
		}
		return this.violation.isEmpty() ? ""
				: this.violation + "\n" + String.join("\n", this.trace.stream().map(Note::toString).toList());
	}

	int grants() {
		return this.grants;
	}

	/** Nothing gets lost from now on, and clocks are right. */
	private void heal() {
		note("faults end");
		this.processes.forEach((process) -> process.records.heal());
		in(Duration.ofNanos(HEALED_NANOS),
				() -> this.processes.stream()
					.filter((process) -> !process.served)
					.forEach((process) -> broken("I5 nobody is stuck", process)));
	}

	/** I4: at the end nothing is left behind. */
	private void checkEnd() {
		String text = this.place.text(LOCK);
		if (!text.isEmpty() && !LockText.read(text, LOCK, StateRules.MEMORY).isIdle()) {
			broken("I4 nothing lives on in the store", text);
		}
		for (Process process : this.processes) {
			for (OwnLock own : process.own) {
				if (!own.ended) {
					broken("I5 nobody is stuck", own);
				}
			}
			if (process.store.remembered() > 0) {
				broken("I4 nothing is left behind in a process", process);
			}
		}
	}

	private void broken(String rule, Object found) {
		if (this.violation.isEmpty()) {
			this.violation = rule + ": " + found;
		}
	}

	/** Made to text only if it is wanted. */
	private void note(Object... what) {
		this.trace.add(new Note(this.nanos, what));
		if (this.trace.size() > LONGEST_TRACE) {
			this.trace.remove();
		}
	}

	/** I1: one believer, or several that may hold together. */
	private void checkBelievers() {
		Process first = null;
		for (Process process : this.processes) {
			if (process.believes()) {
				if (first != null && !process.sharing.goesWith(first.sharing)) {
					broken("I1 one believer at a time", first + " and " + process);
				}
				first = process;
			}
		}
	}

	/**
	 * I3: who ended neither holds nor waits again, also not by a late copy. I7: no hold
	 * is renewed once it is over by the place's clock.
	 */
	private void checkRecord() {
		String text = this.place.text(LOCK);
		if (text.equals(this.checked)) {
			return;
		}
		List<LockSnapshot.Hold> before = holds(this.checked);
		this.checked = text;
		for (LockSnapshot.Hold hold : holds(text)) {
			before.stream()
				.filter((known) -> known.request().equals(hold.request()) && known.fencingToken() == hold.fencingToken()
						&& known.remaining().compareTo(hold.remaining()) < 0
						&& known.remaining().toMillis() <= instant().toEpochMilli())
				.forEach((known) -> broken("I7 what is over is not revived", hold));
			for (Process process : this.processes) {
				if (hold.request().engine().equals(process.name) && hold.request().number() <= process.ended) {
					broken("I3 who ended does not hold", hold);
				}
			}
		}
	}

	/** Of all times, as the moment is the first one: the rest of a lease is its end. */
	private static List<LockSnapshot.Hold> holds(String text) {
		StoreTime time = new StoreTime(0, 1, "", (incarnation) -> false);
		return LockText.read(text, LOCK, StateRules.MEMORY).inspect(time).holds();
	}

	private boolean faulty() {
		return this.nanos < FAULTY.toNanos();
	}

	private Instant instant() {
		return Instant.ofEpochSecond(1_795_225_522L).plusNanos(this.nanos);
	}

	private void in(Duration delay, Runnable action) {
		this.events.add(new Event(this.nanos + delay.toNanos(), this.order++, action));
	}

	private Duration micros(int least, int most) {
		return Duration.ofNanos(1000L * (least + this.random.nextInt(most - least + 1)));
	}

	private Duration millis(int least, int most) {
		return micros(1000 * least, 1000 * most);
	}

	private record Note(long nanos, Object[] what) {

		@Override
		public String toString() {
			StringBuilder line = new StringBuilder().append(this.nanos / 1000).append(" us");
			for (Object each : this.what) {
				line.append(' ').append(each);
			}
			return line.toString();
		}

	}

	private record Event(long at, long order, Runnable action) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int byTime = Long.compare(this.at, other.at);
			return (byTime != 0) ? byTime : Long.compare(this.order, other.order);
		}

	}

	/** One process with one caller. */
	private final class Process implements StoreListener {

		private final String name;

		private final FaultyLockRecords records;

		private final RecordLockStore store;

		private long number;

		/** The last request whose end was confirmed. */
		private long ended;

		private boolean done;

		/** Whether it was granted the lock after the faults. */
		private boolean served;

		private boolean holds;

		private long believedUntil;

		private long token;

		/** Whether its estimate was late, but not so late that the place refuses it. */
		private boolean slow;

		private Sharing sharing = Sharing.EXCLUSIVE;

		private final List<OwnLock> own = new ArrayList<>();

		Process(String name) {
			this.name = name;
			this.records = new FaultyLockRecords(RecordWorld.this.place.newRecords(), RecordWorld.this::in,
					RecordWorld.this.random, RecordWorld.this.calm ? 0.15 : 0.05);
			// Processes of a fleet should have the same grace, and it must not matter.
			Duration grace = Duration.ofMillis((RecordWorld.this.random.nextInt(3) == 0) ? 60 : 100);
			RecordSettings settings = new RecordSettings(RecordSettings.NOTIFIED.pollInterval(), Duration.ofSeconds(2),
					grace);
			this.store = new RecordLockStore(this.records, settings,
					RecordLockStore.rules(this.records.traits(), settings), RecordWorld.this::in,
					() -> RecordWorld.this.nanos, RecordWorld.this.random::nextDouble);
			this.store.start(name, this);
			for (int i = 0; RecordWorld.this.together && i < OWN_LOCKS; i++) {
				OwnLock lock = new OwnLock(name + ":" + i, this);
				this.own.add(lock);
				in(micros(0, 5000), lock::ask);
			}
		}

		boolean believes() {
			return this.holds && RecordWorld.this.nanos < this.believedUntil;
		}

		void begin() {
			if (this.served) {
				return;
			}
			if (faulty() && RecordWorld.this.lying && RecordWorld.this.random.nextInt(3) == 0) {
				int[] errors = { 0, -3_600_000, 3_600_000, -150, 150, -900, 900, 5000, -50 };
				int error = errors[RecordWorld.this.random.nextInt(errors.length)];
				this.records.err(error);
				this.slow |= error == -50;
			}
			this.number++;
			this.done = false;
			this.holds = false;
			this.sharing = (RecordWorld.this.random.nextInt(3) == 0) ? Sharing.SHARED : Sharing.EXCLUSIVE;
			boolean patient = RecordWorld.this.random.nextInt(4) != 0;
			int tries = 1 + RecordWorld.this.random.nextInt(8);
			ask(patient || !faulty(), faulty() ? tries : Integer.MAX_VALUE);
		}

		private void ask(boolean queue, int triesLeft) {
			long asked = this.number;
			long sentAt = RecordWorld.this.nanos;
			note(this.name, "asks", asked, this.sharing, queue);
			this.store
				.acquire(new AcquireCommand(LOCK, request(asked), Duration.ofMillis(LEASE), this.sharing, queue, 1,
						Duration.ofMillis(800), new Holder("app", "host", this.name, "", "", Instant.EPOCH)))
				.whenComplete((result, failure) -> {
					note(this.name, "gets", result, failure);
					if (asked != this.number || this.done || this.holds) {
						return;
					}
					if (result instanceof AcquireResult.Granted granted) {
						granted(granted.grant(), sentAt);
					}
					else if (result instanceof AcquireResult.Busy || result instanceof AcquireResult.Ended) {
						this.done = true;
						again();
					}
					else if (triesLeft > 0) {
						in(millis(5, faulty() ? 300 : 50), () -> {
							if (asked == this.number && !this.done && !this.holds) {
								ask(queue, triesLeft - 1);
							}
						});
					}
					else {
						finish();
					}
				});
		}

		private void granted(Grant grant, long sentAt) {
			this.holds = true;
			this.served = !faulty();
			this.token = grant.fencingToken();
			believe(grant, sentAt);
			RecordWorld.this.grants++;
			Sharing before = RecordWorld.this.tokens.put(this.token, this.sharing);
			if (before != null) {
				broken("I2 tokens differ", this);
			}
			if (believes() && !(this.sharing instanceof Sharing.Shared)) {
				if (this.token <= RecordWorld.this.highestToken) {
					broken("I2 tokens increase", this + " after " + RecordWorld.this.highestToken);
				}
			}
			RecordWorld.this.highestToken = Math.max(RecordWorld.this.highestToken, this.token);
			work(hasty() ? 0 : RecordWorld.this.random.nextInt(4));
		}

		/** Counted from before the command was sent, less the drift of clocks. */
		private void believe(Grant grant, long sentAt) {
			long left = grant.remainingMillis() * 1_000_000;
			this.believedUntil = sentAt + left - left / 1000;
		}

		private boolean hasty() {
			return RecordWorld.this.calm || this.served;
		}

		private void work(int renewals) {
			long worked = this.number;
			in(millis(0, hasty() ? 10 : 400), () -> {
				if (worked != this.number || this.done) {
					return;
				}
				if (renewals > 0) {
					renew();
					work(renewals - 1);
				}
				else {
					finish();
				}
			});
		}

		private void renew() {
			this.own.forEach(OwnLock::renew);
			long renewed = this.number;
			long sentAt = RecordWorld.this.nanos;
			this.store.renew(new RenewCommand(LOCK, request(renewed), Duration.ofMillis(LEASE), 0))
				.whenComplete((result, failure) -> {
					note(this.name, "renews", renewed, result, failure);
					if (renewed == this.number && !this.done && believes()
							&& result instanceof RenewResult.Renewed extended) {
						believe(extended.grant(), sentAt);
					}
					if (renewed == this.number && result instanceof RenewResult.Gone) {
						// A lease that is counted from an earlier moment ends earlier.
						long allowed = this.slow ? 50_000_000 : 0;
						if (believes() && this.believedUntil - RecordWorld.this.nanos > allowed) {
							broken("I8 nothing is lost while it is believed", this);
						}
						this.believedUntil = Long.MIN_VALUE;
					}
				});
		}

		private void finish() {
			this.done = true;
			this.holds = false;
			long finished = this.number;
			note(this.name, "finishes", finished);
			this.store.finish(LOCK, request(finished), Duration.ZERO).whenComplete((result, failure) -> {
				note(this.name, "finished", finished, result, failure);
				if (failure != null) {
					in(millis(1, 100), () -> {
						if (finished == this.number) {
							finish();
						}
					});
				}
				else {
					this.ended = Math.max(this.ended, finished);
					again();
				}
			});
			// Like a release that is only sent: the next request may come before its
			// answer.
			if (faulty() && RecordWorld.this.random.nextInt(4) == 0) {
				begin();
			}
		}

		private void again() {
			long after = this.number;
			in(RecordWorld.this.calm ? millis(20, 150) : millis(0, 30), () -> {
				if (after == this.number && this.done) {
					begin();
				}
			});
		}

		private RequestId request(long of) {
			return new RequestId(this.name, of);
		}

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			note(this.name, "hears", request, grant);
			if (request.number() == this.number && !this.done && !this.holds) {
				ask(true, faulty() ? 1 : Integer.MAX_VALUE);
			}
		}

		@Override
		public void contended(String key) {
		}

		@Override
		public void reconnected() {
		}

		@Override
		public String toString() {
			return this.name + " #" + this.number + " " + this.sharing + " token " + this.token + " until "
					+ this.believedUntil;
		}

	}

	/**
	 * A lock that only one process wants: it is granted and lost by nothing but faults.
	 */
	private final class OwnLock {

		private final String key;

		private final Process process;

		private long number;

		private boolean holds;

		private boolean ended;

		private long believedUntil;

		OwnLock(String key, Process process) {
			this.key = key;
			this.process = process;
		}

		void ask() {
			if (!faulty()) {
				finish();
				return;
			}
			this.number++;
			attempt();
		}

		private void attempt() {
			long asked = this.number;
			long sentAt = RecordWorld.this.nanos;
			this.process.store
				.acquire(new AcquireCommand(this.key, request(asked), Duration.ofMillis(LEASE), Sharing.EXCLUSIVE, true,
						1, Duration.ofMillis(800), new Holder("app", "host", this.key, "", "", Instant.EPOCH)))
				.whenComplete((result, failure) -> {
					note(this.key, "gets", result, failure);
					if (result instanceof AcquireResult.Granted granted) {
						this.holds = true;
						believe(granted.grant(), sentAt);
						in(Duration.ofMillis(3 * LEASE), this::again);
					}
					else {
						in(millis(5, 50), faulty() ? this::attempt : this::finish);
					}
				});
		}

		void renew() {
			if (!this.holds) {
				return;
			}
			long renewed = this.number;
			long sentAt = RecordWorld.this.nanos;
			this.process.store.renew(new RenewCommand(this.key, request(renewed), Duration.ofMillis(LEASE), 0))
				.whenComplete((result, failure) -> {
					note(this.key, "renews", renewed, result, failure);
					if (renewed != this.number || !this.holds) {
						return;
					}
					if (result instanceof RenewResult.Renewed extended) {
						believe(extended.grant(), sentAt);
						checkWritten(extended.grant());
					}
					else if (result instanceof RenewResult.Gone) {
						long allowed = this.process.slow ? 50_000_000 : 0;
						if (this.believedUntil - RecordWorld.this.nanos > allowed) {
							broken("I8 nothing is lost while it is believed", this);
						}
						this.believedUntil = 0;
					}
				});
		}

		/** I9: what is confirmed is written; nobody else changes this record. */
		private void checkWritten(Grant grant) {
			boolean written = holds(RecordWorld.this.place.text(this.key)).stream()
				.anyMatch((hold) -> hold.request().number() == this.number
						&& hold.remaining().toMillis() >= grant.expiresAt());
			if (!written) {
				broken("I9 what is confirmed is written", this + " " + grant);
			}
		}

		private void believe(Grant grant, long sentAt) {
			long left = grant.remainingMillis() * 1_000_000;
			this.believedUntil = sentAt + left - left / 1000;
		}

		private void again() {
			this.holds = false;
			finish();
		}

		private void finish() {
			this.holds = false;
			this.process.store.finish(this.key, request(this.number), Duration.ZERO).whenComplete((result, failure) -> {
				if (failure != null) {
					in(millis(1, 100), this::finish);
				}
				else if (faulty()) {
					in(millis(1, 100), this::ask);
				}
				else {
					this.ended = true;
				}
			});
		}

		private RequestId request(long of) {
			return new RequestId(this.process.name, of);
		}

		@Override
		public String toString() {
			return this.key + " #" + this.number + " until " + this.believedUntil;
		}

	}

}
