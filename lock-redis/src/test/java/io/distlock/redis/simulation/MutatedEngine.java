package io.distlock.redis.simulation;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The lock, and its simulation, once more, with a mistake in one class of the engine. The
 * mistake is compiled from the sources.
 */
final class MutatedEngine extends ClassLoader {

	private static final String OURS = "io.distlock.";

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	/** Knows the jars once it has read them. */
	private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

	private static final Path CORE = Path.of("..", "lock-core", "src", "main", "java");

	private static final Path REDIS = Path.of("src", "main", "java");

	private final Map<String, ByteArrayOutputStream> mutated = new HashMap<>();

	/**
	 * Makes a mistake at the line of the engine, or of what reads its messages, that says
	 * {@code // mutant: name}.
	 * @param mutant the name
	 * @param replacement the mistake, instead of the statement that follows
	 */
	MutatedEngine(String mutant, String replacement) {
		super(MutatedEngine.class.getClassLoader());
		Pattern statement = Pattern.compile("// mutant: " + Pattern.quote(mutant) + "\\n(?:.*[^;{\\n]\\n)*?.*[;{]\\n");
		List<Path> files = sources().filter((file) -> statement.matcher(source(file)).find()).toList();
		if (files.size() != 1 || statement.matcher(source(files.get(0))).results().count() != 1) {
			throw new IllegalArgumentException("Not exactly one line is marked '" + mutant + "', but in " + files);
		}
		Path root = files.get(0).startsWith(CORE) ? CORE : REDIS;
		String name = root.relativize(files.get(0)).toString().replace(File.separatorChar, '.');
		compile(name.substring(0, name.length() - ".java".length()),
				statement.matcher(source(files.get(0))).replaceFirst(Matcher.quoteReplacement(replacement + "\n")));
	}

	private static Stream<Path> sources() {
		return Stream.concat(sources(CORE.resolve(Path.of("io", "distlock", "internal"))),
				sources(REDIS.resolve(Path.of("io", "distlock", "redis", "protocol"))));
	}

	private static Stream<Path> sources(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(".java")).sorted().toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String source(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void compile(String name, String source) {
		List<String> options = List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
		if (!COMPILER.getTask(null, new Outputs(FILES), null, options, null, List.of(new Source(name, source)))
			.call()) {
			throw new IllegalArgumentException("The mistake in " + name + " does not compile");
		}
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith(OURS)) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> known = findLoadedClass(name);
			return (known != null) ? known : define(name);
		}
	}

	private Class<?> define(String name) throws ClassNotFoundException {
		byte[] bytes = bytes(name);
		return defineClass(name, bytes, 0, bytes.length);
	}

	private byte[] bytes(String name) throws ClassNotFoundException {
		if (this.mutated.containsKey(name)) {
			return this.mutated.get(name).toByteArray();
		}
		try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
			if (in == null) {
				throw new ClassNotFoundException(name);
			}
			return in.readAllBytes();
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

	/** {@link Simulation#firstViolation} with the mistake. */
	Optional<String> firstViolation(String host, int port, Scenario scenario, Use use, int seeds) throws Exception {
		Class<?> simulation = loadClass(Simulation.class.getName());
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
		Class<?> type = loadClass(test);
		Constructor<?> constructor = type.getDeclaredConstructor();
		constructor.setAccessible(true);
		Method tested = type.getDeclaredMethod(method);
		tested.setAccessible(true);
		try {
			tested.invoke(constructor.newInstance());
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	/** A source in memory. */
	private static final class Source extends SimpleJavaFileObject {

		private final String text;

		Source(String name, String text) {
			super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

	/** Keeps what is compiled in memory. */
	private final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {

		Outputs(JavaFileManager files) {
			super(files);
		}

		@Override
		public JavaFileObject getJavaFileForOutput(Location location, String className, JavaFileObject.Kind kind,
				FileObject sibling) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			MutatedEngine.this.mutated.put(className, bytes);
			return new SimpleJavaFileObject(URI.create("bytes:///" + className.replace('.', '/') + ".class"), kind) {
				@Override
				public OutputStream openOutputStream() {
					return bytes;
				}
			};
		}

	}

}
