package io.distlock.internal;

import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tries some orders of plans that are too large to try all, chosen by chance. A class of
 * its own, so that it runs beside {@link EngineModelTests}.
 */
// Bounded by its steps, as the machine may be slow.
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("ci")
class EngineWalkTests {

	/** Longer runs: {@code -Dmodel.long=true}, {@code -Dmodel.walks=200000}. */
	private static final int WALKS = Integer.getInteger("model.walks", EngineModelTests.LONG ? 100_000 : 600);

	private static final long SEED = Long.getLong("model.seed", 1);

	@BeforeAll
	static void quiet() {
		EngineModelTests.quiet();
	}

	@AfterAll
	static void loud() {
		EngineModelTests.loud();
	}

	static Stream<ModelPlan> large() {
		return ModelPlans.large();
	}

	@ParameterizedTest
	@MethodSource("large")
	void longSchedulesByChanceKeepTheRules(ModelPlan plan) {
		long since = System.nanoTime();
		ModelExplorer explorer = new ModelExplorer(plan);
		for (long seed = SEED; seed < SEED + WALKS; seed++) {
			walk(explorer, seed);
		}
		EngineModelTests.report(plan, explorer, since);
	}

	private static void walk(ModelExplorer explorer, long seed) {
		try {
			explorer.walk(seed, 60);
		}
		catch (ModelViolation ex) {
			throw new AssertionError("To repeat it: -Dmodel.seed=" + seed + " -Dmodel.walks=1", ex);
		}
	}

}
