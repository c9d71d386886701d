package io.distlock.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Meters have a bounded number of names. */
@ExtendWith(OutputCaptureExtension.class)
class LockNamesTests {

	private final LockNames names = new LockNames();

	@Test
	void namesWhenThereAreTooManyThenFurtherOnesAreOneAndOneLineSaysSo(CapturedOutput output) {
		for (int i = 0; i < LockNames.MOST; i++) {
			assertThat(this.names.of("name-" + i)).isEqualTo("name-" + i);
		}
		assertThat(output).doesNotContain("names of locks");
		assertThat(this.names.of("late-1")).isEqualTo("other");
		assertThat(this.names.of("late-2")).isEqualTo("other");
		assertThat(this.names.of("name-0")).isEqualTo("name-0");
		assertThat(output).containsOnlyOnce("There are more than 200 names of locks, for instance 'late-1'")
			.doesNotContain("late-2");
	}

	@Test
	void noNameThenUnnamed() {
		assertThat(this.names.of("")).isEqualTo("unnamed");
	}

}
