package io.distlock.redis.simulation;

import java.util.List;
import java.util.stream.Stream;

import io.distlock.output.Seeds;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several processes with the real engine and store, and the real scripts on a real
 * server, all on virtual time and on one thread, while things go wrong. A violation shows
 * the last events and the command that repeats it.
 */
class SimulationTests {

	/** Each of them in the first 14 scenarios, so 10 are 140 worlds. */
	private static final int SEEDS = Seeds.of("simulation.seeds", 1, 10);

	/** In the scenarios that came later, which differ in one thing only. */
	private static final int LATER_SEEDS = Math.max(1, SEEDS / 4);

	/** Mixed locks are held in all ways. */
	private static final List<Use> USES = (Seeds.of("simulation.uses", 1, 4) < 4) ? List.of(Use.MIXED)
			: List.of(Use.values());

	/** Each in each scenario with each of three ways to hold together: 1 is 51 worlds. */
	private static final int SEEDS_TOGETHER = Integer.getInteger("simulation.seeds.together", Math.max(1, SEEDS / 20));

	private static final Figures TOTAL = new Figures();

	private static RedisServer server;

	@BeforeAll
	static void start() {
		server = RedisServer.builder().unprotected().start();
	}

	@AfterAll
	static void stop() {
		LoggerFactory.getLogger("simulation").info("all: {}", TOTAL);
		server.close();
	}

	static Stream<Arguments> scenarios() {
		String chosen = System.getProperty("simulation.config");
		String use = System.getProperty("simulation.use");
		List<Scenario> scenarios = (chosen != null) ? List.of(Scenario.named(chosen)) : List.of(Scenario.values());
		List<Use> uses = (use != null) ? List.of(Use.named(use)) : USES;
		return uses.stream().flatMap((each) -> scenarios.stream().map((scenario) -> Arguments.of(scenario, each)));
	}

	@ParameterizedTest
	@MethodSource("scenarios")
	void rulesAreKept(Scenario scenario, Use use) {
		long since = System.nanoTime();
		Long chosen = Long.getLong("simulation.seed");
		long first = (chosen != null) ? chosen : 1;
		long last = (chosen != null) ? chosen : (use != Use.ALONE) ? SEEDS_TOGETHER
				: scenario.ordinal() < Scenario.TOLD.ordinal() ? SEEDS : LATER_SEEDS;
		try (Simulation simulation = Simulation.ours(server.host(), server.port())) {
			for (long seed = first; seed <= last; seed++) {
				simulation.run(scenario, use, seed);
			}
			assertThat(simulation.figures().acquisitions).isPositive();
			TOTAL.add(simulation.figures());
			LoggerFactory.getLogger("simulation")
				.info("{} {}: {}, {} ms", scenario, use, simulation.figures(), (System.nanoTime() - since) / 1_000_000);
		}
	}

	@ParameterizedTest
	@Tag("ci")
	@CsvSource({ "HOSTILE, ALONE", "AMNESIA, ALONE", "NET, MIXED" })
	void sameSeedGivesSameTrace(Scenario scenario, Use use) {
		try (Simulation simulation = Simulation.ours(server.host(), server.port())) {
			List<String> first = simulation.trace(scenario, use, 11).lines().toList();
			List<String> again = simulation.trace(scenario, use, 11).lines().toList();
			assertThat(first).hasSizeGreaterThan(1000).hasSameSizeAs(again);
			for (int i = 0; i < first.size(); i++) {
				assertThat(again.get(i)).isEqualTo(first.get(i));
			}
			assertThat(simulation.trace(scenario, use, 12).lines().toList()).isNotEqualTo(first);
		}
	}

}
