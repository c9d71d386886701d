package io.distlock.lab.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.distlock.lab.strategy.Condition;
import io.distlock.lab.strategy.Source;
import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Step;
import io.distlock.lab.strategy.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class StaircaseTests {

	static List<Step> steps() {
		return Staircase.steps();
	}

	@Test
	void stepsHaveDifferentNamesAndClasses() {
		assertThat(Staircase.steps()).extracting(Step::id).doesNotHaveDuplicates().hasSizeGreaterThan(20);
		assertThat(Staircase.steps()).extracting(Step::type).doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@MethodSource("steps")
	void stepHasItsSourceAndTextsInBothLanguages(Step step) {
		assertThat(step.source()).contains("class " + step.type().getSimpleName() + " implements Strategy");
		for (Text text : new Text[] { step.title(), step.flaw(), step.group() }) {
			assertThat(text.en()).isNotBlank();
			assertThat(text.zh()).isNotBlank();
		}
		assertThat(step.flaw().zh()).matches("(?s).*\\p{IsHan}.*");
		if (step.docs() != null) {
			assertThat(Path.of("..", step.docs().replaceFirst("#.*", ""))).exists();
		}
		if (step.fixedBy() != null) {
			assertThat(Staircase.find(step.fixedBy())).isPresent();
		}
	}

	@Test
	void stepShowsItsScriptsAndWhatItsCustomerDoes() {
		Step count = Staircase.find("hash-count").orElseThrow();
		assertThat(count.scripts()).extracting(Source::name).containsExactly("hash_lock.lua", "hash_unlock.lua");
		assertThat(count.buy().source()).startsWith("public boolean buy(Runnable check) {").contains("shelf().write");
		Step fenced = Staircase.find("fenced-writes").orElseThrow();
		assertThat(fenced.scripts()).extracting(Source::name).containsExactly("fenced_read.lua", "fenced_write.lua");
		assertThat(fenced.buy().name()).isEqualTo("buyFenced");
		assertThat(Staircase.find("optimistic").orElseThrow().buy()).isNull();
	}

	@Test
	void eachConditionOfALockIsBrokenByAStepThatAnotherOneMends() {
		for (Condition condition : Condition.values()) {
			assertThat(Staircase.steps()).as("%s", condition)
				.anyMatch((step) -> step.condition() == condition && step.fixedBy() != null && !step.sound());
		}
	}

	@Test
	void eachVersionOfTheTutorialsHasItsStep() {
		String versions = Staircase.steps().stream().map(Step::version).filter(Objects::nonNull).toList().toString();
		for (int version = 1; version <= 8; version++) {
			assertThat(versions).contains("v" + version);
		}
	}

	@ParameterizedTest
	@MethodSource("steps")
	void guardsAreNamedByExactlyTheStepsThatHaveThem(Step step) {
		assertThat(step.settings().stream().anyMatch((setting) -> setting.name().equals("ensureHeld()")))
			.isEqualTo(step.source().contains("ensureHeld()"));
		assertThat(step.settings().stream().anyMatch((setting) -> setting.name().startsWith("onLost")))
			.isEqualTo(step.source().contains("onLost"));
	}

	@ParameterizedTest
	@MethodSource("steps")
	void soundStepNeverBreaksAndABrokenOneDoesByItsFault(Step step) {
		List<Expectations.Cell> cells = Expectations.of(step);
		assertThat(cells).extracting(Expectations.Cell::fault)
			.containsExactlyElementsOf(Stream.of(Fault.values()).map(Fault::id).toList());
		if (step.sound()) {
			assertThat(cells).extracting(Expectations.Cell::expected)
				.doesNotContain(Expectation.BREAKS, Expectation.STICKS);
		}
		else {
			Fault fault = (step.breaksBy() != null) ? Fault.find(step.breaksBy()).orElseThrow() : Fault.NONE;
			assertThat(Expectations.of(step, fault).expected()).isIn(Expectation.BREAKS, Expectation.STICKS);
		}
		for (Expectations.Cell cell : cells) {
			boolean plain = List.of(Expectation.HOLDS, Expectation.BREAKS, Expectation.STICKS)
				.contains(cell.expected());
			assertThat(cell.reason() == null).as("%s", cell).isEqualTo(plain);
		}
	}

	@Test
	void oneJvmIsEnoughUntilThereAreTwo() {
		Step monitor = Staircase.find("synchronized").orElseThrow();
		assertThat(Expectations.of(monitor, Fault.NONE, 1).expected()).isEqualTo(Expectation.HOLDS);
		assertThat(Expectations.of(monitor, Fault.NONE, 2).expected()).isEqualTo(Expectation.BREAKS);
	}

	@ParameterizedTest
	@MethodSource("steps")
	void brokenStepBreaksByAFaultThatExistsAndASoundOneByNone(Step step) {
		if (step.sound()) {
			assertThat(step.breaksBy()).isNull();
		}
		else if (step.breaksBy() != null) {
			assertThat(Fault.find(step.breaksBy())).isPresent();
		}
		String fault = (step.breaksBy() != null) ? step.breaksBy() : Fault.NONE.id();
		assertThat(new RunRequest(step.id(), fault, 2, 64, 500, 5).problems()).isEmpty();
	}

	@Test
	void requestThatIsNotPossibleNamesEachFieldAndWhatIsAllowed() {
		assertThat(new RunRequest("magic", "rain", 9, 0, 100_000, -1).problems()).extracting(RunRequest.Problem::field)
			.containsExactly("strategy", "fault", "nodes", "callers", "items", "insideMillis");
		assertThat(new RunRequest("nothing", "none", 9, 1, 1, 0).problems()).containsExactly(
				new RunRequest.Problem("nodes", "Must be between 1 and 4, was 9", "range", Map.of("min", 1, "max", 4)));
		assertThat(new RunRequest("guarded-jdbc", "pause-redis", 2, 1, 1, 0).problems()).containsExactly(
				new RunRequest.Problem("fault", "'guarded-jdbc' keeps nothing in Redis", "no-redis", Map.of()));
		assertThat(new RunRequest("annotation-redis", "kill-holder", 1, 1, 1, 0).problems())
			.extracting(RunRequest.Problem::field)
			.containsExactly("nodes");
		assertThat(new RunRequest("guarded-redlock", "failover", 2, 1, 1, 0).problems())
			.extracting(RunRequest.Problem::field)
			.containsExactly("fault");
	}

}
