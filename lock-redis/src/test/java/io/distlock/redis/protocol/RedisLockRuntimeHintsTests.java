package io.distlock.redis.protocol;

import java.io.IOException;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

class RedisLockRuntimeHintsTests {

	@Test
	void everyScriptIsInANativeImage() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)
			.forEach((registrar) -> registrar.registerHints(hints, getClass().getClassLoader()));
		Resource[] scripts = new PathMatchingResourcePatternResolver()
			.getResources("classpath*:io/distlock/redis/*.lua");
		assertThat(scripts).hasSizeGreaterThan(5)
			.allSatisfy((script) -> assertThat(
					RuntimeHintsPredicates.resource().forResource("io/distlock/redis/" + script.getFilename()))
				.accepts(hints));
	}

}
