package io.distlock.lab.run;

import java.util.ArrayList;
import java.util.List;

import io.distlock.lab.LabApplication;
import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Step;
import io.distlock.test.Standstill;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each strategy on JVMs of its own, with the fault that hits its weak place: those that
 * are said to break do, those that are said to hold hold.
 */
@Tag("ci")
class StrategyTests {

	private static final Lab lab = new Lab(LabApplication.class);

	private static final int ATTEMPTS = 3;

	private final Runs runs = new Runs(lab);

	@AfterAll
	static void close() {
		lab.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "nothing", "synchronized" })
	void strategyWithoutACommonLockSellsTwice(String strategy) {
		// A process that does not run for a while lets the other one sell alone.
		Verdict verdict = this.runs.run(strategy, Fault.NONE, 16, 200, 2);
		for (int i = 1; i < ATTEMPTS && verdict.exact(); i++) {
			verdict = this.runs.run(strategy, Fault.NONE, 16, 200, 2);
		}
		assertThat(verdict.exact()).isFalse();
		assertThat(verdict.oversold()).isPositive();
		assertThat(verdict.doubles()).isPositive();
		assertThat(verdict.overlaps()).isPositive();
		assertThat(verdict.sentence().en()).startsWith("Oversold by ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "guarded-redis", "stock-script", "optimistic", "conditional-update" })
	void soundStrategySellsAllOnce(String strategy) throws Exception {
		sellsAllOnce(strategy, Fault.NONE, 200, 0);
	}

	@Test
	void annotationAloneOversellsWhenItsHolderIsFrozenAndTheGuardedOneDoesNot() throws Exception {
		Verdict alone = this.runs.run("annotation-redis", Fault.FREEZE_HOLDER, 16, 150, 5);
		assertThat(alone.outcome()).as("%s", alone).isEqualTo(Outcome.WRONG);
		assertThat(alone.oversold()).isPositive();
		sellsAllOnce("guarded-redis", Fault.FREEZE_HOLDER, 150, 5);
	}

	@Test
	void renewalIsWhatKeepsALockWhoseHolderWorksLong() throws Exception {
		assertThat(this.runs.run("hash-count", Fault.LONG_WORK, 16, 150, 5).outcome()).isEqualTo(Outcome.WRONG);
		sellsAllOnce("hash-renewed", Fault.LONG_WORK, 150, 5);
	}

	@Test
	void monitorOfAJvmIsEnoughOnOneNode() {
		assertThatAllIsSoldOnce(this.runs.run(new RunRequest("synchronized", "none", 1, 16, 200, 2)), 200);
	}

	@Test
	void runThatIsStoppedIsNotExact() {
		Verdict verdict = this.runs.stop(new RunRequest("guarded-redis", "none", 2, 4, 5000, 20), 20);
		assertThat(verdict.outcome()).as("%s", verdict).isEqualTo(Outcome.STOPPED);
		assertThat(verdict.sentence().en()).startsWith("Stopped: ");
	}

	static List<Arguments> cells() {
		List<Arguments> all = new ArrayList<>();
		for (Step step : Staircase.steps()) {
			for (Fault fault : Fault.values()) {
				if (Expectations.of(step, fault).expected() != Expectation.IMPOSSIBLE) {
					all.add(Arguments.of(step, fault));
				}
			}
		}
		return all;
	}

	@Tag("lab")
	@ParameterizedTest
	@MethodSource("cells")
	void runIsAsExpected(Step step, Fault fault) {
		Verdict verdict = this.runs.run(step.id(), fault, 8, (fault == Fault.NONE) ? 60 : 120, 5);
		assertThat(verdict.expected().allows(verdict.outcome())).as("%s", verdict).isTrue();
		assertThat(verdict.story()).isNotEmpty();
		if (verdict.expected() == Expectation.UNCERTAIN) {
			assertThat(verdict.oversold() + verdict.doubles()).isZero();
		}
	}

	@Tag("lab")
	@ParameterizedTest
	@ValueSource(strings = { "guarded-redis", "guarded-redlock", "guarded-jdbc", "guarded-zookeeper" })
	void fiveThousandCallersBuyFiveThousandItemsFromTwoNodes(String strategy) {
		assertThatAllIsSoldOnce(this.runs.run(strategy, Fault.NONE, 5000, 5000, 0), 5000);
	}

	@Tag("lab")
	@Test
	void fencedShelfRefusesAHolderThatWakesUpLate() {
		Verdict verdict = this.runs.run("fenced-writes", Fault.FREEZE_HOLDER, 16, 300, 2);
		assertThat(verdict.fencedWrites()).isPositive();
		assertThatAllIsSoldOnce(verdict, 300);
	}

	/** Repeats a run during which the machine stalled, maybe for longer than a lease. */
	private void sellsAllOnce(String strategy, Fault fault, int items, int insideMillis) throws Exception {
		Standstill
			.repeat(() -> assertThatAllIsSoldOnce(this.runs.run(strategy, fault, 16, items, insideMillis), items));
	}

	private static void assertThatAllIsSoldOnce(Verdict verdict, int items) {
		assertThat(verdict.exact()).as("%s", verdict).isTrue();
		assertThat(verdict.sold()).isEqualTo(items);
		assertThat(verdict.left()).isZero();
		assertThat(verdict.oversold()).isZero();
	}

}
