package io.distlock.benchmark.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.measure.Sample;

/** All runs whose samples were kept. What is compared is always of one run. */
final class Runs {

	private static final String SUFFIX = ".tsv";

	private final List<ResultFile> newestFirst;

	Runs(List<ResultFile> runs) {
		this.newestFirst = runs.stream().sorted(Comparator.comparing(ResultFile::date).reversed()).toList();
	}

	/** Reads all files of samples in a directory, those of its directories included. */
	static Runs in(Path directory) {
		try (Stream<Path> files = Files.walk(directory)) {
			return new Runs(
					files.filter((file) -> file.toString().endsWith(SUFFIX)).sorted().map(ResultFile::read).toList());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read the samples in " + directory, ex);
		}
	}

	/** All parts of scenarios, A1 before A8 before A64. */
	List<String> parts() {
		return this.newestFirst.stream()
			.flatMap((run) -> run.samples().stream().map(Sample::scenario))
			.distinct()
			.sorted(PartOrder.BY_NUMBER)
			.toList();
	}

	/** Runs that are of use for a part, the newest first. */
	List<ResultFile> shown() {
		Set<ResultFile> shown = new HashSet<>();
		for (String part : parts()) {
			for (Compiler compiler : Compiler.values()) {
				shown.addAll(of(part, compiler));
			}
		}
		return this.newestFirst.stream().filter(shown::contains).toList();
	}

	/**
	 * The newest run of a part, and before it those with an implementation that no newer
	 * one has.
	 */
	List<ResultFile> of(String part, Compiler compiler) {
		List<ResultFile> found = new ArrayList<>();
		Set<String> known = new HashSet<>();
		for (ResultFile run : this.newestFirst) {
			if (run.compiler() == compiler && known.addAll(run.samples(part).implementations())) {
				found.add(run);
			}
		}
		return found;
	}

	/** What the second newest of those says that say anything about it. */
	OptionalDouble before(String part, Compiler compiler, Function<ResultFile, OptionalDouble> question) {
		return this.newestFirst.stream()
			.filter((run) -> run.compiler() == compiler && !run.samples(part).all().isEmpty())
			.map(question)
			.filter(OptionalDouble::isPresent)
			.skip(1)
			.findFirst()
			.orElse(Objects.requireNonNull(OptionalDouble.empty()));
	}

	/** What the newest run says that says anything about it. */
	OptionalDouble newest(String part, Compiler compiler, Function<ResultFile, OptionalDouble> question) {
		return of(part, compiler).stream()
			.map(question)
			.filter(OptionalDouble::isPresent)
			.findFirst()
			.orElse(Objects.requireNonNull(OptionalDouble.empty()));
	}

}
