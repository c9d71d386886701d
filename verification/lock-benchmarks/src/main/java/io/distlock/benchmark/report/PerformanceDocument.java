package io.distlock.benchmark.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A hand-written document with a generated part between two marks. Whatever is outside of
 * the marks stays as it is.
 */
public final class PerformanceDocument {

	private static final String BEGIN = "<!-- results: begin; written by the report command, do not edit -->";

	private static final String END = "<!-- results: end -->";

	private static final String SUFFIX = ".tsv";

	private final Path file;

	/**
	 * Names the document.
	 * @param file the document; it must have both marks
	 */
	public PerformanceDocument(Path file) {
		this.file = file;
	}

	/**
	 * Replaces the generated part by what the files of a directory say.
	 * @param results the directory
	 */
	public void update(Path results) {
		try {
			String text = Files.readString(this.file);
			int begin = text.indexOf(BEGIN);
			int end = text.indexOf(END);
			if (begin < 0 || end < begin) {
				throw new IllegalStateException(this.file + " lacks the marks\n" + BEGIN + "\n" + END);
			}
			Files.writeString(this.file, text.substring(0, begin + BEGIN.length()) + "\n\n"
					+ String.join("\n", sections(results)) + "\n" + text.substring(end));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot update " + this.file, ex);
		}
	}

	private static List<String> sections(Path results) throws IOException {
		try (Stream<Path> files = Files.list(results)) {
			return files.filter((file) -> file.toString().endsWith(SUFFIX))
				.sorted()
				.map(PerformanceDocument::section)
				.collect(Collectors.toList());
		}
	}

	private static String section(Path file) {
		String name = file.getFileName().toString();
		return "### " + name.substring(0, name.length() - SUFFIX.length()) + "\n\n" + Tables.of(ResultFile.read(file));
	}

}
