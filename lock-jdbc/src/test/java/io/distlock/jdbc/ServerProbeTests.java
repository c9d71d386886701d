package io.distlock.jdbc;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What servers report of themselves is understood in each of its spellings. */
class ServerProbeTests {

	@ParameterizedTest
	@ValueSource(strings = { "0", "OFF", "off", "Off" })
	void primaryTakesWrites(String readOnly) {
		assertThat(ServerProbe.takesWrites(readOnly)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "ON", "on", "NO_LOCK", "NO_LOCK_NO_ADMIN", "" })
	void readOnlyServerTakesNone(String readOnly) {
		assertThat(ServerProbe.takesWrites(readOnly)).isFalse();
	}

}
