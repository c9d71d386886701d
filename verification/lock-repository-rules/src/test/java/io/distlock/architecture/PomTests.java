package io.distlock.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the poms of modules promise to those who depend on them. */
class PomTests {

	private static final Pattern DEPENDENCY = Pattern
		.compile("<dependency>\\s*(?:<!--.*?-->\\s*)?<groupId>io\\.distlock</groupId>\\s*<artifactId>([^<]+)<");

	private static final String FLOOR = "<spring-boot.version>${spring-boot.floor.version}</spring-boot.version>";

	static List<Path> published() throws IOException {
		return ModuleNameTests.published();
	}

	/**
	 * Gradle takes the version of an optional dependency for the least one, so that of
	 * the newest line would raise the one of a consumer on the floor. What is not
	 * optional is resolved by the modules in verification/consumers.
	 */
	@ParameterizedTest
	@MethodSource("published")
	void optionalDependencyIsOfTheFloor(Path module) throws IOException {
		String pom = Files.readString(module.resolve("pom.xml"));
		if (!pom.contains(FLOOR)) {
			assertThat(pom).doesNotContain("<optional>");
		}
	}

	@Test
	void bomHasAllThatIsPublished() throws IOException {
		String bom = read(MarkdownPage.ROOT.resolve("lock-bom/pom.xml"));
		assertThat(DEPENDENCY.matcher(bom).results().map((match) -> match.group(1)))
			.containsExactlyInAnyOrderElementsOf(
					published().stream().map((module) -> module.getFileName().toString()).toList());
	}

	/** After an install each module but the last one can be built alone. */
	@Test
	void moduleThatOthersNeedIsInstalled() throws IOException {
		List<String> needed;
		try (Stream<Path> poms = poms()) {
			needed = poms
				.filter((pom) -> !pom.getParent().endsWith("lock-tutorial")
						&& !pom.getParent().endsWith("lock-repository-rules"))
				.flatMap((pom) -> DEPENDENCY.matcher(read(pom)).results())
				.map((MatchResult match) -> match.group(1))
				.distinct()
				.toList();
		}
		assertThat(needed).contains("lock-core", "lock-test-output", "lock-test-databases", "lock-test-browser");
		try (Stream<Path> poms = poms()) {
			assertThat(poms.filter((pom) -> needed.contains(pom.getParent().getFileName().toString())))
				.hasSameSizeAs(needed)
				.allSatisfy((pom) -> assertThat(read(pom)).doesNotContain("<maven.install.skip>true")
					.contains("<artifactId>lock-parent</artifactId>"));
		}
	}

	private static Stream<Path> poms() throws IOException {
		return Files.find(MarkdownPage.ROOT, 3, (file, attributes) -> file.getFileName().toString().equals("pom.xml"));
	}

	private static String read(Path pom) {
		try {
			return Files.readString(pom);
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

}
