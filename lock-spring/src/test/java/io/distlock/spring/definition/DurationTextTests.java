package io.distlock.spring.definition;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DurationTextTests {

	@ParameterizedTest
	@CsvSource({ "3s, PT3S", "1500ms, PT1.5S", "' 5S ', PT5S", "1m30s, PT1M30S", "2d3h, PT51H", "7us, PT0.000007S",
			"9ns, PT0.000000009S", "+4s, PT4S", "-4s, PT-4S", "0s, PT0S", "0, PT0S", "' 00', PT0S", "-0, PT0S",
			"1s1ms1us1ns, PT1.001001001S", "PT5S, PT5S", "pt1m, PT1M", "-PT2S, PT-2S", "P1D, PT24H",
			"999999999999999999ns, PT277777H46M39.999999999S" })
	void parseReadsWhatSpringReads(String text, Duration duration) {
		assertThat(DurationText.parse(text)).contains(duration);
	}

	@ParameterizedTest
	@ValueSource(strings = { "+", "-", "s", "3", "3 s", "3x", "30s1m", "1.5s", "--3s", "PT", "P", "PT5", "soon",
			"9999999999999999999s", "999999999999999999d", "3s3s", "٣s" })
	void parseRefusesOthers(String text) {
		assertThat(DurationText.parse(text)).isEmpty();
	}

}
