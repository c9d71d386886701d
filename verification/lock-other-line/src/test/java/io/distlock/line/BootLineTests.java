package io.distlock.line;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Of the tests of lock-autoconfigure those run here again that meet types of another
 * Spring Boot, in the full proof all of them, and those of lock-spring and lock-aspectj.
 * That the full proof leaves none out is checked after the tests, by the build.
 */
class BootLineTests {

	@Test
	void springBootIsTheOneThatTheBuildSays() {
		assertThat(SpringBootVersion.getVersion()).isNotEmpty().isEqualTo(System.getProperty("tested.spring-boot"));
	}

}
