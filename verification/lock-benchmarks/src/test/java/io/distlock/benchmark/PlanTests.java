package io.distlock.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.benchmark.measure.Compiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What is measured with one command. Nothing is measured here. */
class PlanTests {

	@ParameterizedTest
	@ValueSource(strings = { "quick", "all" })
	void stepsAreWhatTheCommandLineUnderstands(String name) {
		for (Step step : plan(name).steps()) {
			CommandLine line = CommandLine.of(step.arguments().toArray(String[]::new));
			assertThat(line.commands()).isNotEmpty().allSatisfy(Benchmarks::scenario);
			assertThat(line.options().participants()).isNotEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "quick", "all" })
	void stepsMeasureCallsThatMeetNobodyWithBothCompilers(String name) {
		Set<Compiler> compilers = plan(name).steps()
			.stream()
			.filter((step) -> step.arguments().containsAll(List.of("A", "P")))
			.map(Step::compiler)
			.collect(Collectors.toSet());
		assertThat(compilers).containsExactlyInAnyOrder(Compiler.values());
	}

	@Test
	void allHasEveryScenario() {
		assertThat(plan("all", "--virtual-java", "/jdk/bin/java").steps().stream().flatMap(PlanTests::scenarios))
			.containsAll(Benchmarks.scenarios());
	}

	@Test
	void allHasVirtualThreadsOnTheJvmThatHasThem() {
		assertThat(plan("all", "--virtual-java", "/jdk/bin/java").steps())
			.filteredOn((step) -> step.arguments().contains("B-virtual"))
			.extracting(Step::java)
			.containsExactly("/jdk/bin/java");
	}

	@Test
	void ofWhenOptionsAreGivenThenTheyCountInEachStep() {
		assertThat(plan("quick", "--rounds", "7", "--results", "x").steps()).allSatisfy((step) -> {
			Map<String, String> given = CommandLine.of(step.arguments().toArray(String[]::new)).given();
			assertThat(given).containsEntry("rounds", "7").containsEntry("results", "x");
		});
	}

	@Test
	void ofWhenOptionIsMisspeltThenFailsBeforeTheFirstStep() {
		assertThatIllegalArgumentException().isThrownBy(() -> plan("quick", "--round", "7"))
			.withMessageContaining("No option round among");
	}

	@Test
	void ofWhenOptionLacksItsValueThenSaysSo() {
		assertThatIllegalArgumentException().isThrownBy(() -> plan("quick", "--rounds"))
			.withMessage("The option --rounds lacks its value");
	}

	@Test
	void runWhenAStepFailsThenRunsTheOthersAndSaysWhich() {
		Step broken = Step.of("java", Compiler.ALL, Duration.ofMinutes(1), "A --rounds 1");
		Step sound = Step.of("java", Compiler.FIRST, Duration.ofMinutes(1), "P");
		List<Step> run = new ArrayList<>();
		Plan plan = new Plan(List.of(broken, sound), (step) -> run.add(step) && step != broken);
		assertThatIllegalStateException().isThrownBy(plan::run)
			.withMessage("1 of 2 steps failed; what they measured before is kept: [A --rounds 1, default]");
		assertThat(run).containsExactly(broken, sound);
	}

	@Test
	void commandPassesTheCompilerOn() {
		assertThat(Step.of("java", Compiler.FIRST, Duration.ofMinutes(1), "P").command()).startsWith("java",
				"-XX:TieredStopAtLevel=1");
	}

	private static Stream<String> scenarios(Step step) {
		return CommandLine.of(step.arguments().toArray(String[]::new)).commands().stream();
	}

	private static Plan plan(String name, String... more) {
		return Plan.of(name, CommandLine.of(Stream.concat(Stream.of(name), Stream.of(more)).toArray(String[]::new)));
	}

}
