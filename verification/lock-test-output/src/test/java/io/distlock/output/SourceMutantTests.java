package io.distlock.output;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SourceMutantTests {

	@ParameterizedTest
	@ValueSource(strings = { "first + second", "first+second", "first\n\t\t+ second" })
	void spacesLineBreaksAndCommentsMayDiffer(String original) {
		assertThatCode(() -> mutant(original, "first - second").run(Sums.class.getName(), "check"))
			.isInstanceOf(IllegalStateException.class);
	}

	@Test
	void aStatementAfterACommentIsReplaced() {
		assertThatCode(() -> mutant("{ return first + second;", "{ return 0;").run(Sums.class.getName(), "check"))
			.isInstanceOf(IllegalStateException.class);
	}

	@Test
	void aMistakeThatChangesNothingIsNotNoticed() {
		assertThatCode(() -> mutant("first + second", "first + second").run(Sums.class.getName(), "check"))
			.doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "first * second", "irst + second", "returnfirst" })
	void codeThatIsNotThereIsRefused(String original) {
		assertThatIllegalArgumentException().isThrownBy(() -> mutant(original, ""))
			.withMessageContainingAll("Sums.java", original, "The code has changed: name the line that does it now");
	}

	@Test
	void codeThatIsThereTwiceIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> mutant("int", "long"))
			.withMessageContainingAll("Sums.java", "Name more of the code around it");
	}

	@Test
	void aClassWithoutAFileIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new SourceMutant(sources(), "Differences", "a", "b"))
			.withMessageContaining("Differences.java");
	}

	@Test
	void aMistakeThatDoesNotCompileIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> mutant("first + second", "third"))
			.withMessageContaining("does not compile");
	}

	private static SourceMutant mutant(String original, String mistake) {
		return new SourceMutant(sources(), "Sums", original, mistake);
	}

	private static List<Path> sources() {
		return List.of(Path.of("src", "test", "java"));
	}

}
