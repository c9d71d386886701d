package io.distlock.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tries all orders in which things may happen to a key, with the real engine on virtual
 * time. A violation shows the schedule that leads to it.
 */
// Bounded by its steps, as the machine may be slow.
@Timeout(value = 1, unit = TimeUnit.HOURS)
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

	/** Longer runs: {@code -Dmodel.long=true}. */
	static final boolean LONG = Boolean.getBoolean("model.long");

	static Stream<ModelPlan> exhaustible() {
		return ModelPlans.alone().filter(Predicate.not(ModelPlans::isLarge));
	}

	static Stream<ModelPlan> large() {
		Stream<ModelPlan> large = ModelPlans.alone().filter(ModelPlans::isLarge);
		return LONG ? Stream.concat(large, ModelPlans.more()) : large;
	}

	@ParameterizedTest
	@MethodSource("exhaustible")
	void allSchedulesKeepTheRules(ModelPlan plan) {
		exhaust(plan);
	}

	@ParameterizedTest
	@Tag("ci")
	@MethodSource("large")
	void allSchedulesOfLargePlansKeepTheRules(ModelPlan plan) {
		exhaust(plan);
	}

	static void exhaust(ModelPlan plan) {
		long since = System.nanoTime();
		ModelExplorer explorer = new ModelExplorer(plan);
		explorer.exhaust();
		report(plan, explorer, since);
	}

	static void report(ModelPlan plan, ModelExplorer explorer, long since) {
		assertThat(explorer.ends()).isPositive();
		LoggerFactory.getLogger("model")
			.info("{}: {} states, {} steps, {} ends, {} ms", plan, explorer.states(), explorer.steps(), explorer.ends(),
					(System.nanoTime() - since) / 1_000_000);
	}

}
