package io.distlock.redis.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.distlock.redis.SimulatedStore;

/**
 * Some processes, a server, and what happens to them: faults for a while, then a time to
 * heal, then the end, when nothing may be left.
 */
final class World {

	private static final long LEASE = Node.LEASE.toNanos();

	private static final long CLAIM = TimeUnit.MILLISECONDS.toNanos(1500);

	/** Readers join a hold after a look at the store, which they do so often. */
	private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(500);

	private static final long FAULTY = TimeUnit.SECONDS.toNanos(10);

	/** Callers go on for a while after the last fault. */
	private static final long ACQUIRING = FAULTY + TimeUnit.SECONDS.toNanos(4);

	/** As long as a wait, a body, and the end of a request that is not known any more. */
	private static final long HEALING = TimeUnit.SECONDS.toNanos(60);

	/** A clock that went back makes leases of the dead last longer. */
	private static final long UNSTEADY_HEALING = TimeUnit.SECONDS.toNanos(300);

	private final Schedule schedule = new Schedule();

	private final Figures figures = new Figures();

	private final Resource resource = new Resource(this);

	private final Rules rules = new Rules(this);

	private final Map<String, Node> nodes = new LinkedHashMap<>();

	private final List<Caller> callers = new ArrayList<>();

	private final Scenario scenario;

	private final Use use;

	private final Chance chance;

	private final Trace trace;

	private final Server server;

	private final List<String> keys;

	private final int permits;

	private int born;

	World(Scenario scenario, Use use, long seed, RedisWire wire, Map<String, String> scripts, int traceLength) {
		this.scenario = scenario;
		this.use = use;
		this.chance = new Chance(seed * 31 + scenario.ordinal() + 1_000_003L * use.ordinal());
		this.trace = new Trace(this.schedule, traceLength);
		this.server = new Server(this, wire, scripts);
		this.keys = this.chance.of(0.5) ? List.of("a") : List.of("a", "b");
		this.permits = (use != Use.ALONE) ? 2 + this.chance.below(3) : 0;
		int processes = 2 + this.chance.below(7);
		for (int i = 0; i < processes; i++) {
			beBorn();
		}
		new Troubles(this).plan();
		this.schedule.at(FAULTY, this::heal);
	}

	Schedule schedule() {
		return this.schedule;
	}

	Figures figures() {
		return this.figures;
	}

	Resource resource() {
		return this.resource;
	}

	Rules rules() {
		return this.rules;
	}

	Scenario scenario() {
		return this.scenario;
	}

	/** How callers want its locks. */
	Use use() {
		return this.use;
	}

	/** How many permits each of its semaphores has. */
	int permits() {
		return this.permits;
	}

	Chance chance() {
		return this.chance;
	}

	Trace trace() {
		return this.trace;
	}

	Server server() {
		return this.server;
	}

	List<String> keys() {
		return this.keys;
	}

	/** One of the locks. */
	String key() {
		return this.keys.get(this.chance.below(this.keys.size()));
	}

	Stream<Caller> callers() {
		return this.callers.stream();
	}

	Stream<Node> nodes() {
		return this.nodes.values().stream();
	}

	/** The process of an instance, if it lives. */
	Node node(String instance) {
		Node node = this.nodes.get(Node.engine(instance));
		return (node != null && node.alive()) ? node : null;
	}

	/** Whether things go wrong. */
	boolean faulty() {
		return this.schedule.now() < FAULTY;
	}

	/** Whether callers begin anew. */
	boolean acquiring() {
		return this.schedule.now() < ACQUIRING;
	}

	/** Nothing is planned beyond. */
	long horizon() {
		return ACQUIRING + (this.scenario.steady() ? HEALING : UNSTEADY_HEALING);
	}

	/**
	 * How long a wanted lock may stay idle now, in nanoseconds; 0 without a bound.
	 * @param looks whether who is next is not told but looks: some hold it who leave
	 * room, or a minimum hold is over
	 */
	long idleBound(boolean looks) {
		long bound = idleBound();
		return (looks && bound > 0) ? bound + LOOK : bound;
	}

	private long idleBound() {
		if (!faulty() && this.scenario.steady() && this.scenario != Scenario.CLEAN) {
			return 2 * LEASE + 2 * CLAIM;
		}
		return (faulty() || this.scenario == Scenario.CLEAN) ? TimeUnit.MILLISECONDS.toNanos(this.scenario.idleMillis())
				: 0;
	}

	/** From when on idle time counts. */
	long idleCountsFrom() {
		return (faulty() || this.scenario == Scenario.CLEAN) ? 0 : FAULTY;
	}

	/** A process starts, with a name that nobody had before. */
	void beBorn() {
		Node node = new Node(this, "n" + ++this.born);
		this.trace.add(node.name(), "starts");
		this.nodes.put(node.name(), node);
		int crowd = 1 + this.chance.below(4);
		for (int i = 0; i < crowd; i++) {
			this.callers.add(new Caller(this, node));
		}
	}

	void die(Node node) {
		this.trace.add(node.name(), "dies");
		node.crash();
		this.nodes.remove(node.name());
		this.callers.removeIf((caller) -> caller.node() == node);
	}

	/** The server published something. */
	void published(String channel, String message) {
		this.nodes.values()
			.stream()
			.filter((node) -> node.alive() && node.link().listensTo(channel))
			.findFirst()
			.ifPresent((node) -> node.link().publish(message));
	}

	private void heal() {
		this.trace.add("faults", "end");
		List.copyOf(this.nodes.values()).forEach(Node::thaw);
		this.server.resume();
	}

	/**
	 * Lets all happen.
	 * @return the rule that was broken, or {@code null}
	 */
	Violation run() {
		this.figures.runs = 1;
		while (this.rules.violation() == null && this.schedule.step(horizon())) {
			this.figures.steps++;
			this.rules.check();
		}
		if (this.rules.violation() == null) {
			this.rules.checkEnd();
		}
		return this.rules.violation();
	}

}
