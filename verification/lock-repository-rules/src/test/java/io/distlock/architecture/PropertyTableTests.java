package io.distlock.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

	private static final Pattern ROW = Pattern.compile("\\| `(distributed-lock\\.[^`]+)` \\|([^|]*)\\|.*");

	private static final String OF_ONE_LOCK = ".<name>.";

	private static final String OF_ONE_STORE = ".<id>.";

	@Test
	void pageHasThePropertiesAndDefaultsOfTheMetadata() throws IOException {
		SortedMap<String, String> documented = documented();
		documented.keySet().removeIf((name) -> name.contains(OF_ONE_LOCK) || name.contains(OF_ONE_STORE));
		SortedMap<String, String> generated = generated();
		assertThat(generated.remove("distributed-lock.locks")).isNotNull();
		assertThat(generated.remove("distributed-lock.stores")).isNotNull();
		assertThat(documented).isEqualTo(generated);
	}

	@Test
	void pageHasTheSettingsOfOneLock() throws IOException {
		assertThat(documented().keySet()).filteredOn((name) -> name.contains(OF_ONE_LOCK))
			.containsExactlyInAnyOrderElementsOf(Stream.of(LockProperties.Lock.class.getRecordComponents())
				.map((component) -> "distributed-lock.locks" + OF_ONE_LOCK
						+ component.getName().replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT))
				.toList());
	}

	/** The settings of each kind of store have the names that they have without an id. */
	@Test
	void pageHasTheSettingsOfOneStore() throws IOException {
		assertThat(documented().keySet()).filteredOn((name) -> name.contains(OF_ONE_STORE))
			.containsExactlyInAnyOrderElementsOf(Stream.of(LockProperties.Store.class.getRecordComponents())
				.map((component) -> "distributed-lock.stores" + OF_ONE_STORE + component.getName()
						+ (component.getType().isRecord() ? ".*" : ""))
				.toList());
	}

	@Test
	void pageHasTheMetersOfTheSources() throws IOException {
		List<String> meters = SourceTexts.read()
			.all((text) -> text.matches("lock\\.[a-z.]+")
					&& !text.matches("lock\\.(store|name|outcome|reason|command|clock|key|caller|holder)"));
		assertThat(meters).hasSizeGreaterThan(4);
		String page = MarkdownPage.of("docs/configuration.md").text();
		assertThat(meters).allMatch((meter) -> page.contains("| `" + meter + "` |"));
	}

	private static SortedMap<String, String> documented() throws IOException {
		SortedMap<String, String> rows = new TreeMap<>();
		for (String line : Files.readAllLines(MarkdownPage.ROOT.resolve("docs/configuration.md"))) {
			Matcher row = ROW.matcher(line);
			if (row.matches()) {
				rows.put(row.group(1), row.group(2).replace("`", "").strip());
			}
		}
		return rows;
	}

	private static SortedMap<String, String> generated() throws IOException {
		SortedMap<String, String> properties = new TreeMap<>();
		for (URL file : Collections.list(PropertyTableTests.class.getClassLoader()
			.getResources("META-INF/spring-configuration-metadata.json"))) {
			for (Object property : properties(file)) {
				Map<?, ?> values = (Map<?, ?>) property;
				String name = String.valueOf(values.get("name"));
				if (name.startsWith("distributed-lock.")) {
					Object defaultValue = values.get("defaultValue");
					properties.put(name, (defaultValue != null) ? defaultValue.toString() : "");
				}
			}
		}
		return properties;
	}

	private static List<?> properties(URL file) throws IOException {
		try (InputStream in = file.openStream()) {
			String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
			return (List<?>) JsonParserFactory.getJsonParser().parseMap(text).get("properties");
		}
	}

}
