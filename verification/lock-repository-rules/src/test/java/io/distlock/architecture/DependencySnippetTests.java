package io.distlock.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.distlock.architecture.MarkdownPage.Block;

import static org.assertj.core.api.Assertions.assertThat;

/** A dependency that somebody copies from a page can be resolved as it is there. */
class DependencySnippetTests {

	private static final Pattern DEPENDENCY = Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL);

	private static final Pattern GROUP = Pattern.compile("<groupId>([^<]+)<");

	private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)<");

	private static final Pattern GRADLE = Pattern.compile("(platform\\()?'io\\.distlock:([\\w-]+)(?::([^']+))?'");

	private static final String VERSION = version();

	static Stream<MarkdownPage> pages() {
		return MarkdownPage.all()
			.filter((page) -> page.blocks().stream().anyMatch((block) -> !coordinates(block).isEmpty()));
	}

	@Test
	void pagesWithDependenciesAreFound() {
		assertThat(pages()).map(MarkdownPage::toString)
			.contains("README.md", "README.zh-CN.md", "docs/annotation.md", "docs/compatibility.md",
					"docs/getting-started.md", "docs/moving.md", "docs/stores.md", "docs/testing.md");
	}

	/** Gradle takes the version from the BOM where the same block imports it. */
	@ParameterizedTest
	@MethodSource("pages")
	void dependencyHasTheVersionOfThisProjectOrItsBom(MarkdownPage page) throws IOException {
		List<String> published = Stream.concat(ModuleNameTests.published().stream(), Stream.of("lock-bom"))
			.map((module) -> module.toString().replaceAll(".*/", ""))
			.toList();
		for (Block block : page.blocks()) {
			List<Coordinate> coordinates = coordinates(block);
			boolean bom = coordinates.stream()
				.anyMatch((each) -> each.platform() && each.module().equals("lock-bom")
						&& each.version().equals(VERSION));
			assertThat(coordinates).as(block.code())
				.allMatch((each) -> published.contains(each.module()))
				.allMatch((each) -> each.version().equals(VERSION)
						|| (bom && !each.platform() && each.version().isEmpty()));
		}
	}

	private static List<Coordinate> coordinates(Block block) {
		Stream<Coordinate> ofMaven = DEPENDENCY.matcher(block.code())
			.results()
			.map(MatchResult::group)
			.filter((dependency) -> first(GROUP, dependency).equals("io.distlock"))
			.map((dependency) -> new Coordinate(first(ARTIFACT, dependency),
					first(Pattern.compile("<version>([^<]+)<"), dependency), false));
		Stream<Coordinate> ofGradle = GRADLE.matcher(block.code())
			.results()
			.map((match) -> new Coordinate(match.group(2), (match.group(3) != null) ? match.group(3) : "",
					match.group(1) != null));
		return Stream.concat(ofMaven, ofGradle).toList();
	}

	private static String first(Pattern pattern, String text) {
		return pattern.matcher(text).results().findFirst().map((match) -> match.group(1)).orElse("");
	}

	private static String version() {
		try {
			return first(Pattern.compile("<artifactId>lock-parent</artifactId>\\s*<version>([^<]+)<"),
					Files.readString(MarkdownPage.ROOT.resolve("pom.xml")));
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	/**
	 * A module of this project that a page depends on.
	 *
	 * @param module its name
	 * @param version empty for none
	 * @param platform whether the versions are imported from it
	 */
	private record Coordinate(String module, String version, boolean platform) {

	}

}
