package io.distlock.records;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.distlock.output.Seeds;
import io.distlock.test.records.MemoryPlace.Promise;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random worlds of stores on one place, and broken places and rules that such worlds must
 * notice. A failure names its seed; {@code -Drecords.seed} runs that one alone.
 */
class RecordSimulationTests {

	private static final int SEEDS = Seeds.of("records.seeds", 30, 300);

	/** Until a broken place must have been noticed. */
	private static final int MOST_SEEDS = Math.max(10 * SEEDS, 3000);

	private static final Long ONLY = Long.getLong("records.seed");

	@BeforeAll
	static void beQuiet() {
		((Logger) LoggerFactory.getLogger("io.distlock")).setLevel(Level.OFF);
	}

	@AfterAll
	static void logAgain() {
		((Logger) LoggerFactory.getLogger("io.distlock")).setLevel(null);
	}

	@Test
	void storesExcludeEachOther() {
		long first = (ONLY != null) ? ONLY : 1;
		long last = (ONLY != null) ? ONLY : SEEDS;
		int grants = 0;
		for (long seed = first; seed <= last; seed++) {
			RecordWorld world = new RecordWorld(seed, seed % 2 == 0, seed % 3 != 0, Promise.NONE);
			assertThat(world.run()).as("seed %s", seed).isEmpty();
			grants += world.grants();
		}
		assertThat(grants).isGreaterThan(10 * (int) (last - first));
	}

	@ParameterizedTest
	@Tag("ci")
	@EnumSource(names = { "NONE", "NEW_VERSION" }, mode = EnumSource.Mode.EXCLUDE)
	void brokenPlaceIsNoticed(Promise promise) {
		assertThat(notices(promise)).isTrue();
	}

	private static boolean notices(Promise broken) {
		for (long seed = 1; seed <= MOST_SEEDS; seed++) {
			if (!new RecordWorld(seed, seed % 2 == 0, seed % 3 != 0, broken).run().isEmpty()) {
				return true;
			}
		}
		return false;
	}

}
