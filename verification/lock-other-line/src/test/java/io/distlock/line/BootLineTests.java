package io.distlock.line;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * This module repeats some tests of lock-autoconfigure on another Spring Boot. The full
 * proof repeats all of them, and those of lock-spring, lock-aspectj and
 * lock-spring-boot-test, and the build checks after its tests that none is left out.
 */
class BootLineTests {

	@Test
	void springBootIsTheOneThatTheBuildSays() {
		assertThat(SpringBootVersion.getVersion()).isNotEmpty().isEqualTo(System.getProperty("tested.spring-boot"));
	}

}
