package io.distlock.redis.protocol;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

class RedisLockRuntimeHintsTests {

	private static final String SCRIPTS = "io/distlock/redis/protocol/";

	@Test
	void everyScriptIsInANativeImage() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)
			.forEach((registrar) -> registrar.registerHints(hints, getClass().getClassLoader()));
		for (String folder : List.of("verbs/", "steps/")) {
			Resource[] scripts = new PathMatchingResourcePatternResolver()
				.getResources("classpath*:" + SCRIPTS + folder + "*.lua");
			assertThat(scripts).hasSizeGreaterThan(5)
				.allSatisfy((script) -> assertThat(
						RuntimeHintsPredicates.resource().forResource(SCRIPTS + folder + script.getFilename()))
					.accepts(hints));
		}
	}

}
