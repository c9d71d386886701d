package io.distlock.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A page of the documentation.
 *
 * @param file where it is
 * @param text what it says
 */
record MarkdownPage(Path file, String text) {

	/** The repository. */
	static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

	private static final Pattern BLOCK = Pattern.compile(
			"(?:^<!-- example: (?<example>\\S+) -->\\n)?^```(?<language>\\w*)\\n(?<code>.*?)\\n```$",
			Pattern.DOTALL | Pattern.MULTILINE);

	/**
	 * Both READMEs, what contributors read, all of docs, and what is said of benchmarks.
	 */
	static Stream<MarkdownPage> all() {
		return Stream.of("", "docs", "docs/adr", "verification/lock-benchmarks")
			.flatMap((folder) -> files(ROOT.resolve(folder)))
			.filter((file) -> file.toString().endsWith(".md"))
			.sorted()
			.map(MarkdownPage::read);
	}

	static MarkdownPage of(String file) {
		return read(ROOT.resolve(file));
	}

	private static Stream<Path> files(Path directory) {
		try (Stream<Path> files = Files.list(directory)) {
			return files.toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static MarkdownPage read(Path file) {
		return new MarkdownPage(file, content(file));
	}

	static String content(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Blocks of code, each with the comment that says where it is from. */
	List<Block> blocks() {
		List<Block> blocks = new ArrayList<>();
		Matcher matcher = BLOCK.matcher(this.text);
		while (matcher.find()) {
			blocks.add(new Block(matcher.group("example"), matcher.group("language"), matcher.group("code")));
		}
		return blocks;
	}

	/** The text without blocks of code. */
	String prose() {
		return BLOCK.matcher(this.text).replaceAll("");
	}

	@Override
	public String toString() {
		return ROOT.relativize(this.file).toString();
	}

	/**
	 * A block of code.
	 *
	 * @param example the file, and perhaps the tag, that it is from
	 * @param language what it is written in, empty for texts and commands
	 * @param code its lines
	 */
	record Block(@Nullable String example, String language, String code) {

		boolean isCompiled() {
			return this.language.equals("java") || this.language.equals("kotlin");
		}

	}

}
