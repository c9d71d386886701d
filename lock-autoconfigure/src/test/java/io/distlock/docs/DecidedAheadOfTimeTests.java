package io.distlock.docs;

import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.core.annotation.MergedAnnotations;

import io.distlock.autoconfigure.ConditionalOnSwitch;
import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockDisabledAutoConfiguration;
import io.distlock.autoconfigure.LockMetricsAutoConfiguration;
import io.distlock.autoconfigure.jdbc.JdbcLockAutoConfiguration;
import io.distlock.autoconfigure.redis.RedisLockAutoConfiguration;
import io.distlock.autoconfigure.redis.RedlockAutoConfiguration;
import io.distlock.autoconfigure.tracing.LockObservationAutoConfiguration;
import io.distlock.autoconfigure.web.LockWebAutoConfiguration;
import io.distlock.autoconfigure.zookeeper.ZooKeeperLockAutoConfiguration;
import io.distlock.output.DocPage;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code docs/operations.md} says of properties that count at build time.
 */
class DecidedAheadOfTimeTests {

	@Test
	void pageNamesAllPropertiesThatConditionsAskFor() {
		Set<String> asked = new TreeSet<>();
		Stream
			.of(LockAutoConfiguration.class, LockAnnotationAutoConfiguration.class, LockDisabledAutoConfiguration.class,
					LockMetricsAutoConfiguration.class, RedisLockAutoConfiguration.class,
					RedlockAutoConfiguration.class, JdbcLockAutoConfiguration.class,
					ZooKeeperLockAutoConfiguration.class, LockObservationAutoConfiguration.class,
					LockWebAutoConfiguration.class)
			.flatMap((type) -> Stream.concat(Stream.of(type), Arrays.stream(type.getDeclaredClasses())))
			.flatMap((type) -> Stream.<AnnotatedElement>concat(Stream.of(type),
					Arrays.stream(type.getDeclaredMethods())))
			.map(MergedAnnotations::from)
			.forEach((annotations) -> {
				annotations.stream(ConditionalOnProperty.class)
					.forEach((each) -> asked.addAll(Arrays.asList(each.getStringArray("name"))));
				annotations.stream(ConditionalOnSwitch.class).forEach((each) -> asked.add(each.getString("name")));
			});
		assertThat(asked).containsExactly("distributed-lock.advice-mode", "distributed-lock.enabled",
				"distributed-lock.jdbc.commit-check", "distributed-lock.web.enabled");
		DocPage page = DocPage.of("operations.md");
		assertThat(asked).allSatisfy((name) -> page.says("`" + name + "`"));
	}

}
