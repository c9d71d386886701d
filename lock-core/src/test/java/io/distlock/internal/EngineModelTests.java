package io.distlock.internal;

import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tries the orders in which things may happen to a key, with the real engine on virtual
 * time. A violation shows the schedule that leads to it.
 */
class EngineModelTests {

	private static final Logger ENGINE = (Logger) LoggerFactory.getLogger("io.distlock");

	@BeforeAll
	static void quiet() {
		ENGINE.setLevel(Level.OFF);
	}

	@AfterAll
	static void loud() {
		ENGINE.setLevel(null);
	}

	/** Longer runs: {@code -Dmodel.long=true}, {@code -Dmodel.walks=200000}. */
	private static final boolean LONG = Boolean.getBoolean("model.long");

	private static final int WALKS = Integer.getInteger("model.walks", LONG ? 100_000 : 1500);

	private static final long SEED = Long.getLong("model.seed", 1);

	static Stream<ModelPlan> exhaustible() {
		return LONG ? Stream.concat(ModelPlans.small(), ModelPlans.more()) : ModelPlans.small();
	}

	static Stream<ModelPlan> large() {
		return ModelPlans.large();
	}

	@ParameterizedTest
	@MethodSource("exhaustible")
	void allSchedulesKeepTheRules(ModelPlan plan) {
		long since = System.nanoTime();
		ModelExplorer explorer = new ModelExplorer(plan);
		explorer.exhaust();
		report(plan, explorer, since);
	}

	@ParameterizedTest
	@MethodSource("large")
	void longSchedulesByChanceKeepTheRules(ModelPlan plan) {
		long since = System.nanoTime();
		ModelExplorer explorer = new ModelExplorer(plan);
		for (long seed = SEED; seed < SEED + WALKS; seed++) {
			walk(explorer, seed);
		}
		report(plan, explorer, since);
	}

	private static void walk(ModelExplorer explorer, long seed) {
		try {
			explorer.walk(seed, 60);
		}
		catch (ModelViolation ex) {
			throw new AssertionError("To repeat it: -Dmodel.seed=" + seed + " -Dmodel.walks=1", ex);
		}
	}

	private static void report(ModelPlan plan, ModelExplorer explorer, long since) {
		assertThat(explorer.ends()).isPositive();
		LoggerFactory.getLogger("model")
			.info("{}: {} states, {} steps, {} ends, {} ms", plan, explorer.states(), explorer.steps(), explorer.ends(),
					(System.nanoTime() - since) / 1_000_000);
	}

}
