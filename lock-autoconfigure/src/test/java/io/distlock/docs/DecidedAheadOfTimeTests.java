package io.distlock.docs;

import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.redis.RedisLockAutoConfiguration;
import io.distlock.autoconfigure.redis.RedlockAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code docs/aot-and-virtual-threads.md} says of properties that count at build
 * time.
 */
class DecidedAheadOfTimeTests {

	@Test
	void pageNamesAllPropertiesThatConditionsAskFor() {
		Set<String> asked = new TreeSet<>();
		Stream.of(LockAutoConfiguration.class, RedisLockAutoConfiguration.class, RedlockAutoConfiguration.class)
			.flatMap((type) -> Stream.concat(Stream.of(type), Arrays.stream(type.getDeclaredClasses())))
			.flatMap((type) -> Stream.<AnnotatedElement>concat(Stream.of(type),
					Arrays.stream(type.getDeclaredMethods())))
			.forEach((element) -> {
				for (ConditionalOnProperty each : element.getAnnotationsByType(ConditionalOnProperty.class)) {
					asked.addAll(Arrays.asList(each.name()));
				}
				for (ConditionalOnBooleanProperty each : element
					.getAnnotationsByType(ConditionalOnBooleanProperty.class)) {
					asked.addAll(Arrays.asList(each.name()));
				}
			});
		assertThat(asked).hasSizeGreaterThan(5);
		DocPage page = DocPage.of("aot-and-virtual-threads.md");
		assertThat(asked).allSatisfy((name) -> page.says("`" + name + "`"));
	}

}
