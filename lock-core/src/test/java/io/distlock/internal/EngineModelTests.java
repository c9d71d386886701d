package io.distlock.internal;

import java.util.List;
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

	private static final ModelPlan.Caller P = new ModelPlan.Caller(ModelPlan.PATIENT, false);

	private static final ModelPlan.Caller S = new ModelPlan.Caller(ModelPlan.SHORT, false);

	private static final ModelPlan.Caller N = new ModelPlan.Caller(ModelPlan.NOT_AT_ALL, false);

	private static final ModelPlan.Caller AP = new ModelPlan.Caller(ModelPlan.PATIENT, true);

	private static final ModelPlan.Caller AS = new ModelPlan.Caller(ModelPlan.SHORT, true);

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
		Stream<ModelPlan> always = Stream.of(new ModelPlan("one caller", List.of(List.of(P)), 1, 2),
				new ModelPlan("one short caller", List.of(List.of(S)), 1, 2),
				new ModelPlan("one impatient caller", List.of(List.of(N)), 1, 2),
				new ModelPlan("thread and async", List.of(List.of(P, AS)), 1, 1),
				new ModelPlan("async and thread", List.of(List.of(AP, S)), 1, 1),
				new ModelPlan("impatient after patient", List.of(List.of(P, N)), 1, 1),
				new ModelPlan("twice", List.of(List.of(AP)), 2, 1),
				new ModelPlan("two short asyncs", List.of(List.of(AS, AS)), 1, 1),
				new ModelPlan("three callers", List.of(List.of(P, AP, S)), 1, 1),
				new ModelPlan("two processes", List.of(List.of(P), List.of(AP)), 1, 0),
				new ModelPlan("two and one", List.of(List.of(P, AP), List.of(P)), 1, 0));
		Stream<ModelPlan> more = Stream.of(new ModelPlan("one caller", List.of(List.of(P)), 1, 3),
				new ModelPlan("two processes, twice", List.of(List.of(P), List.of(AP)), 2, 0),
				new ModelPlan("two processes, one impatient", List.of(List.of(P), List.of(N)), 1, 1),
				new ModelPlan("two callers", List.of(List.of(P, AS)), 1, 2),
				new ModelPlan("two processes", List.of(List.of(P), List.of(AP)), 1, 1),
				new ModelPlan("two processes, one in a hurry", List.of(List.of(P), List.of(AS)), 1, 1),
				new ModelPlan("two and two", List.of(List.of(P, AP), List.of(AP, P)), 1, 0),
				new ModelPlan("two and one", List.of(List.of(P, AP), List.of(P)), 1, 1));
		return LONG ? Stream.concat(always, more) : always;
	}

	static Stream<ModelPlan> large() {
		return Stream.of(new ModelPlan("walks of two and two", List.of(List.of(P, AS), List.of(AP, S)), 2, 3),
				new ModelPlan("walks of three and two", List.of(List.of(P, AP, N), List.of(AP, S)), 2, 6),
				new ModelPlan("undisturbed walks of three and three", List.of(List.of(P, AP, P), List.of(AP, P, AP)), 3,
						0),
				new ModelPlan("walks of three processes", List.of(List.of(P, AS, N), List.of(AP, S), List.of(P, AP)), 2,
						10));
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
