package io.distlock.internal;

import java.nio.file.Path;
import java.util.List;

import io.distlock.output.SourceMutant;

/** The engine with a mistake in one of its classes; its tests are run by name. */
final class BrokenEngine {

	private static final Path SOURCES = Path.of("..", "lock-core", "src", "main", "java");

	/** The tests of the whole engine, of its rooms, and of what users see. */
	private static final List<String> ROOMS = List.of("io.distlock.internal", "io.distlock.internal.context",
			"io.distlock.internal.hold", "io.distlock.internal.key", "io.distlock.internal.lease",
			"io.distlock.internal.monitor", "io.distlock.internal.outage", "io.distlock.internal.ownership",
			"io.distlock.internal.request", "io.distlock.internal.waiting", "io.distlock.test");

	private final SourceMutant classes;

	private BrokenEngine(SourceMutant classes) {
		this.classes = classes;
	}

	/**
	 * Breaks the engine in one place.
	 * @param type the simple name of the class
	 * @param original the code of that place
	 * @param mistake what is to be there instead
	 * @return all classes, with that one broken
	 */
	static BrokenEngine with(String type, String original, String mistake) {
		return new BrokenEngine(new SourceMutant(List.of(SOURCES), type, original, mistake));
	}

	/** Runs a method, of an object made without arguments. */
	void run(String type, String method, String... arguments) throws Throwable {
		this.classes.run(room(type) + "." + type, method, arguments);
	}

	private static String room(String type) {
		return ROOMS.stream()
			.filter((room) -> BrokenEngine.class
				.getResource("/" + room.replace('.', '/') + "/" + type + ".class") != null)
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No room has " + type));
	}

}
