package io.distlock.redis.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.SimulatedEngine;
import io.distlock.redis.SimulatedStore;
import io.distlock.spi.LockClock;
import io.distlock.spi.RequestId;

/** One process, with a clock of its own. Whatever happens to it happens through here. */
final class Node {

	static final Duration LEASE = Duration.ofSeconds(3);

	private static final LockSettings SETTINGS = LockSettings.builder()
		.leaseTime(LEASE)
		.commandTimeout(Duration.ofSeconds(1))
		.build();

	/** Longer than users wait for being told. */
	private static final long JUST = Duration.ofMillis(2).toNanos();

	/**
	 * For so long a lock is still passed on, or joined, by who learns that others wait.
	 */
	private static final long JUST_TOLD = Duration.ofMillis(7).toNanos();

	private static final long NEVER = Long.MAX_VALUE;

	private final Deque<Runnable> backlog = new ArrayDeque<>();

	private final World world;

	private final String name;

	private final long origin;

	/** How much faster than true time its clock is, in parts of a million. */
	private final long drift;

	private final Link link;

	private final SimulatedEngine engine;

	private boolean alive = true;

	private boolean frozen;

	private long round = NEVER;

	private long lastRound;

	private long arrivals;

	private long wokeAt = -JUST;

	private long toldOfOthersAt = -JUST_TOLD;

	Node(World world, String name) {
		this.world = world;
		this.name = name;
		this.origin = world.chance().millis(0, 1e9);
		this.drift = world.chance().below(801) - 400;
		this.link = new Link(world, this);
		LockClock clock = new NodeClock(this);
		this.engine = new SimulatedEngine(
				SimulatedStore.create(this.link, world.chance()::fraction, clock::nanoTime,
						world.scenario().failoverDelay()),
				SETTINGS, clock, name, (callback) -> in(world.chance().millis(0, 1), callback),
				world.chance()::fraction);
		planRound();
	}

	String name() {
		return this.name;
	}

	Link link() {
		return this.link;
	}

	/** Neither dead nor frozen, nor waking up. */
	boolean responsive() {
		return this.alive && !this.frozen && this.backlog.isEmpty();
	}

	boolean alive() {
		return this.alive;
	}

	boolean idle() {
		return this.engine.idle();
	}

	/** Whether it remembers what one of its instances has of a lock. */
	boolean knows(String key, String instance) {
		return this.engine.knows(key, instance);
	}

	/** Whether a caller still waits for a lock; if not, it may not have heard so yet. */
	boolean waits(String caller) {
		return this.engine.waits(caller);
	}

	/** Whether an instance is of this process: each permit has one. */
	boolean is(String instance) {
		return engine(instance).equals(this.name);
	}

	/** It learns that others wait in the store. */
	void toldOfOthers() {
		this.toldOfOthersAt = this.world.schedule().now();
	}

	/** Whether it has learned so a moment ago. */
	boolean justTold() {
		return this.world.schedule().now() - this.toldOfOthersAt <= JUST_TOLD;
	}

	/** The process of an instance. */
	static String engine(String instance) {
		return RequestId.parse(instance, 1).engine();
	}

	/** Whether it was frozen until a moment ago. */
	boolean justWoke() {
		return this.world.schedule().now() - this.wokeAt <= JUST;
	}

	long nextArrival() {
		return this.arrivals++;
	}

	CompletionStage<LockHandle> acquire(LockRequest request) {
		return this.engine.acquire(request);
	}

	long nanoTime() {
		long now = this.world.schedule().now();
		return this.origin + now + now * this.drift / 1_000_000;
	}

	/** How much true time passes while its clock goes on by some nanoseconds. */
	long trueNanos(long nanos) {
		return nanos - nanos * this.drift / 1_000_000;
	}

	void in(long nanos, Runnable action) {
		at(this.world.schedule().now() + nanos, action);
	}

	/**
	 * Plans something that happens to the process, if it lives, and once it is not
	 * frozen.
	 */
	void at(long moment, Runnable action) {
		this.world.schedule().at(moment, () -> happen(action));
	}

	private void happen(Runnable action) {
		if (this.frozen) {
			this.backlog.add(action);
		}
		else if (this.alive) {
			action.run();
			planRound();
		}
	}

	/** The housekeeper parks until its next round is due. */
	private void planRound() {
		long due = this.engine.roundDue() - nanoTime();
		long now = this.world.schedule().now();
		long next = Math.max(this.lastRound + SimulatedEngine.ROUND_NANOS, now + Math.max(0, due + due / 1000));
		if (due < this.world.horizon() && next < this.round) {
			this.round = next;
			at(next, () -> makeRound(next));
		}
	}

	private void makeRound(long planned) {
		if (planned == this.round) {
			this.round = NEVER;
			this.lastRound = this.world.schedule().now();
			this.engine.makeRound();
		}
	}

	void freeze(long nanos) {
		if (responsive()) {
			this.frozen = true;
			this.world.schedule().in(nanos, this::thaw);
		}
	}

	/** What piled up happens now, one after the other. */
	void thaw() {
		if (!this.frozen) {
			return;
		}
		this.frozen = false;
		this.wokeAt = this.world.schedule().now();
		this.world.trace().add(this.name, "goes on");
		while (!this.backlog.isEmpty() && !this.frozen) {
			happen(this.backlog.remove());
			this.world.rules().check();
		}
	}

	void crash() {
		this.alive = false;
		this.frozen = false;
		this.backlog.clear();
	}

	@Override
	public String toString() {
		return this.name;
	}

	/** Shows the time of a process. */
	private record NodeClock(Node node) implements LockClock {

		private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

		@Override
		public long nanoTime() {
			return this.node.nanoTime();
		}

		@Override
		public Instant instant() {
			return START.plusNanos(nanoTime());
		}

		@Override
		public void park(long nanos) {
			throw new IllegalStateException("Nobody parks in a simulation");
		}

	}

}
