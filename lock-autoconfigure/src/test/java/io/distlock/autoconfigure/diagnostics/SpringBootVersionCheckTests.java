package io.distlock.autoconfigure.diagnostics;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;

import io.distlock.autoconfigure.LockConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SpringBootVersionCheckTests {

	@ParameterizedTest
	@ValueSource(strings = { "2.7.18", "3.0.7", "3.1.12", "1.5.22.RELEASE", "3.1.0-SNAPSHOT" })
	void anOldVersionIsRefusedByName(String version) {
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> check(version))
			.withMessage("Distributed locks need Spring Boot 3.2 or later, found " + version
					+ ". Update Spring Boot, or remove the starter for locks.");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "3.2.0", "3.2.12", "3.10.1", "4.0.0-M1", "10.0.0", "", "unknown", "3" })
	void othersStart(String version) {
		assertThatCode(() -> check(version)).doesNotThrowAnyException();
	}

	@Test
	void eachApplicationIsChecked() {
		assertThat(new SpringApplication(Object.class).getListeners())
			.hasAtLeastOneElementOfType(SpringBootVersionCheck.class);
	}

	private static void check(String version) {
		new SpringBootVersionCheck(version).check();
	}

}
