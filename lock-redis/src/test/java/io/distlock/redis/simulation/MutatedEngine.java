package io.distlock.redis.simulation;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.distlock.output.SourceMutant;

/**
 * The lock, and its simulation, once more, with a mistake in one class of the engine or
 * of what reads its messages.
 */
final class MutatedEngine {

	private static final List<Path> SOURCES = List.of(Path.of("..", "lock-core", "src", "main", "java"),
			Path.of("src", "main", "java"));

	private final SourceMutant classes;

	/**
	 * Makes a mistake in one place.
	 * @param type the simple name of the class
	 * @param original the code of that place
	 * @param mistake what is there instead
	 */
	MutatedEngine(String type, String original, String mistake) {
		this.classes = new SourceMutant(SOURCES, type, original, mistake);
	}

	/** {@link Simulation#firstViolation} with the mistake. */
	Optional<String> firstViolation(String host, int port, Scenario scenario, Use use, int seeds) throws Exception {
		Class<?> simulation = this.classes.loadClass(Simulation.class.getName());
		Object found = simulation
			.getDeclaredMethod("firstViolation", String.class, int.class, String.class, String.class, int.class)
			.invoke(null, host, port, scenario.toString(), use.toString(), seeds);
		return ((Optional<?>) found).map(String.class::cast);
	}

	/**
	 * Runs a test with the mistake.
	 * @param test name of a class in the package of what is tested
	 * @param method the test, which throws what it throws
	 */
	void run(String test, String method) throws Throwable {
		this.classes.run(test, method);
	}

}
