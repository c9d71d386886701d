package io.distlock.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Step;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The tables of docs/lab.md are those of the code. */
class ExpectationsPageTests {

	@Test
	void pageHasTheTableOfStrategiesAndFaults() throws IOException {
		String head = "| | " + Arrays.stream(Fault.values()).map(Fault::id).collect(Collectors.joining(" | ")) + " |\n"
				+ "|---|" + ":-:|".repeat(Fault.values().length) + "\n";
		String rows = Staircase.steps().stream().map(ExpectationsPageTests::row).collect(Collectors.joining("\n"));
		assertThat(page()).contains(head + rows + "\n");
	}

	@Test
	void pageNamesTheStepsOfEachVersionOfTheTutorials() throws IOException {
		for (Step step : Staircase.steps().stream().filter((each) -> each.version() != null).toList()) {
			for (String version : Objects.requireNonNull(step.version()).split(", ")) {
				assertThat(page()).containsPattern("\\| " + version + " \\|.*`" + step.id() + "`");
			}
		}
	}

	private static String row(Step step) {
		return "| `" + step.id() + "` | "
				+ Arrays.stream(Fault.values())
					.map((fault) -> sign(Expectations.of(step, fault).expected()))
					.collect(Collectors.joining(" | "))
				+ " |";
	}

	private static String sign(Expectation expected) {
		return switch (expected) {
			case HOLDS -> "✔";
			case BREAKS -> "✘";
			case STICKS -> "S";
			case CHANCE -> "~";
			case UNCERTAIN -> "?";
			case IMPOSSIBLE -> "–";
		};
	}

	private static String page() throws IOException {
		return Files.readString(Path.of("..", "docs", "lab.md"));
	}

}
