package io.distlock.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each published jar is a module of a name that stays, whatever its file is called. Other
 * modules find it even in a build that ends before the file is made.
 */
class ModuleNameTests {

	private static final Pattern AUTOMATIC = Pattern
		.compile("<automatic\\.module\\.name>(?<name>[^<]+)</automatic\\.module\\.name>");

	private static final Pattern DECLARED = Pattern.compile("\\bmodule (?<name>[\\w.]+) \\{");

	private static final Pattern NOT_COMPILED = Pattern.compile("<id>default-compile</id>\\s*<phase>none</phase>");

	static List<Path> published() throws IOException {
		try (Stream<Path> modules = Files.list(MarkdownPage.ROOT)) {
			return modules.filter((module) -> module.getFileName().toString().startsWith("lock-"))
				.filter((module) -> Files.exists(module.resolve("pom.xml")))
				.filter((module) -> isPublishedJar(MarkdownPage.content(module.resolve("pom.xml"))))
				.sorted()
				.toList();
		}
	}

	private static boolean isPublishedJar(String pom) {
		return !pom.contains("<maven.deploy.skip>true") && !pom.contains("<packaging>pom<");
	}

	@Test
	void publishedModulesAreFound() throws IOException {
		assertThat(published()).extracting((module) -> module.getFileName().toString())
			.contains("lock-core", "lock-autoconfigure", "lock-spring-boot-starter", "lock-test")
			.doesNotContain("lock-sample-app", "lock-lab");
	}

	@ParameterizedTest
	@MethodSource("published")
	void publishedJarHasANameOfItsOwn(Path module) throws IOException {
		String name = name(AUTOMATIC, module.resolve("pom.xml"));
		assertThat(name).startsWith("io.distlock.");
		Path declaration = module.resolve("src/main/java/module-info.java");
		if (Files.exists(declaration)) {
			assertThat(name(DECLARED, declaration)).isEqualTo(name);
		}
	}

	/** Maven takes the classes instead of the file if the phase had a step. */
	@ParameterizedTest
	@MethodSource("published")
	void publishedJarHasAStepInThePhaseThatCompiles(Path module) throws IOException {
		assertThat(Files.readString(module.resolve("pom.xml"))).doesNotContainPattern(NOT_COMPILED);
	}

	private static String name(Pattern pattern, Path file) throws IOException {
		Matcher matcher = pattern.matcher(Files.readString(file));
		assertThat(matcher.find()).as("a module name in " + file).isTrue();
		return matcher.group("name");
	}

}
