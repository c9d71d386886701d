package io.distlock.internal;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * The classes of this module once more, one of them changed in its source. Classes of one
 * package see each other only if one loader defines them, so this one defines them all
 * anew; whoever runs in it is found by name.
 */
final class BrokenEngine extends ClassLoader {

	private static final Path SOURCES = Path.of("src", "main", "java");

	private static final Path ENGINE = SOURCES.resolve(Path.of("io", "distlock", "internal"));

	private static final String OURS = "io.distlock.";

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

	private final Map<String, byte[]> changed;

	private BrokenEngine(Map<String, byte[]> changed) {
		super(BrokenEngine.class.getClassLoader());
		this.changed = changed;
	}

	/**
	 * Breaks the engine at a line that says {@code // mutant: name}.
	 * @param mutant the name
	 * @param replacement what is to be there instead of the statement that follows
	 * @return all classes, with that one broken
	 */
	static BrokenEngine with(String mutant, String replacement) {
		Pattern statement = Pattern.compile("// mutant: " + Pattern.quote(mutant) + "\\n(?:.*[^;{\\n]\\n)*?.*[;{]\\n");
		List<Path> found = sources().filter((file) -> statement.matcher(read(file)).find()).toList();
		if (found.size() != 1 || statement.matcher(read(found.get(0))).results().count() != 1) {
			throw new IllegalArgumentException("Not exactly one line is marked '" + mutant + "', but in " + found);
		}
		String source = statement.matcher(read(found.get(0)))
			.replaceFirst(Matcher.quoteReplacement(replacement + "\n"));
		return new BrokenEngine(compile(nameOf(found.get(0)), source));
	}

	/** All mutants that the sources name. */
	static Set<String> mutants() {
		Pattern marker = Pattern.compile("// mutant: (\\S+)");
		return sources().flatMap((file) -> marker.matcher(read(file)).results())
			.map((match) -> match.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static Stream<Path> sources() {
		try (Stream<Path> files = Files.walk(ENGINE)) {
			return files.filter((file) -> file.toString().endsWith(".java")).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String nameOf(Path file) {
		String path = SOURCES.relativize(file).toString().replace(File.separatorChar, '.');
		return path.substring(0, path.length() - ".java".length());
	}

	/** Runs a method without arguments, of an object made without arguments. */
	void run(String type, String method) throws Throwable {
		run(type, method, new Class<?>[0]);
	}

	/** Runs a method with one argument. */
	void run(String type, String method, String argument) throws Throwable {
		run(type, method, new Class<?>[] { String.class }, argument);
	}

	private void run(String type, String method, Class<?>[] parameters, Object... arguments) throws Throwable {
		Class<?> loaded = loadClass(room(type) + type);
		var constructor = loaded.getDeclaredConstructor();
		constructor.setAccessible(true);
		var called = loaded.getDeclaredMethod(method, parameters);
		called.setAccessible(true);
		try {
			called.invoke(constructor.newInstance(), arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	/** The model is that of the whole engine; tests of parts are in the room of keys. */
	private static String room(String type) {
		return BrokenEngine.class.getPackageName() + (type.endsWith("Tests") ? ".key." : ".");
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
		byte[] code = this.changed.get(name);
		if (code == null) {
			code = original(name);
		}
		return defineClass(name, code, 0, code.length);
	}

	private byte[] original(String name) throws ClassNotFoundException {
		try (InputStream code = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
			if (code == null) {
				throw new ClassNotFoundException(name);
			}
			return code.readAllBytes();
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

	private static Map<String, byte[]> compile(String name, String source) {
		Output output = new Output();
		StringWriter messages = new StringWriter();
		List<String> options = List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
		if (!COMPILER.getTask(messages, output, null, options, null, List.of(new Source(name, source))).call()) {
			throw new IllegalArgumentException(messages.toString());
		}
		Map<String, byte[]> classes = new HashMap<>();
		output.classes.forEach((compiled, code) -> classes.put(compiled, code.toByteArray()));
		return classes;
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
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

	/** Keeps what was compiled in memory. */
	private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {

		private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

		Output() {
			super(FILES);
		}

		@Override
		public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
				javax.tools.FileObject sibling) {
			if (location != StandardLocation.CLASS_OUTPUT) {
				throw new IllegalArgumentException(location.getName());
			}
			return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {

				@Override
				public OutputStream openOutputStream() {
					return Output.this.classes.computeIfAbsent(name, (absent) -> new ByteArrayOutputStream());
				}

			};
		}

	}

}
