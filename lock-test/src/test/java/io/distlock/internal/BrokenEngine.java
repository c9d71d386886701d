package io.distlock.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.output.SourceMutant;

/** The engine with a mistake in one of its classes; its tests are run by name. */
final class BrokenEngine {

	private static final Path SOURCES = Path.of("..", "lock-core", "src", "main", "java");

	private static final Pattern MARKER = Pattern.compile("// mutant: (\\S+)");

	private final SourceMutant classes;

	private BrokenEngine(SourceMutant classes) {
		this.classes = classes;
	}

	/**
	 * Breaks the engine at a line that says {@code // mutant: name}.
	 * @param mutant the name
	 * @param replacement what is to be there instead of the statement that follows
	 * @return all classes, with that one broken
	 */
	static BrokenEngine with(String mutant, String replacement) {
		return new BrokenEngine(new SourceMutant(List.of(SOURCES), mutant, replacement));
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

	/** All mutants that the sources name. */
	static Set<String> mutants() {
		try (Stream<Path> files = Files.walk(SOURCES.resolve(Path.of("io", "distlock", "internal")))) {
			return files.filter((file) -> file.toString().endsWith(".java"))
				.flatMap((file) -> MARKER.matcher(read(file)).results())
				.map((match) -> match.group(1))
				.collect(Collectors.toCollection(TreeSet::new));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Runs a method, of an object made without arguments. */
	void run(String type, String method, String... arguments) throws Throwable {
		// What concerns the whole engine is here; tests of parts are in the room of keys.
		boolean here = BrokenEngine.class.getResource(type + ".class") != null;
		String room = BrokenEngine.class.getPackageName() + (here ? "." : ".key.");
		this.classes.run(room + type, method, arguments);
	}

}
