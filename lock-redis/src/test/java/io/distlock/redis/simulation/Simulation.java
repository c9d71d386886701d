package io.distlock.redis.simulation;

import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.redis.SimulatedStore;

/** Runs worlds on one server. */
final class Simulation implements AutoCloseable {

	private static final int TRACE = Integer.getInteger("simulation.trace", 120);

	private final Figures figures = new Figures();

	private final Map<String, String> scripts;

	private final RedisWire wire;

	Simulation(String host, int port, Map<String, String> scripts) {
		((Logger) LoggerFactory.getLogger("io.distlock")).setLevel(Level.OFF);
		this.scripts = scripts;
		this.wire = new RedisWire(host, port);
		scripts.values().forEach((script) -> this.wire.ask(List.of("SCRIPT", "LOAD", script)));
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
	void run(Scenario scenario, long seed) {
		World world = new World(scenario, seed, this.wire, this.scripts, TRACE);
		Violation violation = world.run();
		this.figures.add(world.figures());
		if (violation != null) {
			throw new Violation(violation.rule(), violation.getMessage() + "\nScenario " + scenario + ", seed " + seed
					+ ", the last events:\n" + world.trace() + "To repeat it: " + command(scenario, seed));
		}
	}

	/** All that happens in one world, as text. */
	String trace(Scenario scenario, long seed) {
		World world = new World(scenario, seed, this.wire, this.scripts, Integer.MAX_VALUE);
		world.run();
		return world.trace().toString();
	}

	private static String command(Scenario scenario, long seed) {
		return "mvn test -pl lock-redis -am -Dtest=SimulationTests -Dsurefire.failIfNoSpecifiedTests=false"
				+ " -Dsimulation.config=" + scenario + " -Dsimulation.seed=" + seed;
	}

	@Override
	public void close() {
		((Logger) LoggerFactory.getLogger("io.distlock")).setLevel(null);
		this.wire.close();
	}

}
