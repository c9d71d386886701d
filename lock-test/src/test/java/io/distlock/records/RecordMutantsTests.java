package io.distlock.records;

import java.nio.file.Path;
import java.util.List;

import io.distlock.output.SourceMutant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mistakes in the store on records and in its state machine, each of which a test
 * notices. What places must not do is broken in {@link RecordSimulationTests}.
 */
class RecordMutantsTests {

	private static final Path SOURCES = Path.of("..", "lock-records", "src", "main", "java");

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					guard | this.holds.removeOver(moment, 0); | othersGetTheLockAGuardAfterTheEndOfItsLease
					guard-of-others | long ignored = millis; | theLongerGuardCountsWhereProcessesDiffer
					take-stamp | state.raiseToken(0); | aTakeThatArrivesAfterItsRequestHasEndedLoses
					uncertain | this.memory.setUncertain(false); | aTakeOfWhichNobodyAsksAgainIsMadeSureOfAndForgotten
					renewed-too-late | long ignored = hold.end(); | aRenewalThatArrivesAfterTheEndOfItsHoldIsRefused
					memory-answers | if (false) { | aHoldIsNotCalledLostFromMemory
					later-hold | .anyMatch((hold) -> isOwn(hold, now.lanes().context().engine())); | aRecordHasAHoldOfThisProcessOnlyWithItsToken
					renewed-tokens | return recorded; | aRecordHasAHoldWhoseRenewalReservedTokens
					late-alone | boolean late = false; | aChangeThatArrivedTooLateIsComputedAgainWithoutARead
					late-again | boolean first = true; | aChangeThatLosesLateTwiceIsComputedFromWhatIsThere
					hint-overtakes | if (false) { | aHintThatOvertakesTheAnswerToItsRequestIsNotLost
					hint-to-refused | if (result instanceof AcquireResult.Granted) { | aHintToARequestThatWasRefusedCostsNoRead
					caller-begins | boolean deferred = false; | aReleaseAndTheNextRequestOfItsProcessAreOneChange
					lane-error | catch (StackOverflowError ex) { | anErrorOfThePlaceLeavesTheLockUsable
					error-uncertain | this.memory.forget(); | aTakeThatArrivesAfterAnErrorAndTheEndOfItsRequestLoses
					late-caller | boolean late = false; | aCallerExecutesNothingAfterALateAnswer
					liveness | else if (!queued.request().equals(command.request())) { | aWaiterThatKeepsAskingKeepsItsPlace
					""")
	void mistakeIsNoticedByTheTestOfItsRule(String mutant, String replacement, String test) {
		assertThat(failures(mutant, replacement, "io.distlock.records.RecordRulesTests", test)).isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			older-record | boolean newer = false; | processThatIsGrantedTheLockWritesWithoutReadingBefore
			older-record | boolean newer = this.known.isPresent(); | recordThatComesLateDoesNotReplaceANewerOne
			unreadable-message | boolean remembered = false; | recordInAMessageThatCannotBeReadOnlyCostsARead
			sent-begins | boolean expected = false; | releaseThatIsOnlySentGoesWithTheRequestThatFollowed
			sent-awaited | boolean alone = true; | releaseOfALockThatOthersWaitForIsSentAtOnce
			""")
	void mistakeThatCostsWritesIsNoticed(String mutant, String replacement, String test) {
		assertThat(failures(mutant, replacement, "io.distlock.records.HandOverWritesTests", test)).isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					minimum-of-the-dead | boolean open = this.end == OPEN ? true : moment.gone().test(this.life); | aMinimumHoldOutlivesItsProcess
					pushed-unknown | this.holds.size(); | aGrantThatNobodyConfirmsEndsWithItsLease
					look-unplanned | this.holds.size(); | aHoldEndsWithItsLeaseAfterAnErrorKeptAnEarlierOneFromBeingWatched
					lane-unscheduled | this.lanes.size(); | aLockIsUsableAfterAnErrorKeptItsNextCommandFromBeingScheduled
					""")
	void mistakeThatEndsHoldsTooEarlyOrNeverIsNoticed(String mutant, String replacement, String test) {
		assertThat(failures(mutant, replacement, "io.distlock.records.SessionHoldsTests", test)).isNotEmpty();
	}

	@Test
	void whatTakesTheTurnOfAnotherIsNoticed() {
		assertThat(failures("other-turn", "boolean own = true;", "io.distlock.records.LaneQueueTests",
				"requestThatHasComeIsNotAwaitedAnyMore"))
			.isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			busy-forgotten | this.ended.contains(key, command.request()); | RecordLockStoreTests
			token-before-write | state.numberTokens(64); | SessionRecordLockStoreTests
			""")
	void mistakeIsNoticedByTheContract(String mutant, String replacement, String test) {
		assertThat(failures(mutant, replacement, "io.distlock.test.records." + test, "")).isNotEmpty();
	}

	/** What sends messages before it writes deceives those who wait. */
	@Test
	void messagesOfWritesThatLostAreNoticedByTheContractOfPlaces() {
		SourceMutant mutant = new SourceMutant(List.of(Path.of("src", "main", "java")), "messages-of-losers",
				"change.messages().forEach((message) -> send(message, new Stored(1, change.text(), false, 1, 1)));");
		assertThat(
				mutant.failures("io.distlock.test.records.MemoryLockRecordsTests", "writeWhenMessagesThenSentByWinner"))
			.isNotEmpty();
	}

	/** Or else what is noticed might be noticed without a mistake. */
	@Test
	void noMistakeIsNotNoticed() {
		assertThat(failures("guard", "this.holds.removeOver(moment, this.guardMillis);",
				"io.distlock.records.RecordRulesTests", ""))
			.isEmpty();
	}

	private static List<String> failures(String mutant, String replacement, String test, String method) {
		return new SourceMutant(List.of(SOURCES), mutant, replacement).failures(test, method);
	}

}
