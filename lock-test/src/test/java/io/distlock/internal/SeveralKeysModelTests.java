package io.distlock.internal;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Tries the orders in which callers that want several keys may meet. */
// Bounded by its steps, as the machine may be slow.
@Timeout(value = 1, unit = TimeUnit.HOURS)
class SeveralKeysModelTests {

	static final List<SeveralKeysModel.Plan> PLANS = SeveralKeysModel.Plan.ALL;

	@BeforeAll
	static void quiet() {
		EngineModelTests.quiet();
	}

	@AfterAll
	static void loud() {
		EngineModelTests.loud();
	}

	@ParameterizedTest
	@FieldSource("PLANS")
	void walksKeepTheRules(SeveralKeysModel.Plan plan) {
		int commands = SeveralKeysModel.walk(plan, EngineModelTests.LONG ? 100_000 : 1_000, 20_261_122);
		LoggerFactory.getLogger("model").info("{}: at most {} commands", plan, commands);
		assertThat(commands).isPositive();
	}

	/** Plans of which all schedules are tried; of most only in longer runs. */
	static Stream<String> exhaustible() {
		Stream<String> small = Stream.of("two in one process", "two that do not wait",
				"two that overlap and do not wait");
		return EngineModelTests.LONG
				? Stream.concat(small, Stream.of("two with the same keys", "two that overlap", "one key and three"))
				: small;
	}

	@ParameterizedTest
	@MethodSource("exhaustible")
	void allSchedulesKeepTheRules(String plan) {
		long since = System.nanoTime();
		int schedules = SeveralKeysModel.exhaust(SeveralKeysModel.Plan.named(plan));
		LoggerFactory.getLogger("model")
			.info("{}: {} schedules, {} ms", plan, schedules, (System.nanoTime() - since) / 1_000_000);
		assertThat(schedules).isPositive();
	}

}
