package io.distlock.benchmark.cold;

import java.io.File;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Classes of beans, each with a method of its own that is annotated, and three others.
 */
public final class BeanClasses {

	private static final String SOURCE = """
			package cold;

			public class %1$s {

				@Deprecated
				@io.distlock.DistributedLock(name = "%1$s", key = "#id")
				public String update(String id) {
					return id;
				}

				public String find(String id) {
					return id;
				}

				public void refresh() {
				}

				@Override
				public String toString() {
					return "%1$s";
				}

			}
			""";

	static final String PREFIX = "cold.Bean";

	private BeanClasses() {
	}

	static String name(int number) {
		return PREFIX + number;
	}

	/**
	 * Compiles classes of beans.
	 * @param count how many
	 * @param classPath what they need
	 * @param directory where to
	 */
	public static void compile(int count, List<Path> classPath, Path directory) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		if (compiler == null) {
			throw new IllegalStateException("K needs a JDK, not only a runtime");
		}
		StringWriter messages = new StringWriter();
		List<String> options = List.of("-nowarn", "-proc:none", "-parameters", "-d", directory.toString(), "-cp",
				String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList()));
		List<JavaFileObject> sources = IntStream.range(0, count).<JavaFileObject>mapToObj(Source::new).toList();
		if (!compiler.getTask(messages, null, null, options, null, sources).call()) {
			throw new IllegalStateException("Beans do not compile: " + messages);
		}
	}

	private static final class Source extends SimpleJavaFileObject {

		private final String text;

		Source(int number) {
			super(URI.create("string:///cold/Bean" + number + ".java"), Kind.SOURCE);
			this.text = SOURCE.formatted("Bean" + number);
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

}
