package io.distlock.support;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DurationTextTests {

	@ParameterizedTest
	@CsvSource({ "PT0S,0s", "PT3S,3s", "PT1.5S,1500ms", "PT0.0000005S,500ns", "PT1.0000005S,1000000500ns", "PT60S,1m",
			"PT90S,90s", "PT36H,36h", "P2D,2d", "PT-1S,-1s", "PT-0.001S,-1ms", "PT277777H46M40S,1000000000s" })
	void ofThenTheLargestUnitWithoutAFraction(Duration duration, String text) {
		assertThat(DurationText.of(duration)).isEqualTo(text);
	}

}
