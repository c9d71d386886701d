package io.distlock.redis.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.distlock.redis.SimulatedStore;
import io.distlock.redis.StoredLock;

/**
 * What must be true after every step. The first rule that is broken ends the run; engines
 * catch exceptions, so it is only noted here.
 */
final class Rules {

	private final World world;

	private final List<Held> open = new ArrayList<>();

	private final Map<String, LockHistory> histories = new HashMap<>();

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
		LockHistory history = history(SimulatedStore.PREFIX + held.key());
		require(held.handle().isHeld(), "I8 no body runs without the lock", held);
		history.begun(held);
		this.world.callers()
			.filter((other) -> other != caller && other.node() == held.node() && other.waiting()
					&& other.key().equals(held.key()) && !other.overdue())
			.forEach((other) -> require(other.place() > caller.place(), "I6 first come, first served in a process",
					held));
		if (this.open.stream().anyMatch((other) -> other.key().equals(held.key()) && other.believed())) {
			this.world.figures().overlaps++;
		}
		this.open.add(held);
	}

	/** A body ended, and the lock is released. */
	void ended(Held held) {
		this.open.remove(held);
	}

	/** The resource was changed. */
	void written(String key, long token) {
		history(SimulatedStore.PREFIX + key).written(token);
	}

	/** A step is done. */
	void check() {
		this.open.removeIf((held) -> !held.node().alive());
		for (String name : this.world.keys()) {
			List<Held> believers = believers(name);
			require(believers.size() <= 1 || !this.world.scenario().exclusive(), "I1 one believer at a time",
					believers);
			if (this.world.scenario().steady()) {
				StoredLock lock = this.world.server().lock(SimulatedStore.PREFIX + name);
				believers.forEach((held) -> checkBelief(held, lock));
				checkOrphan(name, lock);
			}
			checkIdle(name, !believers.isEmpty());
		}
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
		require(lock.held() && lock.owner().equals(held.node().name()), "I1 who believes is the owner", held, "but",
				lock);
		require(held.token() <= lock.highestToken(), "I2 tokens are reserved before use", held, "but", lock);
		long believed = held.node().trueNanos(held.handle().remaining().toNanos());
		long left = this.world.server().trueNanosUntil(lock.expiry());
		require(believed <= left, "I1 belief ends before the lease", held, "for", believed, "ns, but the lease lasts",
				left, "ns");
	}

	/**
	 * Who holds in the store and has forgotten it would hold until the end of the lease.
	 */
	private void checkOrphan(String name, StoredLock lock) {
		if (lock.held() && this.world.server().trueNanosUntil(lock.expiry()) > 0) {
			Node node = this.world.node(lock.owner());
			// A body that has lost its lock still runs; nobody else should start.
			boolean runs = this.open.stream().anyMatch((held) -> held.node() == node && held.key().equals(name));
			require(node == null || runs || !node.responsive() || node.knows(name), "I4 no orphan", lock);
		}
	}

	private void checkIdle(String name, boolean believed) {
		boolean wanted = !believed && this.world.callers()
			.anyMatch((caller) -> caller.waiting() && caller.key().equals(name) && caller.node().responsive());
		long idle = history(SimulatedStore.PREFIX + name).idle(wanted);
		long bound = this.world.idleBound();
		if (idle > 0) {
			this.world.figures().longestIdleMillis = Math.max(this.world.figures().longestIdleMillis, idle / 1_000_000);
		}
		require(bound == 0 || idle <= bound, "I5 nobody waits for a free lock", name, "idle for", idle, "ns");
	}

	private LockHistory history(String key) {
		return this.histories.computeIfAbsent(key, (absent) -> new LockHistory(this.world, this));
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
			require((!lock.held() || lock.expiry() <= now)
					&& lock.queue().stream().allMatch((waiter) -> waiter.aliveUntil() <= now),
					"I4 nothing lives on in the store", lock);
		}
	}

}
