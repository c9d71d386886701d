package io.distlock.redis.simulation;

import java.util.Map;
import java.util.Optional;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.distlock.redis.SimulatedStore;
import org.slf4j.LoggerFactory;

/** Runs worlds on one server. */
public final class Simulation implements AutoCloseable {

	private static final int TRACE = Integer.getInteger("simulation.trace", 120);

	private final Figures figures = new Figures();

	private final Map<String, String> scripts;

	private final RedisWire wire;

	Simulation(String host, int port, Map<String, String> scripts) {
		((Logger) LoggerFactory.getLogger("io.distlock")).setLevel(Level.OFF);
		this.scripts = scripts;
		this.wire = new RedisWire(host, port);
	}

	static Simulation ours(String host, int port) {
		return new Simulation(host, port, SimulatedStore.scripts());
	}

	Figures figures() {
		return this.figures;
	}

	/**
	 * Runs one world.
	 * @throws Violation with the last events and how to repeat it
	 */
	void run(Scenario scenario, Use use, long seed) {
		World world = new World(scenario, use, seed, this.wire, this.scripts, TRACE);
		Violation violation = world.run();
		this.figures.add(world.figures());
		if (violation != null) {
			throw new Violation(violation.rule(),
					violation.getMessage() + "\nScenario " + scenario + ", use " + use + ", seed " + seed
							+ ", the last events:\n" + world.trace() + "To repeat it: " + command(scenario, use, seed));
		}
	}

	/** All that happens in one world, as text. */
	String trace(Scenario scenario, Use use, long seed) {
		World world = new World(scenario, use, seed, this.wire, this.scripts, Integer.MAX_VALUE);
		world.run();
		return world.trace().toString();
	}

	/**
	 * Runs worlds until a rule is broken.
	 * @return which rule, by which seed
	 */
	static Optional<String> firstViolation(String host, int port, Map<String, String> scripts, Scenario scenario,
			Use use, int seeds) {
		try (Simulation simulation = new Simulation(host, port, scripts)) {
			for (long seed = 1; seed <= seeds; seed++) {
				try {
					simulation.run(scenario, use, seed);
				}
				catch (Violation ex) {
					return Optional.of(scenario + " " + use + ", seed " + seed + ", " + ex.rule());
				}
			}
			return Optional.empty();
		}
	}

	/** The same with the scripts as they are, for another class loader. */
	public static Optional<String> firstViolation(String host, int port, String scenario, String use, int seeds) {
		return firstViolation(host, port, SimulatedStore.scripts(), Scenario.named(scenario), Use.named(use), seeds);
	}

	private static String command(Scenario scenario, Use use, long seed) {
		return "mvn test -pl lock-redis -am -Dtest=SimulationTests -Dsurefire.failIfNoSpecifiedTests=false"
				+ " -Dsimulation.config=" + scenario + " -Dsimulation.use=" + use + " -Dsimulation.seed=" + seed;
	}

	@Override
	public void close() {
		((Logger) LoggerFactory.getLogger("io.distlock")).setLevel(null);
		this.wire.close();
	}

}
