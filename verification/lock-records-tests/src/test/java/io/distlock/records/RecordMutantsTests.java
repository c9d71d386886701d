package io.distlock.records;

import java.nio.file.Path;
import java.util.List;

import io.distlock.output.Mutants;
import io.distlock.output.SourceMutant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mistakes in the store on records and in its state machine, each of which a test
 * notices. What places must not do is broken in {@link RecordSimulationTests}.
 */
@Mutants
class RecordMutantsTests {

	private static final Path SOURCES = Path.of("..", "..", "lock-records", "src", "main", "java");

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					grace | LockState | removeOver(time, this.graceMillis) | removeOver(time, 0) | othersGetTheLockAGraceAfterTheEndOfItsLease
					grace-of-others | LockState | this.graceMillis = Math.max(this.graceMillis, millis); | '' | theLongerGraceCountsWhereProcessesDiffer
					take-floor | CompareAndSetAttempt | state.raiseToken(this.memory.takeFloor()); | '' | aTakeThatArrivesAfterItsRequestHasEndedLoses
					uncertain | CompareAndSetAttempt | this.memory.setUncertain(true); | '' | aTakeOfWhichNobodyAsksAgainIsMadeSureOfAndForgotten
					renewed-too-late | LockState | this.notAfter = Math.min(this.notAfter, hold.end() - 1); | '' | aRenewalThatArrivesAfterTheEndOfItsHoldIsRefused
					memory-answers | CompareAndSetAttempt | !changed && unread | false | aHoldIsNotCalledLostFromMemory
					later-hold | RecordLockStore | && now.holds().firstToken(key, hold.request(), hold.fencingToken()) <= fencingToken | '' | aRecordHasAHoldOfThisProcessOnlyWithItsToken
					renewed-tokens | GrantedHere | Math.min(own.firstToken(), recorded) | recorded | aRecordHasAHoldWhoseRenewalReservedTokens
					message-overtakes | RecordLockStore | command.queue() ? | false ? | aMessageThatOvertakesTheAnswerToItsRequestIsNotLost
					message-to-refused | RecordLockStore | !(result instanceof AcquireResult.Queued) | result instanceof AcquireResult.Granted | aMessageToARequestThatWasRefusedCostsNoRead
					caller-begins | RecordPipeline | release && first.caller().offer(this::run) | false | aReleaseAndTheNextRequestOfItsProcessAreOneChange
					error-uncertain | CompareAndSetAttempt | this.memory.setUncertain(true); return this.context.records().write(change, caller()).handle((written, failure) -> { | return this.context.records().write(change, caller()).handle((written, failure) -> { this.memory.setUncertain(failure != null); | aTakeThatArrivesAfterAnErrorAndTheEndOfItsRequestLoses
					late-caller | CompareAndSetAttempt | this.context.nanoTime() - this.begun > this.context.promptNanos() | false | aCallerExecutesNothingAfterALateAnswer
					liveness | LockState | '|| queued.aliveUntil() - time.now() < this.rules.refreshMillis()' | '' | aWaiterThatKeepsAskingKeepsItsPlace
					""")
	void mistakeIsNoticedByTheTestOfItsRule(String mutant, String type, String original, String mistake, String test) {
		assertThat(failures(type, original, mistake, "io.distlock.records.RecordRulesTests", test)).isNotEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					sent-begins | RecordPipeline | this.queue.awaitsRequest() | false | releaseThatIsOnlySentGoesWithTheRequestThatFollowed
					sent-awaited | CommandQueue | && !this.memory.isAwaited() | '' | releaseOfALockThatOthersWaitForIsSentAtOnce
					""")
	void mistakeThatCostsWritesIsNoticed(String mutant, String type, String original, String mistake, String test) {
		assertThat(failures(type, original, mistake, "io.distlock.records.HandOverWritesTests", test)).isNotEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					minimum-of-the-dead | StateHold | (this.end == OPEN) ? | '(this.end == OPEN || time.gone().test(this.incarnation)) ?' | aMinimumHoldOutlivesItsProcess
					pushed-unknown | GrantedHere | if (endsHolds()) { granted(new Id(key, request), grant); } | '' | aGrantThatNobodyConfirmsEndsWithItsLease
					look-unplanned | GrantedHere | this.next.compareAndSet(sooner, null); | '' | aHoldEndsWithItsLeaseAfterAnErrorKeptAnEarlierOneFromBeingWatched
					pipeline-unscheduled | RecordPipeline | catch (Throwable ex) { run(); } | catch (Throwable ex) { } | aLockIsUsableAfterAnErrorKeptItsNextCommandFromBeingScheduled
					""")
	void mistakeThatEndsHoldsTooEarlyOrNeverIsNoticed(String mutant, String type, String original, String mistake,
			String test) {
		assertThat(failures(type, original, mistake, "io.distlock.records.SessionHoldsTests", test)).isNotEmpty();
	}

	/** Each way to lose a turn, or to have two. */
	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					lost-for-ever | CommandQueue | known != null && known.until - now > 0 | known != null | LostTurnTests | ''
					reserved-for-ever | CommandQueue | this.reservedUntil - now <= 0 | false | LostTurnTests | ''
					reserved-after-all | CommandQueue | this.reservedFor = null; this.abandoned = List.of(); | this.abandoned = List.of(); | CommandQueueTests | aCommandThatAnotherThreadHasExecutedReservesNothing
					not-going-on | CommandQueue | CommandQueue.this.followers.runLater(); | '' | CommandQueueTests | theTurnBelongsToTheFirstCommandUntilNothingIsLeft
					going-on-below | CommandQueue | awaited.isCompletedExceptionally(), false | awaited.isCompletedExceptionally(), true | CommandQueueTests | theTurnBelongsToTheFirstCommandUntilNothingIsLeft
					not-resting | CommandQueue | CommandQueue.this.followers.rest(); | '' | CommandQueueTests | theTurnBelongsToTheFirstCommandUntilNothingIsLeft
					error-ends-it | RecordPipeline | catch (Throwable ex) { runAfterError(); throw ex; } } /** Executes what | catch (Throwable ex) { throw ex; } } /** Executes what | LostTurnTests | ''
					kept-for-ever | CommandQueue | return now + longest + this.patienceNanos; | return Long.MAX_VALUE; | LostTurnTests | ''
					abandoned-unanswered | RecordPipeline | turn.abandoned().forEach((command) -> command.fail(CompareAndSetAttempt.tooLate(this.key))); | '' | LostTurnTests | ''
					abandoned-unknown | CommandQueue | this.abandoned = executed ? List.of() : turn.commands; | '' | CommandQueueTests | aTurnThatEndsBeforeItsChangeIsFollowedByOneThatReliesOnNothing
					unattached-kept | CommandQueue | catch (Throwable ex) { end(false, false); throw ex; } | catch (Throwable ex) { throw ex; } | LostTurnTests | ''
					failed-unanswered | RecordPipeline | turn.commands().forEach((command) -> command.fail(ex)); | '' | LostTurnTests | ''
					retry-unanswered | CompareAndSetAttempt | later.completeExceptionally(ex); | '' | LostTurnTests | ''
					lost-write | LastKnownRecord | next.uncertain = this.uncertain; | '' | LostTurnTests | aWriteOfAFailedTurnLosesIfItArrivesAfterALook
					begun-by-two | CommandQueue | isTaken(now)) { return new Turn( | false) { return new Turn( | CommandQueueTests | aTurnIsGivenToOne
					closed-by-another | CommandQueue | if (this.present != turn) { return false; } | '' | CommandQueueTests | aTurnThatIsClosedTwiceEndsOnce
					ended-early | CommandQueue | awaited.isDone()) { | true) { | CommandQueueTests | aTurnLastsUntilItsChangeIsOver
					request-ignored | CommandQueue | if (expected) { this.reservedFor = null; } | '' | CommandQueueTests | aRequestThatFollowsTakesTheTurnOfTheReleaseAtOnce
					""")
	void mistakeWithTurnsIsNoticed(String mutant, String type, String original, String mistake, String tests,
			String test) {
		assertThat(failures(type, original, mistake, "io.distlock.records." + tests, test)).isNotEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', textBlock = """
			kept-locks | RecordPipelines | this.sweep.plan(); | ''
			kept-holds | GrantedHere | this.sweep.plan(); | ''
			kept-forced | RecordLockStore | ifPresent((now) -> now.over(key, request)) | isPresent()
			swept-uncertain | LastKnownRecord | !this.used && !this.uncertain | !this.used && this.uncertain
			""")
	void whatIsKeptForEverIsNoticed(String mutant, String type, String original, String mistake) {
		assertThat(failures(type, original, mistake, "io.distlock.records.NothingKeptTests", "")).isNotEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					steady | PollPace | Math.min(still / PART, LONGEST_MILLIS) | 0 | PollPaceTests | aCandidateCostsTwoCallsASecond
					unmoved | PollPace | if (now != this.place.number()) { | if (this.place.number() == 0) { | PollPaceTests | aLineThatMovesAfterALongTimeIsServedOneAfterTheOther
					insisting | PollPace | ++this.executions <= MOST_WRITES | true | LargeFleetTests | noCommandFailsBecauseOfOthers
					""")
	void mistakeThatCostsTooManyCallsIsNoticed(String mutant, String type, String original, String mistake, String test,
			String method) {
		assertThat(failures(type, original, mistake, "io.distlock.records." + test, method)).isNotEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					busy-forgotten | RecordLockStore | this.ended.put(key, command.request(), FinishResult.UNKNOWN); | '' | RecordLockStoreTests
					keys-kept | RecordPipelines | pipeline.isForgettable() ? null : pipeline | pipeline | KeysUsedOnceTests
					nobody-goes-on | CommandQueue | CommandQueue.this.followers.runLater(); | '' | RandomCallersTests$Sessions
					token-before-write | CompareAndSetAttempt | state.numberTokens(done.tokenFloor()); | state.numberTokens(64); | SessionRecordLockStoreTests
					""")
	void mistakeIsNoticedByTheContract(String mutant, String type, String original, String mistake, String test) {
		assertThat(failures(type, original, mistake, "io.distlock.test.records." + test, "")).isNotEmpty();
	}

	/** What sends messages before it writes deceives those who wait. */
	@Test
	void messagesOfWritesThatLostAreNoticedByTheContractOfPlaces() {
		SourceMutant mutant = new SourceMutant(List.of(Path.of("src", "test", "java")), "MemoryPlace", "this.lost++;",
				"change.messages().forEach(this::send);");
		assertThat(
				mutant.failures("io.distlock.test.records.MemoryLockRecordsTests", "writeWhenMessagesThenSentByWinner"))
			.isNotEmpty();
	}

	/** Or else what is noticed might be noticed without a mistake. */
	@Test
	void noMistakeIsNotNoticed() {
		assertThat(failures("LockState", "removeOver(time, this.graceMillis)", "removeOver(time, this.graceMillis)",
				"io.distlock.records.RecordRulesTests", ""))
			.isEmpty();
	}

	private static List<String> failures(String type, String original, String mistake, String test, String method) {
		return new SourceMutant(List.of(SOURCES), type, original, mistake).failures(test, method);
	}

}
