package io.distlock.jdbc;

import java.nio.file.Path;
import java.util.List;

import io.distlock.output.SourceMutant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Mistakes in the store in a database, each of which a test notices. */
class JdbcMutantsTests {

	private static final Path SOURCES = Path.of("src", "main", "java");

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					whole-batch | boolean own = !changed.isEmpty(); | UpdatesTogetherTests | eachOfThemWinsOrLosesForItself
					caller-hangs | boolean patient = true; | WorkersTests | impatientCallerExecutesNothing
					embedded-callers | return true; | WorkersTests | callerOfAnEmbeddedDatabaseExecutesNothing
					linger | return false; | WorkersTests | connectionsThatOnlyCallersUsedAreGivenBack
					unbounded | return true; | WorkersTests | callerOfAConnectionWithoutATimeLimitExecutesNothing
					first-connection | boolean over = true; | FailureTextsTests | firstConnectionMayTakeLongerThanAStatement
					locked-for-long | boolean tell = false; | FailureTextsTests | callerLearnsThatARowIsLockedByAnotherTransaction
					late-sample | long now = earliest; | DatabaseClockTests | anAnswerThatComesLateDoesNotSpoilTheEstimate
					late-statements | return false; | LateStatementsTests | changeEndsAfterALateStatement
					foreign-pool | boolean own = true; | WorkersTests | callerWhenConnectionsAreTheApplicationsExecutesNothing
					""")
	void mistakeIsNoticed(String mutant, String replacement, String test, String method) {
		assertThat(new SourceMutant(List.of(SOURCES), mutant, replacement).failures("io.distlock.jdbc." + test, method))
			.isNotEmpty();
	}

}
