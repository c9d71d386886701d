package io.distlock.jdbc;

import java.nio.file.Path;
import java.util.List;

import io.distlock.output.Mutants;
import io.distlock.output.SourceMutant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Mistakes in the store in a database, each of which a test notices. */
@Mutants
class JdbcMutantsTests {

	private static final List<Path> SOURCES = List.of(Path.of("src", "main", "java"));

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					whole-batch | StatementWorkers | changed.contains(update().row().revision()) | !changed.isEmpty() | UpdatesTogetherTests | eachOfThemWinsOrLosesForItself
					caller-hangs | StatementWorkers | caller.patienceNanos() >= this.commandTimeout.toNanos() | true | StatementWorkersTests | impatientCallerExecutesNothing
					embedded-callers | Dialect | 'this == POSTGRESQL || this == MYSQL || this == MARIADB' | true | StatementWorkersTests | callerOfAnEmbeddedDatabaseExecutesNothing
					caller-connects | StatementWorkers | byCaller ? this.clock.nanoTime() - begin : 0 | 0 | StatementWorkersTests | callerWaitsNoLongerForTheConnectionAndTheAnswerTogether
					turns | StatementWorkers | executed++ < MOST_IN_TURN | executed++ < 1 | StatementWorkersTests | connectionIsUsedForWhatWaitsButNotForEver
					turn-after-stop | StatementWorkers | '!this.threads.isShutdown() && !this.waiting.isEmpty()' | '!this.waiting.isEmpty()' | StatementWorkersTests | stopRefusesWhatAThreadWouldGoOnWith
					turn-hangs | RowUpdates | now - this.lastBegunAt > this.commandTimeout.toNanos() | false | StatementWorkersTests | updatesGoOnWhileAConnectionDoesNotCome
					unbounded | Session | return this.networkTimeout.isPresent(); | return true; | StatementWorkersTests | callerOfAConnectionWithoutATimeLimitExecutesNothing
					first-connection | StatementWorkers | this.connected ? 0 | true ? 0 | FailureTextsTests | firstConnectionMayTakeLongerThanAStatement
					locked-for-long | JdbcLockRecords | this.lockedRows.since(row.name()).compareTo(this.settings.commandTimeout().dividedBy(2)) > 0 | false | FailureTextsTests | callerLearnsThatARowIsLockedByAnotherTransaction
					late-sample | DatabaseClock | better ? before.getAsLong() : earliest | earliest | DatabaseClockTests | anAnswerThatComesLateDoesNotSpoilTheEstimate
					late-statements | JdbcLockRecords | this.clock.nanoTime() - sentAt > this.settings.commandTimeout().toNanos() / PROMPT_PART | false | LateStatementsTests | changeEndsAfterALateStatement
					slow-connection | StatementWorkers | this.connections.isOwn() ? nextOfOthers(last) : next(last) | nextOfOthers(last) | SlowConnectionsTests | eachCommandIsExecuted
					another-store | StatementWorkers | asking == this.store && this.takes | this.takes | StatementWorkersTests | changeOfAnotherStoreIsNotExecutedOnTheConnectionOfThisOne
					foreign-pool | StatementWorkers | this.connections.isOwn() && known.servesCallers() | known.servesCallers() | StatementWorkersTests | callerWhenConnectionsAreTheApplicationsExecutesNothing
					""")
	void mistakeIsNoticed(String mutant, String type, String original, String mistake, String test, String method) {
		assertThat(new SourceMutant(SOURCES, type, original, mistake).failures("io.distlock.jdbc." + test, method))
			.isNotEmpty();
	}

}
