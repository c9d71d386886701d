package io.distlock.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Code in the documentation is a part of a file that is compiled and run by the tests. A
 * block that follows {@code <!-- example: path/of/File.java#name -->} is what that file
 * has between {@code tag::name[]} and {@code end::name[]}.
 */
class DocExampleTests {

	private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

	private static final Pattern EXAMPLE = Pattern
		.compile("<!-- example: (?<file>\\S+)#(?<name>[\\w-]+) -->\\s*```\\w+\\n(?<code>.*?)\\n```", Pattern.DOTALL);

	private static final Pattern CODE = Pattern.compile("^```(java|kotlin)$", Pattern.MULTILINE);

	static Stream<Path> pages() throws IOException {
		try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
			return files.filter((file) -> Files.isRegularFile(file) && text(file).contains("<!-- example: "))
				.sorted()
				.toList()
				.stream();
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void codeOfPageIsWhatTestsCompileAndRun(Path page) {
		String text = text(page);
		Matcher example = EXAMPLE.matcher(text);
		int checked = 0;
		while (example.find()) {
			assertThat(example.group("code")).as(page + ": " + example.group("name"))
				.isEqualTo(tagged(text(ROOT.resolve(example.group("file"))), example.group("name")));
			checked++;
		}
		assertThat(checked).as("code blocks of " + page + " that name where they are from")
			.isEqualTo((int) CODE.matcher(text).results().count());
	}

	private static String tagged(String source, String name) {
		List<String> lines = source.lines()
			.dropWhile((line) -> !line.strip().equals("// tag::" + name + "[]"))
			.skip(1)
			.takeWhile((line) -> !line.strip().equals("// end::" + name + "[]"))
			.filter((line) -> !line.strip().matches("// (tag|end)::.*"))
			.toList();
		assertThat(lines).as("lines tagged " + name).isNotEmpty();
		return String.join("\n", lines).stripIndent().strip();
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot read " + file, ex);
		}
	}

}
