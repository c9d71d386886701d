package io.distlock.redis.simulation;

import java.util.List;
import java.util.function.Consumer;

import io.distlock.redis.SimulatedStore;
import io.distlock.redis.StoredLock;

/** The faults that are no matter of a single message: they come now and then. */
final class Troubles {

	/** After these the operator releases what there is. */
	private static final int LOOKS = 60;

	private final World world;

	private boolean failingOver;

	Troubles(World world) {
		this.world = world;
	}

	void plan() {
		toSomebody(Fault.CRASH, this::crash);
		toSomebody(Fault.FREEZE, (node) -> node.freeze(stop()));
		toSomebody(Fault.DEAF, (node) -> node.link().becomeDeaf(chance().millis(100, 3000)));
		plan(Fault.STALL, () -> this.world.server().stall(stop() / 2));
		plan(Fault.FORCED_RELEASE, this::releaseByForce);
		plan(Fault.NO_SCRIPT, this.world.server()::forgetScripts);
		plan(Fault.CLOCK_STEP, () -> this.world.server().stepClock(chance().below(8001) - 4000));
		plan(Fault.BIG_STEP_BACK, () -> this.world.server().stepClock(-24_000));
		plan(Fault.DELETED, () -> this.world.server().delete(SimulatedStore.PREFIX + this.world.key()));
		plan(Fault.EMPTIED, this.world.server()::empty);
		plan(Fault.FAILOVER, this::failOver);
	}

	/** The replica gets nothing for a while before it becomes the master. */
	private void failOver() {
		if (this.failingOver) {
			return;
		}
		this.failingOver = true;
		this.world.server().replicate();
		this.world.schedule().in(chance().millis(0, chance().of(0.3) ? 2000 : 50), () -> {
			this.world.trace().add("server", "is another one");
			this.world.server().failOver();
			this.failingOver = false;
		});
	}

	/**
	 * The operator has looked a moment before; the order may come twice, or far too late.
	 */
	private void releaseByForce() {
		String key = SimulatedStore.PREFIX + this.world.key();
		if (this.world.scenario().tellsAtOnce()) {
			releaseNext(key, this.world.server().lock(key), LOOKS);
			return;
		}
		List<StoredLock.Hold> holds = this.world.server().lock(key).holds();
		Command command = new Command("FORCE_RELEASE", true, key, SimulatedStore.forceRelease(holds));
		this.world.trace().add("operator", "releases by force", command);
		this.world.schedule().in(chance().millis(0, chance().of(0.2) ? 2000 : 2), () -> receive(command));
		if (chance().of(0.3)) {
			this.world.schedule().in(chance().millis(1, 6000), () -> receive(command));
		}
	}

	/**
	 * The operator looks again and again, and releases the next hold, whose process may
	 * not have heard of its grant yet.
	 */
	private void releaseNext(String key, StoredLock before, int looks) {
		StoredLock lock = this.world.server().lock(key);
		if (looks == 0 || !lock.holds().isEmpty() && lock.highestToken() > before.highestToken()) {
			Command command = new Command("FORCE_RELEASE", true, key, SimulatedStore.forceRelease(lock.holds()));
			this.world.trace().add("operator", "releases by force", command);
			receive(command);
		}
		else {
			this.world.schedule().in(chance().millis(0.05, 0.4), () -> releaseNext(key, before, looks - 1));
		}
	}

	private void receive(Command command) {
		this.world.server().receive(command, (answer) -> {
		});
	}

	private Chance chance() {
		return this.world.chance();
	}

	/** Often a moment, sometimes more than two leases. */
	private long stop() {
		return chance().of(0.5) ? chance().millis(1, 300) : chance().millis(300, 7000);
	}

	private void crash(Node node) {
		this.world.die(node);
		this.world.schedule().in(chance().millis(1, 2000), this.world::beBorn);
	}

	private void toSomebody(Fault fault, Consumer<Node> trouble) {
		plan(fault, () -> {
			List<Node> nodes = this.world.nodes().toList();
			if (!nodes.isEmpty()) {
				Node node = nodes.get(chance().below(nodes.size()));
				this.world.trace().add("fault", fault.name(), node);
				trouble.accept(node);
			}
		});
	}

	private void plan(Fault fault, Runnable trouble) {
		double mean = this.world.scenario().rate(fault);
		if (mean > 0) {
			this.world.schedule().in(chance().millis(0, 2 * mean), () -> {
				if (this.world.faulty()) {
					this.world.figures().count(fault);
					this.world.trace().add("fault", fault.name());
					trouble.run();
					plan(fault, trouble);
				}
			});
		}
	}

}
