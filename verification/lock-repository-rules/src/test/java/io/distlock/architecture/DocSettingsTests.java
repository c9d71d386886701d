package io.distlock.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.distlock.architecture.MarkdownPage.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Settings, dependencies and commands of the documentation: readers copy them, so the
 * names in them must exist and the values must be allowed.
 */
class DocSettingsTests {

	private static final Pattern DEPENDENCY = Pattern
		.compile("<artifactId>([^<]+)</artifactId>(?:\\s*<version>([^<]+)</version>)?");

	private static final Pattern NAMED = Pattern.compile("`(distributed-lock\\.[a-z][a-z0-9.<>-]*[a-z0-9>])");

	private static final Pattern MODULES = Pattern.compile("-pl (\\S+)(?<others> -am\\b)?");

	private static final Pattern TESTS = Pattern.compile("-Dtest=(\\S+)");

	private static final Pattern PROFILE = Pattern.compile(" -P([\\w-]+(?:,[\\w-]+)*)");

	private static final Map<String, String> KNOWN = types("properties");

	/** By prefix the class that is bound. */
	private static final Map<String, Class<?>> PROPERTIES = records();

	private static final Repository REPOSITORY = Repository.read();

	static Stream<MarkdownPage> pages() {
		return MarkdownPage.all().filter((page) -> !page.blocks().isEmpty());
	}

	static Stream<MarkdownPage> pagesWithSettings() {
		return pages().filter((page) -> page.blocks().stream().anyMatch(DocSettingsTests::isSettings));
	}

	private static boolean isSettings(Block block) {
		return block.language().equals("yaml") || block.language().equals("properties");
	}

	@Test
	void pagesWithSettingsAreFound() {
		assertThat(pagesWithSettings()).map(MarkdownPage::toString)
			.contains("docs/configuration.md", "docs/failures.md", "docs/getting-started.md", "docs/guarantees.md",
					"docs/stores.md");
		assertThat(PROPERTIES).hasSizeGreaterThan(5);
	}

	@ParameterizedTest
	@MethodSource("pagesWithSettings")
	void settingsHaveNamesThatExistAndValuesThatAreAllowed(MarkdownPage page) throws IOException {
		for (Block block : page.blocks()) {
			if (isSettings(block)) {
				EnumerablePropertySource<?> settings = settings(block);
				assertThat(settings.getPropertyNames()).as(block.code())
					.isNotEmpty()
					.allMatch(DocSettingsTests::exists);
				bind(settings);
			}
		}
	}

	static Stream<MarkdownPage> currentPages() {
		// The changelog names settings that were taken away.
		return MarkdownPage.all()
			.filter((page) -> page.toString().matches("README.*|CONTRIBUTING\\.md|docs/.*"))
			.filter((page) -> NAMED.matcher(page.prose()).find());
	}

	@Test
	void pagesThatNameSettingsAreFound() {
		assertThat(currentPages()).hasSizeGreaterThan(10);
	}

	/**
	 * Also outside of blocks: {@code <name>} stands for a part that the application
	 * chooses.
	 */
	@ParameterizedTest
	@MethodSource("currentPages")
	void settingsThatSentencesNameExist(MarkdownPage page) {
		assertThat(NAMED.matcher(page.prose()).results().map((result) -> result.group(1))).allMatch(
				(name) -> exists(name) || KNOWN.keySet().stream().anyMatch((known) -> known.startsWith(name + ".")));
	}

	private static EnumerablePropertySource<?> settings(Block block) throws IOException {
		// What is YAML's shorthand of properties is read as YAML too.
		String text = block.language().equals("yaml") ? block.code() : block.code().replace("=", ": ");
		return (EnumerablePropertySource<?>) new YamlPropertySourceLoader()
			.load("page", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
			.get(0);
	}

	/** Parts below a map have names of the application's choice. */
	private static boolean exists(String name) {
		String canonical = name.replaceAll("\\[\\d+]", "");
		return KNOWN.containsKey(canonical) || KNOWN.entrySet()
			.stream()
			.anyMatch((known) -> known.getValue().startsWith("java.util.Map")
					&& canonical.startsWith(known.getKey() + "."));
	}

	private static void bind(EnumerablePropertySource<?> settings) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(settings);
		environment.getPropertySources().addFirst(new MapPropertySource("secrets", Map.of("REDIS_PASSWORD", "secret")));
		// That all names exist is another assertion.
		PROPERTIES.forEach((prefix, type) -> assertThat(Binder.get(environment).bindOrCreate(prefix, Bindable.of(type)))
			.isNotNull());
	}

	/** The metadata of other libraries is on the class path too. */
	private static Map<String, Class<?>> records() {
		Map<String, Class<?>> records = new HashMap<>();
		types("groups").forEach((prefix, name) -> {
			if (name.startsWith("io.distlock.") && prefix.startsWith("distributed-lock")) {
				records.put(prefix, ClassUtils.resolveClassName(name, null));
			}
		});
		return records;
	}

	/** By name the type of all that the metadata of properties has in a list. */
	private static Map<String, String> types(String list) {
		Map<String, String> types = new HashMap<>();
		try {
			for (URL file : Collections.list(DocSettingsTests.class.getClassLoader()
				.getResources("META-INF/spring-configuration-metadata.json"))) {
				try (InputStream in = file.openStream()) {
					Map<String, Object> metadata = JsonParserFactory.getJsonParser()
						.parseMap(new String(in.readAllBytes(), StandardCharsets.UTF_8));
					for (Object one : (List<?>) metadata.getOrDefault(list, List.of())) {
						Map<?, ?> values = (Map<?, ?>) one;
						types.put(String.valueOf(values.get("name")), String.valueOf(values.get("type")));
					}
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot read the metadata of properties", ex);
		}
		return types;
	}

	@ParameterizedTest
	@MethodSource("pages")
	void dependenciesAreModulesOfThisVersion(MarkdownPage page) {
		String version = find("<artifactId>lock-parent</artifactId>\\s*<version>([^<]+)<",
				MarkdownPage.content(MarkdownPage.ROOT.resolve("pom.xml")));
		for (Block block : page.blocks()) {
			if (block.language().equals("xml")) {
				Matcher dependency = DEPENDENCY.matcher(block.code());
				assertThat(dependency.find()).as(block.code()).isTrue();
				assertThat(REPOSITORY.modules()).contains(dependency.group(1));
				if (dependency.group(2) != null) {
					assertThat(dependency.group(2)).isEqualTo(version);
				}
			}
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void commandsNameModulesProfilesAndTestsThatExist(MarkdownPage page) {
		for (Matcher matcher = MODULES.matcher(page.text()); matcher.find();) {
			assertThat(matcher.group("others") != null || isAfterAnInstall(page.text(), matcher.start()))
				.as("nothing is installed: %s", matcher.group())
				.isTrue();
			for (String module : matcher.group(1).split(",")) {
				assertThat(Files.exists(MarkdownPage.ROOT.resolve(module).resolve("pom.xml"))
						|| REPOSITORY.modules().contains(module.replaceFirst("^:", "")))
					.as(matcher.group())
					.isTrue();
			}
		}
		for (Matcher matcher = TESTS.matcher(page.text()); matcher.find();) {
			for (String test : matcher.group(1).replaceAll("[`')]+$", "").split(",")) {
				assertThat(REPOSITORY.classes()).as(matcher.group()).contains(test.replaceAll("[#*].*", ""));
			}
		}
		for (Matcher matcher = PROFILE.matcher(page.text()); matcher.find();) {
			for (String profile : matcher.group(1).split(",")) {
				assertThat(REPOSITORY.poms()).as(matcher.group())
					.anyMatch((pom) -> pom.contains("<id>" + profile + "</id>"));
			}
		}
	}

	/** In the same block. */
	private static boolean isAfterAnInstall(String text, int command) {
		return text.lastIndexOf("install -DskipTests", command) > text.lastIndexOf("```", command);
	}

	private static String find(String pattern, String text) {
		Matcher matcher = Pattern.compile(pattern).matcher(text);
		assertThat(matcher.find()).as(pattern).isTrue();
		return matcher.group(1);
	}

	/**
	 * What commands may name.
	 *
	 * @param poms contents of all of them
	 * @param modules their artifact ids
	 * @param classes simple names of all classes
	 */
	private record Repository(List<String> poms, List<String> modules, List<String> classes) {

		static Repository read() {
			List<String> poms = new ArrayList<>();
			List<String> classes = new ArrayList<>();
			try {
				Files.walkFileTree(MarkdownPage.ROOT, new SimpleFileVisitor<>() {

					@Override
					public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
						return directory.endsWith("target") || directory.endsWith(".git") ? FileVisitResult.SKIP_SUBTREE
								: FileVisitResult.CONTINUE;
					}

					@Override
					public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
						String name = file.getFileName().toString();
						if (name.equals("pom.xml")) {
							poms.add(MarkdownPage.content(file));
						}
						else if (name.endsWith(".java")) {
							classes.add(name.replace(".java", ""));
						}
						return FileVisitResult.CONTINUE;
					}

				});
			}
			catch (IOException ex) {
				throw new IllegalStateException("Cannot look through " + MarkdownPage.ROOT, ex);
			}
			Pattern ownName = Pattern.compile("(?:</parent>\\s*|<modelVersion>[^<]*</modelVersion>\\s*"
					+ "(?:<groupId>[^<]*</groupId>\\s*)?)<artifactId>([^<]+)</artifactId>");
			return new Repository(poms,
					poms.stream()
						.flatMap((pom) -> ownName.matcher(pom).results())
						.map((match) -> match.group(1))
						.toList(),
					classes);
		}

	}

}
