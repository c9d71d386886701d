package io.distlock.benchmark;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CommandLineTests {

	@Test
	void measurementNamesNoDirectoryOfThisMachine() {
		CommandLine line = CommandLine.of("A", "P", "--results", "/tmp/somewhere", "--rounds", "5");
		assertThat(line.measurement()).isEqualTo("A P --rounds 5");
	}

}
