package io.distlock.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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

	/** Tests of one module also run in others. */
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
		if (!inOneLine(this.text).contains(inOneLine(expected))) {
			throw new AssertionError(this.name + " does not say: " + expected + "\n\n" + this.text);
		}
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
