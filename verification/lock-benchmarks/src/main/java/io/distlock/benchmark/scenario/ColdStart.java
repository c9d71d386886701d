package io.distlock.benchmark.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.distlock.benchmark.cold.BeanClasses;
import io.distlock.benchmark.cold.ContextStart;
import io.distlock.benchmark.cold.FirstLock;
import io.distlock.benchmark.cold.NewProcess;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Implementation.Trait;

/**
 * K: what a process pays that has just started. The first lock, each in a JVM of its own,
 * and the start of an application with and without the starter.
 */
public final class ColdStart implements Scenario {

	/** What an application has that needs no locks. */
	private static final Pattern OTHERS = Pattern.compile(
			".*(benchmarks.jar|lock-benchmarks.target.classes|lock4j|redisson|spring-integration|micrometer-(registry|tracing)|opentelemetry|prometheus|jmh).*");

	private static final Pattern STARTER = Pattern.compile(".*lock-(core|redis|autoconfigure)\\b.*");

	private static final int BEANS = 500;

	/** An application that starts. */
	private enum Application {

		PLAIN("Spring Boot", false, 0, "nothing"),

		COMMAND("Spring Boot, first command", false, 0, "command"),

		STARTER("starter", true, 0, "nothing"),

		BEANS("Spring Boot, 500 beans", false, ColdStart.BEANS, "command"),

		PROXIES("Spring Boot, 500 proxies", false, ColdStart.BEANS, "advice"),

		LOCKS("starter, 500 locks", true, ColdStart.BEANS, "nothing");

		private final String label;

		private final boolean starter;

		private final int beans;

		private final String more;

		Application(String label, boolean starter, int beans, String more) {
			this.label = label;
			this.starter = starter;
			this.beans = beans;
			this.more = more;
		}

		private List<Path> classPath(Path classes) {
			List<Path> entries = new ArrayList<>(NewProcess.classPath((entry) -> !OTHERS.matcher(entry).matches()
					&& (this.starter || !ColdStart.STARTER.matcher(entry).matches())));
			entries.add(classes);
			return entries;
		}

	}

	@Override
	public void run(Bench bench) {
		List<Path> classPath = NewProcess.classPath((entry) -> true);
		bench.rounds("K-first", bench.options().peers(Trait.SHARED),
				(implementation, round) -> firstLock(bench, classPath, implementation, round));
		if (bench.options().wants("K-start")) {
			contexts(bench);
		}
	}

	private static Sample firstLock(Bench bench, List<Path> classPath, Implementation implementation, int round) {
		return NewProcess.run(classPath, FirstLock.class,
				List.of(implementation.name(), bench.redis().host(), String.valueOf(bench.redis().port())),
				new Sample("K-first", implementation.label(), round));
	}

	private static void contexts(Bench bench) {
		Path classes = temporary();
		try {
			BeanClasses.compile(BEANS, NewProcess.classPath((entry) -> STARTER.matcher(entry).matches()), classes);
			NewProcess.copyClasses(classes);
			for (int round = 1; round <= bench.options().rounds(); round++) {
				for (Application application : Application.values()) {
					bench.results().accept(start(bench, application, classes, round));
				}
			}
		}
		finally {
			delete(classes);
		}
	}

	private static Sample start(Bench bench, Application application, Path classes, int round) {
		return NewProcess.run(
				application.classPath(classes), ContextStart.class, List.of(bench.redis().host(),
						String.valueOf(bench.redis().port()), String.valueOf(application.beans), application.more),
				new Sample("K-start", application.label, round));
	}

	private static Path temporary() {
		try {
			return Files.createTempDirectory("beans");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot create a directory", ex);
		}
	}

	private static void delete(Path directory) {
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot delete " + directory, ex);
		}
	}

}
