package io.distlock.internal;

import java.nio.file.Path;
import java.util.List;

import io.distlock.output.SourceMutant;

/** The engine with a mistake in one of its classes; its tests are run by name. */
final class BrokenEngine {

	private static final Path SOURCES = Path.of("..", "lock-core", "src", "main", "java");

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
		// What concerns the whole engine is here; tests of parts are in the room of keys.
		boolean here = BrokenEngine.class.getResource(type + ".class") != null;
		String room = BrokenEngine.class.getPackageName() + (here ? "." : ".key.");
		this.classes.run(room + type, method, arguments);
	}

}
