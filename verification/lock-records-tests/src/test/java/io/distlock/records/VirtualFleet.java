package io.distlock.records;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

import io.distlock.Holder;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.test.records.FaultyLockRecords;
import io.distlock.test.records.MemoryLockRecords;
import io.distlock.test.records.MemoryPlace;

/**
 * Many processes with real stores on one place, on virtual time and one thread. They all
 * want one lock and ask for it as the engine does, as often as the store says.
 */
final class VirtualFleet {

	static final String LOCK = "stock";

	static final Duration LEASE = Duration.ofSeconds(30);

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private final List<Member> members = new ArrayList<>();

	private final List<Throwable> failures = new ArrayList<>();

	private final Random random = new Random(42);

	private final MemoryPlace place;

	private int slowness;

	private RecordSettings polled = RecordSettings.POLLED;

	private long nanos = 1_000_000_000L;

	private long order;

	/**
	 * Creates a fleet without processes.
	 * @param lifetime what ends holds
	 * @param notifies whether the place sends messages
	 * @param slowness how many milliseconds a call may take there, and the answer back
	 */
	VirtualFleet(RecordTraits.Lifetime lifetime, boolean notifies, int slowness) {
		this.slowness = slowness;
		this.place = new MemoryPlace(lifetime, notifies,
				() -> Instant.ofEpochSecond(1_795_225_522L).plusNanos(this.nanos), (message) -> in(millis(2), message));
	}

	/** Lets processes that join later look at this interval. */
	void pollEvery(Duration interval) {
		this.polled = this.polled.withPollInterval(interval);
	}

	/** Adds a process that does not ask yet. */
	Member join() {
		Member member = new Member("p" + this.members.size());
		this.members.add(member);
		return member;
	}

	/** Lets this time pass. */
	void pass(Duration time) {
		long end = this.nanos + time.toNanos();
		while (!this.events.isEmpty() && this.events.peek().at() <= end) {
			Event event = this.events.poll();
			this.nanos = Math.max(this.nanos, event.at());
			event.action().run();
		}
		this.nanos = end;
	}

	/** From now on the place answers as fast as in the other tests. */
	void speedUp() {
		this.slowness = 1;
	}

	/** Returns how many calls the place has answered. */
	long calls() {
		return this.place.reads() + this.place.writes() + this.place.lost();
	}

	/** Returns how many writes of a process lost against those of others. */
	long lost() {
		return this.place.lost();
	}

	/** Returns the failures of all commands. */
	List<Throwable> failures() {
		return this.failures;
	}

	Instant now() {
		return Instant.EPOCH.plusNanos(this.nanos);
	}

	private void in(Duration delay, Runnable action) {
		this.events.add(new Event(this.nanos + delay.toNanos(), this.order++, action));
	}

	private void slowly(Duration delay, Runnable action) {
		in(delay.multipliedBy(this.slowness), action);
	}

	private Duration millis(long longest) {
		return Duration.ofNanos(1 + (long) (longest * 1_000_000 * this.random.nextDouble()));
	}

	private record Event(long at, long order, Runnable action) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int byTime = Long.compare(this.at, other.at);
			return (byTime != 0) ? byTime : Long.compare(this.order, other.order);
		}

	}

	/** One process. */
	final class Member implements StoreListener {

		private final String name;

		private final MemoryLockRecords records;

		private final RecordLockStore store;

		private long number;

		private boolean wants;

		private boolean holds;

		private long asks;

		private Instant grantedAt = Instant.MIN;

		/** How long it keeps the lock; for ever if it is {@code null}. */
		private Duration work = Duration.ofDays(1);

		Member(String name) {
			this.name = name;
			this.records = VirtualFleet.this.place.newRecords();
			FaultyLockRecords calls = new FaultyLockRecords(this.records, VirtualFleet.this::slowly,
					VirtualFleet.this.random, 0);
			RecordSettings settings = this.records.traits().notifies() ? RecordSettings.NOTIFIED
					: VirtualFleet.this.polled;
			this.store = new RecordLockStore(calls, settings, RecordLockStore.rules(this.records.traits(), settings),
					VirtualFleet.this::in, () -> VirtualFleet.this.nanos, VirtualFleet.this.random::nextDouble);
			this.store.start(name, this);
		}

		/** Wants the lock from now on. */
		Member ask() {
			return askToWork(Duration.ofDays(1));
		}

		/** Wants the lock from now on, and releases it after this time. */
		Member askToWork(Duration time) {
			this.work = time;
			this.number++;
			this.wants = true;
			poll();
			return this;
		}

		boolean holds() {
			return this.holds;
		}

		/** Whether it had the lock once. */
		boolean served() {
			return this.grantedAt.isAfter(Instant.MIN);
		}

		Instant grantedAt() {
			return this.grantedAt;
		}

		/** Dies. If the place has sessions, all others are told. */
		void die() {
			this.wants = false;
			this.holds = false;
			this.store.stop();
			if (this.records.traits().lifetime() == RecordTraits.Lifetime.SESSION) {
				VirtualFleet.this.members.forEach(Member::reconnected);
			}
		}

		private RequestId request() {
			return new RequestId(this.name, this.number);
		}

		private void poll() {
			long ask = ++this.asks;
			long asked = this.number;
			this.store
				.acquire(new AcquireCommand(LOCK, request(), LEASE, Sharing.EXCLUSIVE, true, 1, Duration.ofSeconds(1),
						new Holder("app", "host", this.name, "", "", Instant.EPOCH)))
				.whenComplete((result, failure) -> {
					if (failure != null) {
						VirtualFleet.this.failures.add(failure);
					}
					if (asked != this.number || !this.wants || this.holds) {
						return;
					}
					if (result instanceof AcquireResult.Granted) {
						granted();
					}
					else if (ask == this.asks) {
						Duration pause = (result instanceof AcquireResult.Queued queued) ? queued.pollWithin()
								: Duration.ofMillis(50);
						in(pause, () -> pollAgain(ask));
					}
				});
		}

		private void pollAgain(long ask) {
			if (this.wants && !this.holds && ask == this.asks) {
				poll();
			}
		}

		private void granted() {
			this.holds = true;
			this.grantedAt = now();
			in(this.work, this::release);
			in(LEASE.dividedBy(3), () -> renew(this.number));
		}

		private void renew(long renewed) {
			if (this.holds && renewed == this.number) {
				this.store.renew(new RenewCommand(LOCK, request(), LEASE, 0));
				in(LEASE.dividedBy(3), () -> renew(renewed));
			}
		}

		/** Releases the lock, if it has it. */
		void release() {
			if (!this.holds) {
				return;
			}
			this.holds = false;
			this.wants = false;
			finish(request());
		}

		private void finish(RequestId request) {
			this.store.finish(LOCK, request, Duration.ZERO).whenComplete((result, failure) -> {
				if (failure != null) {
					VirtualFleet.this.failures.add(failure);
					in(Duration.ofMillis(50), () -> finish(request));
				}
			});
		}

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			if (request.number() == this.number && this.wants && !this.holds) {
				granted();
			}
		}

		@Override
		public void contended(String key) {
		}

		/** Someone died, or messages were missed: all ask again, as the engine does. */
		@Override
		public void reconnected() {
			if (this.wants && !this.holds) {
				poll();
			}
		}

		@Override
		public String toString() {
			return this.name + (this.holds ? " holds" : this.wants ? " waits" : "");
		}

	}

}
