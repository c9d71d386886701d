package io.distlock.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationMetadataTests {

	/** All properties with their defaults. */
	private static final Map<String, String> DEFAULTS = Map.ofEntries(Map.entry("enabled", "true"),
			Map.entry("store", ""), Map.entry("wait-time", "5s"), Map.entry("lease-time", "30s"),
			Map.entry("command-timeout", "1s"), Map.entry("release", "confirmed"), Map.entry("max-waiters", ""),
			Map.entry("on-lost", "report"), Map.entry("max-hold", ""), Map.entry("on-store-failure", "fail"),
			Map.entry("commit-guard", "true"), Map.entry("advice-order", ""), Map.entry("advice-mode", "proxy"),
			Map.entry("self-invocation", "warn"), Map.entry("shutdown-timeout", "10s"), Map.entry("locks", ""),
			Map.entry("stores", ""), Map.entry("redis.url", ""), Map.entry("redis.client", "auto"),
			Map.entry("redis.key-prefix", "lk:"), Map.entry("redis.startup-check", "fail"),
			Map.entry("redis.quarantine", "0s"), Map.entry("redis.failover-delay", "0s"),
			Map.entry("redlock.nodes", ""), Map.entry("redlock.quarantine", ""),
			Map.entry("jdbc.table", "distributed_lock"), Map.entry("jdbc.key-prefix", ""),
			Map.entry("jdbc.initialize-schema", "embedded"), Map.entry("jdbc.notifications", "true"),
			Map.entry("jdbc.commit-check", "false"), Map.entry("jdbc.startup-check", "fail"),
			Map.entry("zookeeper.connect-string", ""), Map.entry("zookeeper.root", "/distributed-lock"),
			Map.entry("zookeeper.session-timeout", ""), Map.entry("zookeeper.startup-check", "fail"),
			Map.entry("web.enabled", "true"));

	@Test
	void everyPropertyHasADescriptionAndItsDefault() throws IOException {
		Map<String, String> found = new HashMap<>();
		for (Object entry : (Iterable<?>) metadata().get("properties")) {
			Map<?, ?> property = (Map<?, ?>) entry;
			String name = String.valueOf(property.get("name"));
			if (!isOurs(name)) {
				continue;
			}
			assertThat(String.valueOf(property.get("description"))).as(name).matches("[A-Z].+\\.");
			found.put(name.replace("distributed-lock.", ""),
					(property.get("defaultValue") != null) ? String.valueOf(property.get("defaultValue")) : "");
		}
		assertThat(found).isEqualTo(DEFAULTS);
	}

	/**
	 * Spring Boot writes that of its annotation, which lets the endpoint itself refuse.
	 */
	@Test
	void accessOfTheEndpointHasTheDefaultThatApplies() throws IOException {
		List<Object> defaults = new ArrayList<>();
		for (Object entry : (Iterable<?>) metadata().get("properties")) {
			Map<?, ?> property = (Map<?, ?>) entry;
			if ("management.endpoint.locks.access".equals(property.get("name"))) {
				assertThat(property.get("description")).isNotNull();
				defaults.add(property.get("defaultValue"));
			}
		}
		assertThat(defaults).containsExactly("read-only");
	}

	/** Spring Boot describes the properties that each endpoint has. */
	private static boolean isOurs(String property) {
		return !property.startsWith("management.endpoint.locks.");
	}

	/** What an editor offers, each with a word on what it does. */
	@Test
	void everyChoiceHasAHintForEachOfItsValues() throws Exception {
		Map<String, Set<String>> expected = new HashMap<>();
		for (Object entry : (Iterable<?>) metadata().get("properties")) {
			Map<?, ?> property = (Map<?, ?>) entry;
			String type = String.valueOf(property.get("type"));
			Class<?> known = type.contains("<") ? null : ClassUtils.forName(type, getClass().getClassLoader());
			if (known != null && known.isEnum() && isOurs(String.valueOf(property.get("name")))) {
				expected.put(String.valueOf(property.get("name")), values(known));
			}
		}
		// A text, as other modules may have further types.
		expected.put("distributed-lock.store", Set.of("redis", "redlock", "jdbc", "zookeeper", "memory"));
		assertThat(expected).hasSizeGreaterThan(5);
		Map<String, Set<String>> hinted = new HashMap<>();
		for (Object entry : (Iterable<?>) metadata().get("hints")) {
			Map<?, ?> hint = (Map<?, ?>) entry;
			Set<String> values = new HashSet<>();
			for (Object value : (Iterable<?>) hint.get("values")) {
				assertThat(String.valueOf(((Map<?, ?>) value).get("description"))).matches("[A-Z].+\\.");
				values.add(String.valueOf(((Map<?, ?>) value).get("value")));
			}
			hinted.put(String.valueOf(hint.get("name")), values);
		}
		assertThat(hinted).isEqualTo(expected);
	}

	/** The choice "default" of an annotation says what leaving out a property says. */
	private static Set<String> values(Class<?> choice) {
		return Arrays.stream(choice.getEnumConstants())
			.filter((value) -> !((Enum<?>) value).name().equals("DEFAULT"))
			.map((value) -> ((Enum<?>) value).name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.collect(Collectors.toSet());
	}

	private static Map<String, Object> metadata() throws IOException {
		for (URL url : Collections.list(ConfigurationMetadataTests.class.getClassLoader()
			.getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream stream = url.openStream()) {
				String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
				if (text.contains("io.distlock.autoconfigure.LockProperties")) {
					return JsonParserFactory.getJsonParser().parseMap(text);
				}
			}
		}
		throw new AssertionError("No metadata of ours on the class path");
	}

}
