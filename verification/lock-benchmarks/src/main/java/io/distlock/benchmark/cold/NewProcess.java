package io.distlock.benchmark.cold;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;

import io.distlock.benchmark.measure.Machine;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;

/** Another JVM that ends by itself, as its parent sees it. */
public final class NewProcess {

	/** What lines with a result begin with, whatever else is printed. */
	private static final String RESULT = "@@ ";

	private NewProcess() {
	}

	/**
	 * Runs a process to its end, and adds what it reports to a sample.
	 * @param classPath its class path
	 * @param main its main class
	 * @param arguments its arguments
	 * @param sample where to add the results
	 * @return the sample
	 */
	public static Sample run(List<Path> classPath, Class<?> main, List<String> arguments, Sample sample) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.add("-cp");
		command.add(String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList()));
		command.add(main.getName());
		command.addAll(arguments);
		try {
			Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
			try (BufferedReader out = process.inputReader()) {
				out.lines().filter((line) -> line.startsWith(RESULT)).forEach((line) -> add(line, sample));
			}
			if (process.waitFor() != 0) {
				throw new IllegalStateException(main.getSimpleName() + " " + arguments + " failed");
			}
			return sample;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot start " + command.get(0), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
	}

	private static void add(String line, Sample sample) {
		String[] words = line.substring(RESULT.length()).split(" ");
		sample.put(Metric.valueOf(words[0]), Double.parseDouble(words[1]));
	}

	/** Reports a result to the parent. */
	static void report(Metric metric, double value) {
		System.out.println(RESULT + metric.name() + " " + value);
	}

	/**
	 * Returns a part of the class path of this process.
	 * @param wanted which entries, by the text of their paths
	 * @return the entries
	 */
	public static List<Path> classPath(Predicate<String> wanted) {
		return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.flatMap(NewProcess::withLibraries)
			.filter((entry) -> wanted.test(entry.toString()))
			.toList();
	}

	/**
	 * Copies what the processes of this package run, without the manifest of the jar,
	 * which would add all its libraries to their class paths.
	 * @param directory where to
	 */
	public static void copyClasses(Path directory) {
		for (Class<?> type : List.of(ContextStart.class, ContextStart.Application.class,
				ContextStart.EmptyAdvisor.class, BeanClasses.class, NewProcess.class, Machine.class, Metric.class)) {
			String file = type.getName().replace('.', '/') + ".class";
			try (InputStream in = Objects.requireNonNull(NewProcess.class.getResourceAsStream("/" + file), file)) {
				Path copy = directory.resolve(file);
				Files.createDirectories(copy.getParent());
				Files.copy(in, copy);
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Cannot copy " + file, ex);
			}
		}
	}

	/** The jar of the benchmarks names its libraries in its manifest. */
	private static Stream<Path> withLibraries(Path entry) {
		if (!entry.toString().endsWith(".jar")) {
			return Stream.of(entry);
		}
		try (JarFile jar = new JarFile(entry.toFile())) {
			String libraries = (jar.getManifest() != null)
					? jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH) : null;
			Stream<Path> named = (libraries != null) ? Stream.of(libraries.split(" ")).map(entry::resolveSibling)
					: Stream.empty();
			return Stream.concat(Stream.of(entry), named);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + entry, ex);
		}
	}

}
