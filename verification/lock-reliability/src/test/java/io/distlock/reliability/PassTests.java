package io.distlock.reliability;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PassTests {

	@Test
	void ofWhenPassIsFullThenIsTheLargerFigure() {
		assertThat(Pass.SHORT.of(2, 100)).isEqualTo(2);
		assertThat(Pass.FULL.of(2, 100)).isEqualTo(100);
	}

}
