package io.distlock.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.autoconfigure.LockProperties;
import org.junit.jupiter.api.Test;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables of docs/configuration.md against what the annotation processor found in the
 * code.
 */
class PropertyTableTests {

	private static final Path PAGE = MarkdownPage.ROOT.resolve("docs/configuration.md");

	private static final Pattern TABLE = Pattern
		.compile("(<!-- properties: (\\S+) -->\\n).*?(\\n<!-- end of properties -->)", Pattern.DOTALL);

	private static final Pattern ROW = Pattern.compile("\\| `(distributed-lock\\.[^`]+)` \\|.*");

	private static final String OF_ONE_LOCK = ".<name>.";

	private static final String OF_ONE_STORE = ".<id>.";

	/** What follows the prefix has further properties below it. */
	private static final List<String> MAPS = List.of("distributed-lock.locks", "distributed-lock.stores");

	@Test
	void tablesAreThoseOfTheMetadata() throws IOException {
		Metadata metadata = Metadata.read();
		Set<String> groups = new TreeSet<>();
		String written = TABLE.matcher(Files.readString(PAGE)).replaceAll((table) -> {
			groups.add(table.group(2));
			return Matcher.quoteReplacement(table.group(1) + metadata.table(table.group(2)) + table.group(3));
		});
		if (Boolean.getBoolean("properties.write")) {
			Files.writeString(PAGE, written);
		}
		assertThat(Files.readString(PAGE)).as("write the tables with -Dproperties.write=true").isEqualTo(written);
		assertThat(groups).isEqualTo(metadata.groups());
	}

	@Test
	void pageHasTheSettingsOfOneLock() throws IOException {
		assertThat(documented()).filteredOn((name) -> name.contains(OF_ONE_LOCK))
			.containsExactlyInAnyOrderElementsOf(Stream.of(LockProperties.Lock.class.getRecordComponents())
				.map((component) -> "distributed-lock.locks" + OF_ONE_LOCK
						+ component.getName().replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT))
				.toList());
	}

	@Test
	void pageHasTheSettingsOfOneStore() throws IOException {
		assertThat(documented()).filteredOn((name) -> name.contains(OF_ONE_STORE))
			.containsExactlyInAnyOrder("distributed-lock.stores.<id>.type", "distributed-lock.stores.<id>.<type>.*");
	}

	@Test
	void pageHasTheMetersOfTheSources() throws IOException {
		List<String> meters = SourceTexts.read()
			.all((text) -> text.matches("lock\\.[a-z.]+")
					&& !text.matches("lock\\.(store|name|outcome|reason|command|clock|key|caller|holder)"));
		assertThat(meters).hasSizeGreaterThan(4);
		String page = MarkdownPage.of("docs/configuration.md").text();
		// Only the meters of every application are in the table.
		assertThat(meters).allMatch((meter) -> page.contains("| `" + meter + "` |")
				|| page.contains("`lock-migration` adds the counter `" + meter + "`"));
	}

	private static List<String> documented() throws IOException {
		return Files.readAllLines(PAGE)
			.stream()
			.map(ROW::matcher)
			.filter(Matcher::matches)
			.map((row) -> row.group(1))
			.toList();
	}

	/**
	 * What the annotation processor found in the code, and what stands beside it.
	 *
	 * @param properties by name
	 * @param values the values of choices, by name
	 */
	private record Metadata(SortedMap<String, Map<?, ?>> properties, Map<String, List<String>> values) {

		static Metadata read() throws IOException {
			Metadata metadata = new Metadata(new TreeMap<>(), new HashMap<>());
			for (URL file : Collections.list(PropertyTableTests.class.getClassLoader()
				.getResources("META-INF/spring-configuration-metadata.json"))) {
				try (InputStream in = file.openStream()) {
					metadata.add(JsonParserFactory.getJsonParser()
						.parseMap(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
				}
			}
			return metadata;
		}

		private void add(Map<String, Object> file) {
			for (Map<?, ?> property : maps(file.get("properties"))) {
				String name = String.valueOf(property.get("name"));
				if (name.startsWith("distributed-lock.") && !MAPS.contains(name)) {
					this.properties.put(name, property);
				}
			}
			for (Map<?, ?> hint : maps(file.get("hints"))) {
				this.values.put(String.valueOf(hint.get("name")),
						maps(hint.get("values")).stream().map((value) -> "`" + value.get("value") + "`").toList());
			}
		}

		private static List<Map<?, ?>> maps(Object list) {
			List<Map<?, ?>> maps = new ArrayList<>();
			if (list != null) {
				((List<?>) list).forEach((each) -> maps.add((Map<?, ?>) each));
			}
			return maps;
		}

		Set<String> groups() {
			return this.properties.keySet()
				.stream()
				.map(Metadata::group)
				.collect(Collectors.toCollection(TreeSet::new));
		}

		private static String group(String property) {
			String[] parts = property.split("\\.");
			return (parts.length > 2) ? parts[1] : "all";
		}

		String table(String group) {
			return this.properties.keySet()
				.stream()
				.filter((name) -> group(name).equals(group))
				.map(this::row)
				.collect(Collectors.joining("\n", "| Property | Default | Meaning |\n|---|---|---|\n", ""));
		}

		private String row(String name) {
			Map<?, ?> property = this.properties.get(name);
			Object usual = property.get("defaultValue");
			String value = (usual != null && !usual.toString().isEmpty()) ? " `" + usual + "` " : " ";
			List<String> values = this.values.getOrDefault(name, List.of());
			return "| `" + name + "` |" + value + "| " + property.get("description")
					+ (values.isEmpty() ? "" : " " + String.join(", ", values)) + " |";
		}

	}

}
