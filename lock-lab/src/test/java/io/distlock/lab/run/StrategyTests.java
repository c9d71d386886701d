package io.distlock.lab.run;

import java.util.ArrayList;
import java.util.List;

import io.distlock.lab.LabApplication;
import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Step;
import io.distlock.lab.strategy.Step.Server;
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

	private static final int RACES = 3;

	private static final Lab lab = new Lab(LabApplication.class);

	private final Runs runs = new Runs(lab);

	@AfterAll
	static void close() {
		lab.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "nothing", "synchronized" })
	void strategyWithoutACommonLockSellsTwice(String strategy) {
		Verdict verdict = this.runs.run(strategy, Fault.NONE, 16, 200, 2);
		assertThat(verdict.exact()).isFalse();
		assertThat(verdict.oversold()).isPositive();
		assertThat(verdict.doubles()).isPositive();
		assertThat(verdict.overlaps()).isPositive();
		assertThat(verdict.sentence().en()).startsWith("Oversold by ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "guarded-redis", "stock-script", "optimistic", "conditional-update" })
	void soundStrategySellsAllOnce(String strategy) {
		Verdict verdict = this.runs.run(strategy, Fault.NONE, 16, 200, 0);
		assertThatAllIsSoldOnce(verdict, 200);
	}

	@Test
	void lockThatIsNotRenewedBreaksWhenItsHolderIsFrozen() {
		Verdict verdict = this.runs.run("blind-delete", Fault.FREEZE_HOLDER, 16, 300, 5);
		assertThat(verdict.exact()).isFalse();
		assertThat(verdict.overlaps()).isPositive();
	}

	static List<Step> broken() {
		return Staircase.steps().stream().filter((step) -> step.breaksBy() != null).toList();
	}

	@Tag("lab")
	@ParameterizedTest
	@MethodSource("broken")
	void brokenStrategyBreaksByItsFault(Step step) {
		Fault fault = Fault.find(String.valueOf(step.breaksBy())).orElseThrow();
		Verdict verdict = this.runs.run(step.id(), fault, 16, 150, 40);
		for (int i = 1; i < RACES && verdict.exact() && step.place() == Step.Place.BETWEEN; i++) {
			// What was checked goes wrong only if another one is inside at the moment of
			// the DEL.
			verdict = this.runs.run(step.id(), fault, 16, 150, 40);
		}
		assertThat(verdict.exact()).isFalse();
		if (fault == Fault.KILL_HOLDER) {
			assertThat(verdict.stuck()).isTrue();
		}
		else {
			assertThat(verdict.overlaps()).isPositive();
		}
	}

	static List<Arguments> sound() {
		List<Arguments> all = new ArrayList<>();
		for (Step step : Staircase.steps()) {
			for (Fault fault : Fault.values()) {
				boolean redis = step.needs().contains(Server.REDIS);
				boolean possible = !fault.hitsRedis() || redis
						|| (step.needs().contains(Server.REDLOCK) && fault != Fault.FAILOVER);
				// Redis confirms before its replica has it: no lock is meant to mend
				// that.
				boolean forgets = step.stock() == Step.Stock.REDIS
						&& (fault == Fault.FAILOVER || fault == Fault.CUT_CONNECTIONS);
				if (step.sound() && possible && !forgets) {
					all.add(Arguments.of(step, fault));
				}
			}
		}
		return all;
	}

	@Tag("lab")
	@ParameterizedTest
	@MethodSource("sound")
	void soundStrategyHoldsWhateverHappens(Step step, Fault fault) {
		Verdict verdict = this.runs.run(step.id(), fault, 16, 300, 2);
		assertThat(verdict.oversold()).as("%s", verdict).isZero();
		assertThat(verdict.doubles()).isZero();
		if (!step.fenced()) {
			// What comes too late to a fenced stock is refused: it may be there, and does
			// no harm.
			assertThat(verdict.overlaps()).isZero();
		}
		assertThat(verdict.stuck()).isFalse();
		assertThat(verdict.left()).isZero();
		if (isCertain(step, fault)) {
			assertThatAllIsSoldOnce(verdict, 300);
		}
	}

	/**
	 * What several do at a time in one step is lost if the process dies, or the answer
	 * stays away, between the step and the sale.
	 */
	private static boolean isCertain(Step step, Fault fault) {
		return step.inside() == 1 || fault == Fault.NONE || fault == Fault.FREEZE_HOLDER;
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

	private static void assertThatAllIsSoldOnce(Verdict verdict, int items) {
		assertThat(verdict.exact()).as("%s", verdict).isTrue();
		assertThat(verdict.sold()).isEqualTo(items);
		assertThat(verdict.left()).isZero();
		assertThat(verdict.oversold()).isZero();
	}

}
