package io.distlock.internal;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Do the model and the tests of the engine's parts notice a broken engine? Each of these
 * is broken in one place, and must be caught.
 */
// Bounded by its steps, as the machine may be slow.
@Timeout(value = 1, unit = TimeUnit.HOURS)
class EngineMutantsTests {

	private static final Logger ENGINE = (Logger) LoggerFactory.getLogger("io.distlock");

	@BeforeAll
	static void quiet() {
		ENGINE.setLevel(Level.OFF);
	}

	@AfterAll
	static void loud() {
		ENGINE.setLevel(null);
	}

	/** Caught by the model: mutant, what is put there, plan, rule. */
	static Stream<Broken> caughtByTheModel() {
		return Stream.of(
				// Belief
				new Broken("deadline", "return sentAt + nanos;", "one caller", "Belief ends before the lease"),
				new Broken("held", "return remaining() > 0;", "one caller", "What was released is not held"),
				// Queue
				new Broken("queue-order", "this.others.addFirst(waiter);", "three callers", "First come, first served"),
				new Broken("dropped-join", "if (false) {", "twice", "A dropped entry lets nobody in"),
				new Broken("cancel-ended", "if (false) {", "one caller", "One outcome"),
				new Broken("time-is-over", "boolean decided = true;", "one impatient caller",
						"A refused waiter saw the lock taken"),
				new Broken("overdue", "boolean over = true;", "two processes",
						"Without faults everybody gets the lock"),
				new Broken("wake", "monitor.getClass();", "two short asyncs",
						"A waiter is notified of its outcome once"),
				// Requests
				new Broken("withdraw-unwanted", "boolean unwanted = false;", "one short caller", ""),
				new Broken("old-answer", "if (this.current == null) {", "thread and async", ""),
				new Broken("request-number", "return new RequestId(this.instance, slot, 1);", "twice",
						"A finished request is not repeated"),
				// Readers
				new Broken("reader-first", "while (first != null && admit(first)) {", "reader and short writer",
						"Tokens increase"),
				new Broken("group-left", "boolean last = this.readers == null || this.readers.leave(hold) || true;",
						"two readers", ""),
				new Broken("hand-off-kind", "boolean sameKind = !next.shared();", "reader and short writer",
						"Who believes is the owner in the store"),
				new Broken("last-reader", "boolean last = true;", "two readers", ""),
				new Broken("reader-leaves", "reader.getClass();", "two readers", ""),
				new Broken("writer-behind-readers", "boolean writer = false;", "reader and writer here, reader there",
						"A writer behind readers of its process is known to the store"),
				new Broken("other-participant", "boolean taken = readers != null;",
						"writer behind a reader, reads on, writer", "One request at a time"),
				new Broken("only-reads", "boolean reads = hold.sharing() instanceof Sharing.Exclusive;",
						"writer that reads on", "Who believes is the owner in the store"),
				// Permits
				new Broken("serve-at-settle", "this.serving = true;", "fewer and more permits", ""),
				new Broken("permit-known", "boolean known = true;", "one permit, one impatient",
						"A refused waiter saw the lock taken"),
				new Broken("permit-failure", "boolean failed = false;", "one permit, one impatient",
						"A refused waiter saw the lock taken"),
				new Broken("seat-vacated", "this.seats.size();", "one permit for two", ""),
				new Broken("seat", "this.seats.size();", "two permits for three", ""),
				new Broken("slot-vacant", "this.engine.now();", "one permit for two", ""),
				// Minimum hold
				new Broken("minimum-renewal", "hold.lease().stop();", "kept here, wanted there",
						"A minimum hold is kept"),
				new Broken("minimum-ends", "return true;", "kept for longer than the lease", "A minimum hold is kept"),
				new Broken("minimum-tick", "this.engine.now();", "kept, then another", ""),
				// Extensions
				new Broken("extend-term", "boolean shorter = false;", "one extends",
						"An extended hold lasts in the store"),
				new Broken("extend-released", "if (false) {", "async extends before another", ""),
				// Releases by force
				new Broken("force-confirm", "this.engine.now();", "forced: one caller",
						"Who hears of a release by force asks the store"),
				new Broken("force-overtakes", "this.current.isRevoked();", "forced: two callers",
						"Who hears of a release by force asks the store"),
				new Broken("confirm-again", "boolean older = false;", "forced: one caller",
						"Who hears of a release by force asks the store"),
				new Broken("force-minimum", "if (false) {", "forced: kept for longer",
						"Who hears of a release by force asks the store"),
				new Broken("force-reason", "LossReason known = why;", "forced: one caller",
						"A loss has its own reason"),
				// Releases
				new Broken("finish-again", "boolean due = false;", "one caller", ""),
				new Broken("finish-once", "boolean first = remove(finish) || true;", "one caller",
						"A release ends once"),
				// Tokens
				new Broken("token-twice", "return this.tokens.fencingToken() + this.tokensTaken;", "three callers",
						"Tokens increase"),
				new Broken("token-left", "boolean token = true;", "three callers, two tokens",
						"Tokens are reserved before use"));
	}

	/** Caught by a test of its part: mutant, what is put there, test. */
	static Stream<Broken> caughtByATest() {
		return Stream.of(
				new Broken("contended-hand-offs", "boolean few = true;", "HandOffsTests",
						"mayHandOffWhenContendedThenSoManyTimesFromThenOn"),
				new Broken("contended-tokens", "boolean used = this.budget == null;", "HandOffsTests",
						"nextTokensWhenContendedAndTheFirstOnesAreGoneThenMore"),
				new Broken("tokens-ahead", "return wanted;", "HandOffsTests",
						"nextTokensWhenContendedThenNoMoreThanMicrosecondsHavePassed"),
				new Broken("contended-time", "return few;", "HandOffsTests",
						"mayHandOffWhenContendedThenForFiveMilliseconds"),
				new Broken("unseen-time", "return true;", "HandOffsTests", "mayHandOffWhenUnseenForASecondThenNot"),
				new Broken("reserve", "return 0;", "HandOffsTests", "reserveWhenHalfIsGoneThenMoreTokensOnce"),
				new Broken("unconfirmed", "", "HandedOverTests", "lostWhenTheGrantIsNotConfirmedThenSaysSo"),
				new Broken("callbacks-grow", "if (false) {", "CallbackThreadsTests",
						"executeWhenAllWaitForOneThatHasNoThreadThenThereIsOneMore"),
				new Broken("callbacks-stuck", "int stuck = this.pool.getMaximumPoolSize();", "CallbackThreadsTests",
						"executeWhenManyMoreThanUsualAreStuckThenTheNextOneWaitsNoLongerThanTheFirst"),
				new Broken("asked-budget", "", "HandOffsTests", "spendThenNobodyJoinsWhileOthersWait"),
				new Broken("share-budget", "return true;", "HandOffsTests", "mayShareThenWithinTheSameBounds"),
				new Broken("uncontended", "boolean still = false;", "HandOffsTests",
						"uncontendedWhenSomebodyCameSinceThenStillContended"),
				new Broken("reader-cap", "long until = this.lease.deadline();", "ReaderHoldTests",
						"deadlineThenUntilItsOwnLeaseTimeEnds"),
				new Broken("reader-gone", "boolean gone = false;", "ReaderHoldTests",
						"deadlineWhenTheOwnerIsGoneThenNoLonger"),
				new Broken("entered", "return this.handles > 0;", "HoldTests", "enteredThenToldApart"),
				new Broken("probe-answered", "boolean inTime = true;", "WaiterProbeTests",
						"answeredWhenTheAnswerIsOlderThenStillPending"),
				new Broken("probe-covers", "return this.covered != null;", "WaiterProbeTests",
						"answeredThenCoversTheOneItWasFor"),
				new Broken("probe-at-once", "this.knownAt = now;", "WaiterProbeTests",
						"nextWhenNothingIsKnownThenAtOnce"),
				new Broken("same-steps", "long step = delay / 40;", "LeaseRenewalTests",
						"confirmedWhenAnswersTookDifferentTimesThenRenewedTogether"),
				new Broken("in-step", "return moment;", "LeaseRenewalTests", "nextSendThenAtAThirdInSteps"),
				new Broken("fixed-outlasts", "boolean outlasts = false;", "LeaseRenewalTests",
						"lengthenWhenFixedOutlastsWhatIsLeftThenAskedForAtOnceAndStaysFixed"),
				new Broken("extend-longer", "boolean longer = wanted.nanos() > term().nanos();", "LeaseRenewalTests",
						"extendWhenRenewedThenAtOnceAndNeverWithAShorterLease"),
				new Broken("extend-timeout", "next = latest;", "ExtensionsTests",
						"dueByThenWhenTheTimeOfTheFirstIsOver"),
				new Broken("refused-term", "this.accepted.term();", "LeaseRenewalTests", "refusedThenAsBefore"),
				new Broken("confirm-fixed", "rest.isZero();", "LeaseRenewalTests",
						"confirmWhenFixedThenOnceAndItsEndStays"),
				new Broken("send-due", "return now - this.nextSend >= 0;", "AcquireRequestTests",
						"sentThenGivenUpAfterTheTimeoutAndNotRepeatedBefore"),
				new Broken("shared-retries", "boolean early = false;", "StoreOutageCommandsTests",
						"callsOfAStoreThatIsAwayThenEachSendsOneCommandAndAllShareTheRepetitions"),
				new Broken("release-gives-up", "boolean over = false;", "SilentStoreTests",
						"aStageWaitsForItsReleaseNoLongerThanAThread"),
				new Broken("permit-line", "cause.getClass();", "SilentStoreTests", "waitersOfAllPermitsFailTogether"),
				new Broken("probe-unanswered", "unanswered.getClass();", "SilentStoreTests",
						"readersThatWaitForNewsOfWaitersFailTogether"),
				new Broken("superseded-participant", "boolean ended = true;", "FinisherTests",
						"supersedeThenOnlyWhatIsOfTheSameParticipant"),
				new Broken("replaced-participant", "boolean same = true;", "FinisherTests",
						"replacedByWhenOfAnotherParticipantThenNot"),
				new Broken("longer-than-asked", "return grant.remainingMillis();", "AcquireRequestTests",
						"certainMillisWhenTheStoresClockWasSetBackThenNoMoreThanWasRequested"),
				new Broken("pushed-once", "boolean again = false;", "AcquireRequestTests",
						"validUntilWhenItIsTheSecondMessageThenNotAtAll"),
				new Broken("pushed-ahead", "if (false) {", "AcquireRequestTests",
						"validUntilWhenTheMessageIsFromTheFutureThenNotAtAll"),
				new Broken("enclosed-actions", "boolean inside = false;", "MonitorTests",
						"runWhenEnclosedThenActionsRunOutsideBoth"),
				new Broken("conclusive", "boolean proof = true;", "FinisherTests",
						"confirmedAfterAFailureOrANewerRequestThenProvesNothing"),
				new Broken("caller-thread", "boolean elsewhere = false;", "CallerTasksTests",
						"offerOnAnotherThreadThenRefused"),
				new Broken("caller-waits", "boolean taken = this.next != null;", "CallerTasksTests",
						"offerWhenTheCallerWaitsThenRefused"),
				new Broken("caller-interrupted", "boolean interrupted = false;", "CallerTasksTests",
						"offerWhenInterruptedThenRefusedAndStillInterrupted"),
				new Broken("caller-defers", "task.run();", "CallerTasksTests",
						"offerThenNothingRunsBeforeTheCallerRunsIt"),
				new Broken("caller-impatient", "return Long.MAX_VALUE;", "WaitQueueTests",
						"patienceThenWhatIsLeftOfTheWaitingTimeOrUntilTheAnswer"),
				new Broken("caller-task-fails", "task.run();", "CallerTasksTests",
						"runWhenATaskFailsThenTheNextRunsAndTheCallerLearnsItsOutcome"),
				new Broken("held-abandons", "", "FailingThreadTests", "acquireWhenItFailsThenNothingIsLeft"),
				new Broken("release-abandons", "", "FailingThreadTests", "closeWhenItFailsThenItEndsWithItsLease"),
				new Broken("forget-abandons", "", "FailingThreadTests",
						"closeWhenItFailsToForgetItsCallbackThenItEndsWithItsLease"),
				new Broken("drop-dead", "while (any) {", "FailingThreadTests",
						"acquireWhenItFailsBehindOthersThenTheyGetTheLock"),
				new Broken("orphan-ungranted", "boolean granted = true;", "ReaderHoldTests",
						"deadlineWhenItsTakerNeverGotItThenNoLonger"),
				new Broken("release-observed", "release.progress();", "ReleasingThreadTests",
						"closeThenTheCommandIsExecutedBeforeTheObserverIsNotified"),
				new Broken("lost-later", "safely(() -> this.observer.lost(loss));", "BlockingObserverTests",
						"lostThenTheHousekeeperRenewsOtherLocksFirst"),
				new Broken("line-outside", "logger.warn(\"{}\", loss.getMessage());", "BlockingObserverTests",
						"lostWhileTheLineIsLoggedThenOthersUseTheLock"),
				new Broken("outage-outside", "line.run();", "BlockingObserverTests",
						"storeFailsWhileTheLineIsLoggedThenOthersUseTheLock"),
				new Broken("unreported", "", "BlockingObserverTests", "shutDownThenWhatWasFoundIsReportedFirst"),
				new Broken("waits-later", "report.run();", "BlockingObserverTests",
						"waitsWhenAnAnswerSaysSoThenNotOnTheThreadThatBringsIt"),
				new Broken("callbacks-behind", "boolean behind = false;", "BlockingObserverTests",
						"waitsWhenObserversDoNotKeepUpThenSomeAreDropped"),
				new Broken("waits-after-commands", "due.run();", "BlockingObserverTests",
						"waitsThenTheCallerExecutesItsCommandFirst"),
				new Broken("several-cancelled", "boolean over = false;", "AsyncAcquisitionTests",
						"cancelWhileTheNextStepBeginsThenItIsStopped"),
				new Broken("other-lease", "boolean other = false;", "RenewerTests",
						"answeredWhenItIsAboutAnEarlierLeaseThenTheNextOneStays"),
				new Broken("claim-outlasts", "", "RenewerTests",
						"pushedWhenAWaiterWithAShortLeaseGetsItThenNoLongerThanThatLease"),
				new Broken("shorter-term", "deadline();", "LeaseRenewalTests",
						"renewalThenValidNoLongerThanTheTermThatItAsksFor"),
				new Broken("first-renewal", "long granted = term.nanos();", "RenewerTests",
						"grantedWhenForLessThanTheLeaseThenRenewedAtAThirdOfThat"),
				new Broken("certain-part", "this.grantedLess = false;", "RenewerTests",
						"extendedAfterAnUnansweredExtensionThenItLastsForAsLongAsTheStoreSaid"),
				new Broken("in-parts", "this.inParts = false;", "RenewerTests",
						"grantedWhenForLessThanAFixedLeaseThenAskedForTheRestUntilItsEnd"),
				new Broken("rest", "long rest = term().nanos();", "RenewerTests",
						"grantedWhenForLessThanAFixedLeaseThenAskedForTheRestUntilItsEnd"),
				new Broken("lasting", "long until = now;", "RenewerTests",
						"extendedWithinTheEndOfALeaseInPartsThenNothingIsAskedFor"),
				new Broken("parts-of-orphan", "boolean goesOn = false;", "RenewerTests",
						"grantedInPartsWhenItsThreadHasEndedThenAskedForAllTheSame"),
				new Broken("held", "return this.state != State.RELEASED && remaining() > 0;", "HoldTests",
						"isHeldWhenTakenBeforeItsTimeThenNotAndNeverAgain"));
	}

	@ParameterizedTest
	@MethodSource("caughtByTheModel")
	void exhaustWhenBrokenThenCaught(Broken broken) {
		BrokenEngine engine = BrokenEngine.with(broken.mutant(), broken.replacement());
		Throwable caught = catchThrowable(() -> engine.run("ModelRun", "exhaust", broken.by()));
		assertThat(caught).isInstanceOf(AssertionError.class).hasMessageContaining(broken.how());
	}

	/** Caught by the model of callers with several keys: mutant, what is put there. */
	static Stream<Broken> caughtByTheModelOfSeveralKeys() {
		return Stream.of(
				new Broken("several-order", "int position = this.parts.size() - 1 - this.taken.size();",
						"two with the same keys", "A caller waits only for keys after those that it holds"),
				new Broken("several-given-back", "List<HoldHandle> all = List.of();",
						"two that overlap and do not wait", "A lock without an owner is renewed"));
	}

	@ParameterizedTest
	@MethodSource("caughtByTheModelOfSeveralKeys")
	void walkWhenBrokenThenCaught(Broken broken) {
		BrokenEngine engine = BrokenEngine.with(broken.mutant(), broken.replacement());
		Throwable caught = catchThrowable(() -> engine.run("SeveralKeysModel", "run", broken.by()));
		assertThat(caught).isInstanceOf(AssertionError.class).hasMessageContaining(broken.how());
	}

	@ParameterizedTest
	@MethodSource("caughtByATest")
	void testWhenBrokenThenFails(Broken broken) throws Throwable {
		BrokenEngine engine = BrokenEngine.with(broken.mutant(), broken.replacement());
		assertThat(catchThrowable(() -> engine.run(broken.by(), broken.how()))).isInstanceOf(AssertionError.class);
	}

	/** A test that fails here in any case would seem to notice any mistake. */
	@Test
	void testWhenNothingIsBrokenThenPasses() {
		BrokenEngine same = unbroken();
		assertThat(caughtByATest())
			.allSatisfy((test) -> assertThatCode(() -> same.run(test.by(), test.how())).doesNotThrowAnyException());
	}

	private static BrokenEngine unbroken() {
		return BrokenEngine.with("queue-order", "this.others.addLast(waiter);");
	}

	@Test
	void exhaustWhenNothingIsBrokenThenNotCaught() {
		BrokenEngine same = unbroken();
		assertThatCode(() -> same.run("ModelRun", "exhaust", "two processes")).doesNotThrowAnyException();
	}

	@Test
	void withWhenNoLineIsMarkedThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> BrokenEngine.with("no-such-mutant", ""));
	}

	/** The others are those of the simulation, in the tests of lock-redis. */
	@Test
	void everyMarkedLineHasAMutant() {
		Set<String> tried = Stream.of(caughtByTheModel(), caughtByTheModelOfSeveralKeys(), caughtByATest())
			.flatMap(Function.identity())
			.map(Broken::mutant)
			.collect(Collectors.toSet());
		Set<String> simulated = Set.of("pushed-deadline", "deadline-from-answer", "other-request", "withdraw-finish",
				"readers-follow", "one-seat", "minimum-over", "enqueue");
		assertThat(BrokenEngine.mutants()).allMatch((mutant) -> tried.contains(mutant) || simulated.contains(mutant));
	}

	/**
	 * An engine with a fault.
	 *
	 * @param mutant the name at the line that has it
	 * @param replacement what is put there
	 * @param by the plan or the class of the test
	 * @param how a part of the message or the method of the test
	 */
	record Broken(String mutant, String replacement, String by, String how) {

		@Override
		public String toString() {
			return this.mutant + ": " + this.replacement;
		}

	}

}
