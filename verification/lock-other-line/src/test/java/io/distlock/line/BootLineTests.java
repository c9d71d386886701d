package io.distlock.line;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * This module repeats the tests of lock-autoconfigure that meet types of another Spring
 * Boot. The full proof repeats all of them, and those of lock-spring and lock-aspectj.
 * The build checks after the tests that the full proof leaves none out.
 */
class BootLineTests {

	@Test
	void springBootIsTheOneThatTheBuildSays() {
		assertThat(SpringBootVersion.getVersion()).isNotEmpty().isEqualTo(System.getProperty("tested.spring-boot"));
	}

}
