package io.distlock.line;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tests of lock-spring and lock-autoconfigure run here again for the sake of another
 * Spring Boot. That none of them is left out is checked after the tests, by the build.
 */
class BootLineTests {

	@Test
	void springBootIsTheOneThatTheBuildSays() {
		assertThat(SpringBootVersion.getVersion()).isNotEmpty().isEqualTo(System.getProperty("tested.spring-boot"));
	}

}
