package io.distlock.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A table of {@code docs/stores.md}: each way to configure a connection, and what becomes
 * of locks. The rows are the cells of a test, which runs them.
 */
public final class ConfigurationTable {

	private static final Path PAGE = Stream
		.iterate(Path.of("").toAbsolutePath(), (folder) -> folder != null, Path::getParent)
		.map((folder) -> folder.resolve("docs/stores.md"))
		.filter(Files::exists)
		.findFirst()
		.orElseThrow();

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private ConfigurationTable() {
	}

	/**
	 * One way to configure a connection.
	 *
	 * @param way what the application configures
	 * @param fix what to do instead if the application does not start, with each name in
	 * backticks; empty if locks work
	 */
	public record Row(String way, String fix) {

		/**
		 * Returns whether the application starts and gets its locks.
		 * @return {@code false} if the start is refused
		 */
		public boolean works() {
			return this.fix.isEmpty();
		}

		/**
		 * Returns what a refusal must name.
		 * @return the names and values of the fix
		 */
		public List<String> named() {
			return CODE.matcher(this.fix).results().map((match) -> match.group(1)).toList();
		}

		private String line() {
			return "| " + this.way + " | " + (works() ? "work" : "refused: " + this.fix) + " |\n";
		}

		/** The way, as the name of a test. */
		@Override
		public String toString() {
			return this.way.replace("`", "") + (works() ? ": works" : ": refused");
		}

	}

	/**
	 * Expects these rows on the page. With {@code -Dconfigurations.write=true} it writes
	 * them.
	 * @param name of the table
	 * @param rows in the order of the page
	 */
	public static void expect(String name, List<Row> rows) {
		String begin = "<!-- configurations: " + name + " -->\n";
		String end = "<!-- end of configurations: " + name + " -->\n";
		try {
			String page = Files.readString(PAGE);
			assertThat(page).contains(begin, end);
			assertThat(rows).extracting(Row::way).doesNotHaveDuplicates();
			String written = page.substring(0, page.indexOf(begin) + begin.length()) + "\n| " + name
					+ " | Locks |\n|---|---|\n" + rows.stream().map(Row::line).collect(Collectors.joining()) + "\n"
					+ page.substring(page.indexOf(end));
			if (Boolean.getBoolean("configurations.write")) {
				Files.writeString(PAGE, written);
			}
			assertThat(Files.readString(PAGE)).as("write the table with -Dconfigurations.write=true")
				.isEqualTo(written);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
