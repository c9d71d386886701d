package io.distlock.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A page of the documentation, whose texts are compared with those that users get. Line
 * breaks do not matter.
 *
 * @param name of the file
 * @param text with its line breaks
 */
public record DocPage(String name, String text) {

	/**
	 * Reads a page.
	 * @param name of the file
	 * @return the page
	 */
	public static DocPage of(String name) {
		try {
			return new DocPage(name, Files.readString(directory().resolve(name)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Tests of this module also run in other modules. */
	private static Path directory() {
		return Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
			.map((parent) -> parent.resolve("docs"))
			.filter((docs) -> Files.exists(docs.resolve("architecture.md")))
			.findFirst()
			.orElseThrow();
	}

	private static String inOneLine(String text) {
		return text.replaceAll("(?m)^> ?", "").replaceAll("\\s+", " ");
	}

	/**
	 * Fails unless the page has a text.
	 * @param expected what is thrown or logged
	 */
	public void says(String expected) {
		assertThat(inOneLine(this.text)).as(this.name).contains(inOneLine(expected));
	}

	/**
	 * The first block of code after some text.
	 * @param before the text
	 * @return its lines
	 */
	public List<String> block(String before) {
		String block = this.text.substring(this.text.indexOf("```\n", this.text.indexOf(before)) + 4);
		return block.substring(0, block.indexOf("\n```")).lines().toList();
	}

}
