package io.distlock.benchmark.stores;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** The benchmarks run; what they find here is no measurement. */
class StoreBenchmarksTests {

	@Test
	@Tag("ci")
	void everybodyTakesPartWhereNobodyWaits() throws Exception {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		StoreBenchmarks.run(new PrintStream(out), "--seconds", "0.2", "--warm-up", "0.2", "--rounds", "1", "--loads",
				"A1");
		for (Implementation implementation : Implementation.values()) {
			assertThat(out.toString()).contains("| " + implementation.place() + ", " + implementation.label() + " | ");
		}
	}

	@Test
	void unknownOptionsAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> StoreBenchmarks.run(System.out, "--second", "1"))
			.withMessageContaining("--second");
		assertThatIllegalArgumentException().isThrownBy(() -> StoreBenchmarks.run(System.out, "--loads", "Z"))
			.withMessageContaining("Z");
	}

}
