package io.distlock.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link EngineModelTests}, beside which it runs, with readers. */
// Bounded by its steps, as the machine may be slow.
@Timeout(value = 1, unit = TimeUnit.HOURS)
class EngineReadersModelTests {

	@BeforeAll
	static void quiet() {
		EngineModelTests.quiet();
	}

	@AfterAll
	static void loud() {
		EngineModelTests.loud();
	}

	static Stream<ModelPlan> exhaustible() {
		return ModelPlans.readers().filter(Predicate.not(ModelPlans::isLarge));
	}

	static Stream<ModelPlan> large() {
		return ModelPlans.readers().filter(ModelPlans::isLarge);
	}

	@ParameterizedTest
	@MethodSource("exhaustible")
	void allSchedulesKeepTheRules(ModelPlan plan) {
		EngineModelTests.exhaust(plan);
	}

	@ParameterizedTest
	@Tag("ci")
	@MethodSource("large")
	void allSchedulesOfLargePlansKeepTheRules(ModelPlan plan) {
		EngineModelTests.exhaust(plan);
	}

}
