package io.distlock.output;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * All classes of this project once more, one of them with a mistake that is made in its
 * source, so that a test can be shown to notice it. Classes of one package see each other
 * only if one loader defines them, so this one defines all of them.
 */
public final class SourceMutant extends ClassLoader {

	private static final String OURS = "io.distlock.";

	private static final Pattern TOKEN = Pattern.compile("\\w+|\\S");

	private static final String SPACE = "(?:\\s|//.*+)";

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

	private final Map<String, ByteArrayOutputStream> mutated = new HashMap<>();

	/**
	 * Makes a mistake in one place.
	 * @param sources the folders with the sources
	 * @param type the simple name of a class that has a file
	 * @param original the code of that place, which is in the file once; spaces, line
	 * breaks and comments may differ
	 * @param mistake what is there instead
	 */
	public SourceMutant(List<Path> sources, String type, String original, String mistake) {
		super(SourceMutant.class.getClassLoader());
		SourceFile file = only(type, sources);
		String source = read(file.path());
		Matcher matcher = anySpaces(original).matcher(source);
		long found = matcher.results().count();
		if (found != 1) {
			throw new IllegalArgumentException(
					"%s has %d times, and not once: %s%n".formatted(file.path(), found, original) + ((found == 0)
							? "The code has changed: name the line that does it now, or remove the mutant with the behaviour"
							: "Name more of the code around it"));
		}
		compile(file.className(), matcher.reset().replaceFirst(Matcher.quoteReplacement(mistake)));
	}

	private static SourceFile only(String type, List<Path> sources) {
		List<SourceFile> found = sources.stream()
			.flatMap((folder) -> named(type + ".java", folder).stream().map((file) -> new SourceFile(folder, file)))
			.toList();
		if (found.size() != 1) {
			throw new IllegalArgumentException("Not one %s.java, but %s".formatted(type, found)
					+ ": name the class that does it now, or remove the mutant with the behaviour");
		}
		return found.get(0);
	}

	private static Pattern anySpaces(String code) {
		StringBuilder pattern = new StringBuilder();
		boolean afterWord = false;
		for (Matcher tokens = TOKEN.matcher(code); tokens.find();) {
			boolean word = Character.isJavaIdentifierPart(tokens.group().charAt(0));
			if (!pattern.isEmpty()) {
				pattern.append(SPACE).append((word && afterWord) ? "++" : "*+");
			}
			pattern.append(word ? "\\b%s\\b".formatted(tokens.group()) : Pattern.quote(tokens.group()));
			afterWord = word;
		}
		return Pattern.compile(pattern.toString());
	}

	private static List<Path> named(String name, Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.endsWith(name)).toList();
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

	private void compile(String name, String source) {
		StringWriter messages = new StringWriter();
		List<String> options = List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
		// The file manager is that of all mutants, and serves one thread at a time.
		synchronized (FILES) {
			if (!COMPILER.getTask(messages, new Outputs(), null, options, null, List.of(new Source(name, source)))
				.call()) {
				throw new IllegalArgumentException("The mistake in " + name + " does not compile: " + messages);
			}
		}
	}

	/**
	 * Runs a test with the mistake.
	 * @param test name of the test class
	 * @param method name of a test in it, empty for all of them
	 * @return the tests that failed
	 */
	public List<String> failures(String test, String method) {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(this);
		try {
			Class<?> type = loadClass(test);
			LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
				.selectors(method.isEmpty() ? DiscoverySelectors.selectClass(type)
						: DiscoverySelectors.selectMethod(type, method))
				.build();
			SummaryGeneratingListener summary = new SummaryGeneratingListener();
			Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
				.enableTestExecutionListenerAutoRegistration(false)
				.enablePostDiscoveryFilterAutoRegistration(false)
				.build());
			launcher.execute(request, summary);
			if (summary.getSummary().getTestsFoundCount() == 0) {
				throw new IllegalArgumentException("There is no test " + method + " in " + test);
			}
			return summary.getSummary()
				.getFailures()
				.stream()
				.map((failure) -> failure.getTestIdentifier().getDisplayName() + ": " + failure.getException())
				.toList();
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalArgumentException(ex);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	/**
	 * Runs a method of an object made without arguments, with the mistake.
	 * @param type name of the class
	 * @param method name of the method, which need not be public
	 * @param arguments its arguments, all of them strings
	 * @throws Throwable what the method throws
	 */
	public void run(String type, String method, String... arguments) throws Throwable {
		Class<?> loaded = loadClass(type);
		Constructor<?> constructor = loaded.getDeclaredConstructor();
		constructor.setAccessible(true);
		Class<?>[] parameters = new Class<?>[arguments.length];
		Arrays.fill(parameters, String.class);
		Method called = loaded.getDeclaredMethod(method, parameters);
		called.setAccessible(true);
		try {
			called.invoke(constructor.newInstance(), (Object[]) arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
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
		ByteArrayOutputStream changed = this.mutated.get(name);
		if (changed != null) {
			return changed.toByteArray();
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

	/** A source file, of a folder with sources. */
	private record SourceFile(Path folder, Path path) {

		String className() {
			String path = this.folder.relativize(this.path).toString().replace(File.separatorChar, '.');
			return path.substring(0, path.length() - ".java".length());
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

		Outputs() {
			super(FILES);
		}

		@Override
		public JavaFileObject getJavaFileForOutput(Location location, String className, JavaFileObject.Kind kind,
				FileObject sibling) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			SourceMutant.this.mutated.put(className, bytes);
			return new SimpleJavaFileObject(URI.create("bytes:///" + className.replace('.', '/') + ".class"), kind) {
				@Override
				public OutputStream openOutputStream() {
					return bytes;
				}
			};
		}

	}

}
