package io.distlock.architecture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Links between pages, to sections of them, and to files. */
class DocLinkTests {

	private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");

	private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

	static Stream<MarkdownPage> pages() {
		return MarkdownPage.all();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void linksLeadSomewhere(MarkdownPage page) {
		LINK.matcher(page.prose()).results().forEach((link) -> {
			Path target = link.group(1).isEmpty() ? page.file()
					: page.file().getParent().resolve(link.group(1)).normalize();
			assertThat(Files.exists(target)).as("%s of %s", link.group(), page).isTrue();
			if (link.group(2) != null) {
				assertThat(anchors(MarkdownPage.of(MarkdownPage.ROOT.relativize(target).toString())))
					.as("%s of %s", link.group(), page)
					.contains(link.group(2));
			}
		});
	}

	/** As GitHub makes them. */
	private static List<String> anchors(MarkdownPage page) {
		return HEADING.matcher(page.prose())
			.results()
			.map((heading) -> heading.group(1)
				.toLowerCase(Locale.ROOT)
				.replaceAll("[^\\p{L}\\p{N} _-]", "")
				.replace(' ', '-'))
			.toList();
	}

	/** A page that nothing links to is not found. */
	@Test
	void everyPageOfTheDocumentationIsLinkedFromBothReadmes() {
		List<String> names = MarkdownPage.all()
			.map(MarkdownPage::toString)
			.filter((name) -> name.matches("docs/[^/]+\\.md"))
			.toList();
		assertThat(names).hasSizeGreaterThan(15);
		for (String readme : List.of("README.md", "README.zh-CN.md")) {
			String text = MarkdownPage.of(readme).text();
			assertThat(names).as(readme).allMatch((name) -> text.contains("(" + name + ")"));
		}
	}

}
