package io.distlock.lab.run;

import java.util.List;
import java.util.Map;

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
