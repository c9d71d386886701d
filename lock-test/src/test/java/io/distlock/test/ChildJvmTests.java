package io.distlock.test;

import java.lang.management.ManagementFactory;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A JVM of a test treats the code as one in production does. */
class ChildJvmTests {

	@Test
	void verifiesByteCode() {
		try (ChildJvm jvm = ChildJvm.of(PrintsOptions.class).start()) {
			assertThat(jvm.awaitExit(Duration.ofMinutes(1))).as(jvm.output()).isZero();
			assertThat(jvm.output()).contains("options: [-XX:").doesNotContainIgnoringCase("verif");
		}
	}

	static final class PrintsOptions {

		private PrintsOptions() {
		}

		public static void main(String[] args) {
			System.out.println("options: " + ManagementFactory.getRuntimeMXBean().getInputArguments());
		}

	}

}
