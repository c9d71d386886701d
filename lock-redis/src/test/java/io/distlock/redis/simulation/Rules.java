package io.distlock.redis.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.distlock.internal.SimulatedEngine;
import io.distlock.redis.SimulatedStore;
import io.distlock.redis.StoredLock;
import io.distlock.spi.Sharing;

/**
 * What must be true after every step. The first rule that is broken ends the run; engines
 * catch exceptions, so it is only noted here.
 */
final class Rules {

	/** No caller wants a longer one; a clock may be slow by 0.04 %. */
	private static final long LONGEST_LEASE = Node.LEASE.toNanos() + Node.LEASE.toNanos() / 1000;

	/**
	 * A message, a renewal with its answer, each at most a millisecond, and in between a
	 * round of the housekeeper, whose clock may be slow.
	 */
	private static final long TOLD = SimulatedEngine.ROUND_NANOS + TimeUnit.MILLISECONDS.toNanos(4);

	private final World world;

	private final List<Held> open = new ArrayList<>();

	private final Map<String, LockHistory> histories = new HashMap<>();

	private final Map<String, Bodies> bodies = new HashMap<>();

	private Violation violation;

	Rules(World world) {
		this.world = world;
	}

	Violation violation() {
		return this.violation;
	}

	/** What was found is made to text only if it is wrong. */
	void require(boolean kept, String rule, Object... found) {
		if (!kept && this.violation == null) {
			String text = Arrays.stream(found).map(String::valueOf).collect(Collectors.joining(" "));
			this.world.trace().add("rule", rule, "IS BROKEN:", text);
			this.violation = new Violation(rule, rule + ": " + text);
		}
	}

	/** What scripts left behind must be readable. */
	StoredLock read(Command command, List<Object> hash) {
		try {
			StoredLock lock = SimulatedStore.read(hash);
			require(lock.whole(), "I7 the parts of a lock fit together", hash);
			return lock;
		}
		catch (RuntimeException ex) {
			require(false, "I7 the parts of a lock fit together", command, "left", hash);
			return this.world.server().lock(command.key());
		}
	}

	/** The server answered with an error. */
	void failed(Command command, RedisWire.Failure failure) {
		require(failure.message().startsWith("NOSCRIPT"), "I7 scripts do not fail", command, failure);
	}

	void executed(Command command, long millis, StoredLock before, StoredLock after, Object reply) {
		require(!(reply instanceof RedisWire.Failure), "I7 scripts do not fail", command, reply);
		if (!command.is("INSPECT")) {
			history(command.key()).executed(command, millis, before, after, reply);
		}
	}

	/** The server lost a lock; what it must remember begins anew, but for the tokens. */
	void stateLost(String key) {
		history(key).stateLost();
	}

	/** A body begins. */
	void begun(Held held, Caller caller) {
		this.world.figures().acquisitions++;
		require(held.handle().isHeld(), "I8 no body runs without the lock", held);
		held.request()
			.leaseTime()
			.ifPresent((lease) -> require(held.handle().remaining().compareTo(lease) <= 0,
					"I1 a fixed lease is not longer than asked for", held));
		bodies(held.key()).begun(held);
		this.world.callers()
			.filter((other) -> other != caller && other.node() == held.node() && other.waiting()
					&& other.key().equals(held.key()) && !other.overdue() && inOneLine(other, held))
			.forEach((other) -> require(other.place() > caller.place() || !other.queued(),
					"I6 first come, first served in a process", held));
		List<Held> others = believers(held.key());
		this.world.figures().together += others.stream().anyMatch(held::goesWith) ? 1 : 0;
		this.open.add(held);
		this.world.figures().overlaps += mayBelieve(believers(held.key())) ? 0 : 1;
	}

	/**
	 * Whether the order of both can be seen: readers let in together hear of it in any
	 * order, and permits come from several lines.
	 */
	private static boolean inOneLine(Caller other, Held held) {
		return !(other.sharing() instanceof Sharing.Permit) && !(held.sharing() instanceof Sharing.Permit)
				&& !other.sharing().goesWith(held.sharing());
	}

	/** A body ended, and the lock is released. */
	void ended(Held held, boolean believed) {
		this.open.remove(held);
		if (believed) {
			bodies(held.key()).kept(held);
		}
	}

	/** The resource was changed, or read. */
	void used(String key, long token, boolean alone) {
		bodies(key).used(token, alone);
	}

	/** A step is done. */
	void check() {
		this.open.removeIf((held) -> !held.node().alive());
		for (String name : this.world.keys()) {
			List<Held> believers = believers(name);
			believers.removeIf(this::checkForced);
			require(!this.world.scenario().exclusive() || mayBelieve(believers),
					"I1 one believer at a time, or some together", believers);
			StoredLock lock = this.world.server().lock(SimulatedStore.PREFIX + name);
			if (this.world.scenario().steady()) {
				believers.forEach((held) -> checkBelief(held, lock));
				lock.holds().forEach((hold) -> checkOrphan(name, hold));
			}
			checkIdle(name, believers, lock);
		}
	}

	/**
	 * Who does not know yet that its hold was released by force believes for no longer
	 * than its lease would have lasted.
	 * @return whether it is so
	 */
	private boolean checkForced(Held held) {
		Long until = history(SimulatedStore.PREFIX + held.key()).forcedUntil(held.token());
		if (until != null) {
			long believed = held.node().trueNanos(held.handle().remaining().toNanos());
			long left = this.world.server().trueNanosUntil(until);
			require(believed <= left, "I1 belief in a hold that was released by force ends with its lease", held, "for",
					believed, "ns, but it would have lasted", left, "ns");
			long since = this.world.schedule().now()
					- history(SimulatedStore.PREFIX + held.key()).forcedAt(held.token());
			require(!this.world.scenario().tellsAtOnce() || since <= TOLD,
					"I1 who was released by force learns so at once", held, "believes still, after", since, "ns");
		}
		return until != null;
	}

	/** Whether a hold was released by force. */
	boolean isForced(Held held) {
		return history(SimulatedStore.PREFIX + held.key()).forcedUntil(held.token()) != null;
	}

	private boolean mayBelieve(List<Held> believers) {
		for (int i = 0; i < believers.size(); i++) {
			for (int j = 0; j < i; j++) {
				if (!believers.get(i).goesWith(believers.get(j))) {
					return false;
				}
			}
		}
		return believers.isEmpty() || believers.get(0).sharing().admits(believers.size() - 1);
	}

	private List<Held> believers(String name) {
		List<Held> believers = new ArrayList<>(1);
		for (Held held : this.open) {
			if (held.key().equals(name) && held.believed()) {
				believers.add(held);
			}
		}
		return believers;
	}

	/** Belief lies within the lease that the store has granted. */
	private void checkBelief(Held held, StoredLock lock) {
		LockHistory.Block block = history(SimulatedStore.PREFIX + held.key()).block(held.token());
		StoredLock.Hold hold = lock.holdOf(block.owner())
			.filter((own) -> own.request() == block.request())
			.orElse(null);
		require(hold != null, "I1 who believes is the owner", held, "but", lock);
		require(held.token() <= lock.highestToken(), "I2 tokens are reserved before use", held, "but", lock);
		if (hold != null) {
			long believed = held.node().trueNanos(held.handle().remaining().toNanos());
			long left = this.world.server().trueNanosUntil(hold.expiry());
			require(believed <= left, "I1 belief ends before the lease", held, "for", believed,
					"ns, but the lease lasts", left, "ns");
		}
	}

	/**
	 * Who holds in the store and has forgotten it would hold until the end of the lease,
	 * which is never far away.
	 */
	private void checkOrphan(String name, StoredLock.Hold hold) {
		long left = this.world.server().trueNanosUntil(hold.expiry());
		require(left <= LONGEST_LEASE, "I4 a lease ends", hold, "in", left, "ns");
		if (left > 0) {
			Node node = this.world.node(hold.instance());
			// A body that has lost its lock still runs; nobody else should start.
			boolean runs = this.open.stream().anyMatch((held) -> held.node() == node && held.key().equals(name));
			require(node == null || runs || !node.responsive() || node.knows(name, hold.instance()), "I4 no orphan",
					hold);
		}
	}

	private void checkIdle(String name, List<Held> believers, StoredLock lock) {
		boolean room = believers.isEmpty() || leaveRoom(name, believers, lock);
		boolean wanted = room && this.world.callers()
			.anyMatch((caller) -> caller.waiting() && caller.key().equals(name) && caller.node().responsive());
		long kept = bodies(name).keptUntil();
		long idle = history(SimulatedStore.PREFIX + name).idle(wanted, Math.max(this.world.idleCountsFrom(), kept));
		// Nobody tells that a minimum hold is over: who is next looks.
		boolean looks = !believers.isEmpty() || this.world.schedule().now() - idle == kept;
		long bound = this.world.idleBound(looks);
		if (idle > 0) {
			this.world.figures().longestIdleMillis = Math.max(this.world.figures().longestIdleMillis, idle / 1_000_000);
		}
		require(bound == 0 || idle <= bound, "I5 nobody waits for a free lock", name, "idle for", idle, "ns",
				believers);
	}

	/** Whether all who wait could be let in beside those who believe. */
	private boolean leaveRoom(String name, List<Held> believers, StoredLock lock) {
		Held first = believers.get(0);
		return !(first.sharing() instanceof Sharing.Exclusive) && first.sharing().admits(believers.size())
				&& this.world.callers()
					.filter((caller) -> caller.waiting() && caller.key().equals(name))
					.allMatch((caller) -> caller.sharing().goesWith(first.sharing()))
				&& lock.queue().stream().allMatch((waiter) -> waiter.wanted().goesWith(first.sharing()));
	}

	private LockHistory history(String key) {
		return this.histories.computeIfAbsent(key, (absent) -> new LockHistory(this.world, this));
	}

	private Bodies bodies(String name) {
		return this.bodies.computeIfAbsent(name,
				(absent) -> new Bodies(this.world, this, history(SimulatedStore.PREFIX + absent)));
	}

	/** Everything is over. */
	void checkEnd() {
		this.world.callers()
			.filter((caller) -> caller.node().alive())
			.forEach((caller) -> require(caller.resting(), "I5 nobody is stuck", caller.node()));
		this.world.nodes()
			.filter(Node::alive)
			.forEach((node) -> require(node.idle(), "I4 nothing is left behind in a process", node));
		for (String name : this.world.keys()) {
			StoredLock lock = this.world.server().lock(SimulatedStore.PREFIX + name);
			long now = this.world.server().micros() / 1000;
			require(lock.valid(now).isEmpty() && lock.queue().stream().allMatch((waiter) -> waiter.aliveUntil() <= now),
					"I4 nothing lives on in the store", lock);
		}
	}

}
