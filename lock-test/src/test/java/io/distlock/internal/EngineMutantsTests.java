package io.distlock.internal;

import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.distlock.output.Mutants;
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
@Mutants
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

	/** Caught by the model: mutant, class, code, what is put there, plan, rule. */
	static Stream<Broken> caughtByTheModel() {
		return Stream.of(
				// Belief
				new Broken("deadline", "LocalDeadline", "sentAt + nanos - ClockDrift.of(nanos) - MARGIN_NANOS",
						"sentAt + nanos", "one caller", "Belief ends before the lease"),
				new Broken("held", "Hold", "this.state == State.HELD && remaining() > 0", "remaining() > 0",
						"one caller", "What was released is not held"),
				// Queue
				new Broken("queue-order", "WaitQueue", "this.others.add(waiter);",
						"Set<Waiter> behind = this.others; this.others = new LinkedHashSet<>(List.of(waiter)); this.others.addAll(behind);",
						"three callers", "First come, first served"),
				new Broken("dropped-join", "LockEntry",
						"if (this.retired) { return false; } if (this.waiters.join(waiter))",
						"if (this.waiters.join(waiter))", "twice", "A dropped entry lets nobody in"),
				new Broken("cancel-ended", "LockEntry", "if (waiter.ended()) {", "if (false) {", "one caller",
						"One outcome"),
				new Broken("time-is-over", "Waiters",
						"this.holds.isFree() ? !this.acquirer.answerOwed() : !this.holds.answerOwed()", "true",
						"one impatient caller", "A refused waiter saw the lock taken"),
				new Broken("overdue", "WaitQueue", "boolean over = waiter.remaining(now) <= 0;", "boolean over = true;",
						"two processes", "Without faults everybody gets the lock"),
				new Broken("wake", "Waiter", "monitor.afterwards(this::wake);", "", "two short asyncs",
						"A waiter is notified of its outcome once"),
				// Requests
				new Broken("withdraw-unwanted", "Contender",
						"this.queue.isEmpty() || !this.acquirer.isFor(this.queue.first())",
						"!this.acquirer.isFor(this.queue.first())", "one short caller", ""),
				new Broken("old-answer", "Acquirer", "if (asked != this.current) {", "if (this.current == null) {",
						"thread and async", ""),
				new Broken("request-number", "EngineContext",
						"new RequestId(this.instance, slot, this.requests.incrementAndGet())",
						"new RequestId(this.instance, slot, 1)", "twice", "A finished request is not repeated"),
				// Readers
				new Broken("reader-first", "Waiters", "first.shared() && admit(first)", "admit(first)",
						"reader and short writer", "Tokens increase"),
				new Broken("group-left", "LocalHolds", "this.owners.leave(hold); if (!last) {",
						"this.owners.leave(hold) || true; if (!last) {", "two readers", ""),
				new Broken("hand-off-kind", "LocalHolds", "!next.shared() && next.sharing().equals(hold.sharing())",
						"!next.shared()", "reader and short writer", "Who believes is the owner in the store"),
				new Broken("last-reader", "Readers", "this.holds.size() == 1 && this.holds.contains(reader)", "true",
						"two readers", ""),
				new Broken("reader-leaves", "Readers", "this.holds.remove(reader);", "", "two readers", ""),
				new Broken("writer-behind-readers", "Contender",
						"return this.holds.isRead() && !first.shared() && first.patient()", "return false",
						"reader and writer here, reader there",
						"A writer behind readers of its process is known to the store"),
				new Broken("reads-on", "Hold", "return --this.handles == 0;",
						"return --this.handles <= this.sharedHandles;", "writer that reads on", ""),
				// Permits
				new Broken("serve-at-settle", "Semaphore", "serve(); if (!this.retired",
						"this.serving = true; if (!this.retired", "fewer and more permits", ""),
				new Broken("permit-known", "Semaphore", "boolean known = overdue.getValue().isEmpty();",
						"boolean known = true;", "one permit, one impatient", "A refused waiter saw the lock taken"),
				new Broken("permit-failure", "Semaphore", "concerned && failure != null", "false && failure != null",
						"one permit, one impatient", "A refused waiter saw the lock taken"),
				new Broken("seat-vacated", "Semaphore", "vacate(number); serve();", "serve();", "one permit for two",
						""),
				new Broken("seat", "Semaphore", "this.seats.put(number, waiter);", "", "two permits for three", ""),
				new Broken("slot-vacant", "Waiters", "announce(SlotNews.VACANT);", "", "one permit for two", ""),
				// Minimum hold
				new Broken("minimum-over", "Hold", "return this.givenBack ? this.acquiredAt : this.minimum;",
						"return this.acquiredAt;", "kept here, wanted there", "A minimum hold is kept"),
				new Broken("minimum-overtaken", "Contender", "|| this.finisher.isKeeping()", "", "kept, then another",
						"A minimum hold is kept"),
				// Extensions
				new Broken("extend-term", "Extension", "&& requested.compareTo(term().duration()) >= 0", "",
						"one extends", "An extended hold lasts in the store"),
				new Broken("extend-released", "LeaseKeeper",
						"left != LocalHolds.Left.ENTERED && this.holds.isExtending(hold)", "false",
						"async extends before another", ""),
				// Releases by force
				new Broken("force-confirm", "LockEntry", "this.renewer.confirm(); this.acquirer.revoked();",
						"this.acquirer.revoked();", "forced: one caller",
						"Who hears of a release by force asks the store"),
				new Broken("force-overtakes", "Acquirer", "this.current.markRevoked();", "", "forced: two callers",
						"Who hears of a release by force asks the store"),
				new Broken("force-reason", "Renewer", "gone.forced() ? LossReason.FORCED : LossReason.TAKEN",
						"LossReason.TAKEN", "forced: one caller", "A loss has its own reason"),
				// Releases
				new Broken("finish-again", "Finisher", "if (finish.sendDue(now)) {", "if (false) {", "one caller", ""),
				new Broken("finish-once", "Finisher", "if (this.pending.contains(finish)) {", "if (true) {",
						"one caller", "A release ends once"),
				// Tokens
				new Broken("token-twice", "HandOffs", "this.tokensTaken++", "this.tokensTaken", "three callers",
						"Tokens increase"),
				new Broken("token-left", "HandOffs", "tokensLeft() > 0 &&", "", "three callers, two tokens",
						"Tokens are reserved before use"));
	}

	/** Caught by a test of its part: mutant, class, code, what is put there, test. */
	static Stream<Broken> caughtByATest() {
		return Stream.of(
				new Broken("contended-hand-offs", "HandOffs", "this.handOffs < CONTENDED &&", "", "HandOffsTests",
						"mayHandOffWhenContendedThenSoManyTimesFromThenOn"),
				new Broken("contended-tokens", "HandOffs", "this.tokensTaken >= FIRST_TOKENS", "this.budget == null",
						"HandOffsTests", "nextTokensWhenContendedAndTheFirstOnesAreGoneThenMore"),
				new Broken("tokens-ahead", "HandOffs",
						"(int) Math.min(wanted, Math.max(GROWTH * FIRST_TOKENS, passed))", "wanted", "HandOffsTests",
						"nextTokensWhenContendedThenNoMoreThanMicrosecondsHavePassed"),
				new Broken("contended-time", "HandOffs", "&& now - this.since < NANOS", "", "HandOffsTests",
						"mayHandOffWhenContendedThenForFiveMilliseconds"),
				new Broken("unseen-time", "HandOffs", "now - this.seenAt < NANOS_UNSEEN", "true", "HandOffsTests",
						"mayHandOffWhenUnseenForASecondThenNot"),
				new Broken("reserve", "HandOffs", "this.reserving ? MORE_TOKENS : 0", "0", "HandOffsTests",
						"reserveWhenHalfIsGoneThenMoreTokensOnce"),
				new Broken("unconfirmed", "StoreLease", "this.unconfirmed = true;", "", "HandedOverTests",
						"lostWhenTheGrantIsNotConfirmedThenSaysSo"),
				new Broken("callbacks-bound", "CallbackThreads",
						"0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>()",
						"4, 4, 1, TimeUnit.SECONDS, new java.util.concurrent.LinkedBlockingQueue<>()",
						"CallbackThreadsTests", "executeWhenAllWaitForTheLastOneThenItBeginsNevertheless"),
				new Broken("asked-budget", "HandOffs", "this.budget = new Budget(this.budget.since(), CONTENDED);", "",
						"HandOffsTests", "spendThenNobodyJoinsWhileOthersWait"),
				new Broken("share-budget", "Readers", "lastsFor(next) && this.lease.handOffs().mayStay(now)",
						"lastsFor(next)", "ReadersTests", "joinWhenTheLastAnswerIsOldThenAsksFirst"),
				new Broken("uncontended", "HandOffs", "&& this.budget.since() - moment < 0", "", "HandOffsTests",
						"uncontendedWhenSomebodyCameSinceThenStillContended"),
				new Broken("reader-cap", "Hold", "LocalDeadline.earlier(this.lease.deadline(), this.cap)",
						"this.lease.deadline()", "ReaderHoldTests", "deadlineThenUntilItsOwnLeaseTimeEnds"),
				new Broken("reader-gone", "Hold", "if (isOrphaned()) {", "if (false) {", "ReaderHoldTests",
						"deadlineWhenTheOwnerIsGoneThenNoLonger"),
				new Broken("keep-longer", "Hold", "(later - this.minimum > 0) ? later : this.minimum", "later",
						"HoldTests", "keepUntilThenNeverSooner"),
				new Broken("entered", "Hold", "shared ? this.sharedHandles > 0 : this.handles > this.sharedHandles",
						"this.handles > 0", "HoldTests", "enteredThenToldApart"),
				new Broken("question-answered", "Readers", "this.question != null && this.question.isOlderThan(sentAt)",
						"this.question != null", "ReadersTests",
						"confirmedWhenSentBeforeTheQuestionThenAnswerStillOwed"),
				new Broken("question-covers", "Readers", "this.answered && this.asking == next", "this.answered",
						"ReadersTests", "joinWhenAnsweredThenTheOneThatAsked"),
				new Broken("same-steps", "Renewals", "(delay >= term.nanos() / 6) ? term.nanos() / 120 : delay / 40",
						"delay / 40", "RenewalsTests", "confirmedWhenAnswersTookDifferentTimesThenRenewedTogether"),
				new Broken("in-step", "Renewals", "moment - Math.floorMod(moment, Math.max(1, step))", "moment",
						"RenewalsTests", "nextSendThenAtAThirdInSteps"),
				new Broken("fixed-outlasts", "Renewals", "wanted.renewed() || wanted.nanos() > remaining",
						"wanted.renewed()", "RenewalsTests",
						"lengthenWhenFixedOutlastsWhatIsLeftThenAskedForAtOnceAndStaysFixed"),
				new Broken("extend-longer", "Renewals", "boolean longer = wanted.nanos() > remaining;",
						"boolean longer = wanted.nanos() > term().nanos();", "RenewalsTests",
						"extendWhenRenewedThenAtOnceAndNeverWithAShorterLease"),
				new Broken("extend-timeout", "Extensions", "next = LocalDeadline.earlier(next, extension.deadline());",
						"", "ExtensionsTests", "dueByThenWhenTheTimeOfTheFirstIsOver"),
				new Broken("refused-term", "Renewals", "this.plan = this.plan.refused();", "", "RenewalsTests",
						"refusedThenAsBefore"),
				new Broken("confirm-fixed", "Renewals", "this.plan = new Plan.Doubt(fixed);", "", "RenewalsTests",
						"confirmWhenFixedThenOnceAndItsEndStays"),
				new Broken("send-due", "AcquireRequest",
						"this.sending != Sending.IN_FLIGHT && now - this.nextSend >= 0", "now - this.nextSend >= 0",
						"AcquireRequestTests", "sentThenGivenUpAfterTheTimeoutAndNotRepeatedBefore"),
				new Broken("shared-retries", "SharedRetries", "now - known.nextSend() < 0", "false",
						"StoreOutageCommandsTests",
						"callsOfAStoreThatIsAwayThenEachSendsOneCommandAndAllShareTheRepetitions"),
				new Broken("release-gives-up", "Release", "now - this.giveUpAt >= 0", "false", "SilentStoreTests",
						"aStageWaitsForItsReleaseNoLongerThanAThread"),
				new Broken("permit-line", "Semaphore", "this.queue.failAll(cause);", "", "SilentStoreTests",
						"waitersOfAllPermitsFailTogether"),
				new Broken("question-unanswered", "LockEntry", "if (this.holds.tick(now)) {", "if (false) {",
						"SilentStoreTests", "readersThatWaitForNewsOfWaitersFailTogether"),
				new Broken("superseded-participant", "Finisher", "this.request.isSameParticipant(newer)", "true",
						"FinisherTests", "supersedeThenOnlyWhatIsOfTheSameParticipant"),
				new Broken("replaced-participant", "Finisher", "this.request.isSameParticipant(newer.request) &&", "",
						"FinisherTests", "replacedByWhenOfAnotherParticipantThenNot"),
				new Broken("longer-than-asked", "AcquireRequest",
						"Math.min(grant.remainingMillis(), this.waiter.term().duration().toMillis())",
						"grant.remainingMillis()", "AcquireRequestTests",
						"certainMillisWhenTheStoresClockWasSetBackThenNoMoreThanWasRequested"),
				new Broken("pushed-once", "AcquireRequest", "boolean again = this.pushed;", "boolean again = false;",
						"AcquireRequestTests", "validUntilWhenItIsTheSecondMessageThenNotAtAll"),
				new Broken("pushed-ahead", "AcquireRequest", "ahead - (now - sentAt) > AHEAD_NANOS", "false",
						"AcquireRequestTests", "validUntilWhenTheMessageIsFromTheFutureThenNotAtAll"),
				new Broken("enclosed-actions", "Monitor", "enclosing.lock.isHeldByCurrentThread()", "false",
						"MonitorTests", "runWhenEnclosedThenActionsRunOutsideBoth"),
				new Broken("conclusive", "Finisher", "boolean proof = this.conclusive;", "boolean proof = true;",
						"FinisherTests", "confirmedAfterAFailureOrANewerRequestThenProvesNothing"),
				new Broken("caller-thread", "CallerTasks", "Thread.currentThread() != this.caller ||", "",
						"CallerTasksTests", "offerOnAnotherThreadThenRefused"),
				new Broken("caller-waits", "CallerTasks", "this.closed || this.next != null", "this.next != null",
						"CallerTasksTests", "offerWhenTheCallerWaitsThenRefused"),
				new Broken("caller-interrupted", "CallerTasks", "if (this.caller.isInterrupted()) {", "if (false) {",
						"CallerTasksTests", "offerWhenInterruptedThenRefusedAndStillInterrupted"),
				new Broken("caller-defers", "CallerTasks", "this.next = task;", "task.run();", "CallerTasksTests",
						"offerThenNothingRunsBeforeTheCallerRunsIt"),
				new Broken("caller-impatient", "ThreadWaiter",
						"patient() ? remaining(ThreadWaiter.this.clock.nanoTime()) : Long.MAX_VALUE", "Long.MAX_VALUE",
						"WaitQueueTests", "patienceThenWhatIsLeftOfTheWaitingTimeOrUntilTheAnswer"),
				new Broken("caller-task-fails", "CallerTasks", "runSafely(task);", "task.run();", "CallerTasksTests",
						"runWhenATaskFailsThenTheNextRunsAndTheCallerLearnsItsOutcome"),
				new Broken("held-abandons", "SingleLocks",
						"held = confirmHeld(hold); } catch (RuntimeException | Error ex) { hold.abandon(); throw ex;",
						"held = confirmHeld(hold); } catch (RuntimeException | Error ex) { throw ex;",
						"FailingThreadTests", "acquireWhenItFailsThenNothingIsLeft"),
				new Broken("release-abandons", "SingleLocks", "hold.abandon(); if (release != null) {",
						"if (release != null) {", "FailingThreadTests", "closeWhenItFailsThenItEndsWithItsLease"),
				new Broken("forget-abandons", "HoldHandle", "this.hold.abandon(); throw ex;", "throw ex;",
						"FailingThreadTests", "closeWhenItFailsToForgetItsCallbackThenItEndsWithItsLease"),
				new Broken("drop-dead", "WaitQueue", "while (this.first != null && this.first.isDead()) {",
						"while (this.first != null && false) {", "FailingThreadTests",
						"acquireWhenItFailsBehindOthersThenTheyGetTheLock"),
				new Broken("late-for-others", "WaitQueue", "waiter.term().nanos() <= longest.nanos()", "true",
						"LockFaultTests", "acquireWhenTheShortLeaseOfAnotherCallerIsOverThenAskedAgain"),
				new Broken("late-behind", "Contender", "if (this.queue.contains(asked)) {", "if (false) {",
						"LockFaultTests", "tryAcquireWhenTheGrantOfACallerThatWaitsIsOverThenBusy"),
				new Broken("reader-due", "Readers", "this.firstDue = reader.ownDueBy(this.firstDue);", "",
						"ReadersTests", "expiredThenEachWhenItsOwnLeaseEnds"),
				new Broken("orphan-ungranted", "Hold", "|| !this.granted", "", "ReaderHoldTests",
						"deadlineWhenItsOwnerNeverGotItThenNoLonger"),
				new Broken("release-observed", "SingleLocks", "release.runTasks(); release.reportRelease();",
						"release.reportRelease();", "BlockingObserverTests",
						"releasedThenTheCallerHasExecutedItsCommandFirst"),
				new Broken("lost-later", "ReportedAcquisition",
						"this.reports.report(() -> safely(() -> this.observer.lost(loss)));",
						"safely(() -> this.observer.lost(loss));", "BlockingObserverTests",
						"lostThenTheHousekeeperRenewsOtherLocksFirst"),
				new Broken("line-outside", "LocalHolds",
						"this.monitor.afterwards(() -> logger.warn(\"{}\", loss.getMessage()));",
						"logger.warn(\"{}\", loss.getMessage());", "BlockingObserverTests",
						"lostWhileTheLineIsLoggedThenOthersUseTheLock"),
				new Broken("outage-outside", "StoreOutage", "Monitor.outside(monitor, line);", "line.run();",
						"BlockingObserverTests", "storeFailsWhileTheLineIsLoggedThenOthersUseTheLock"),
				new Broken("unreported", "Shutdown",
						"awaitUntil(this.context.timeoutNanos(), this.context::isReported);", "",
						"BlockingObserverTests", "shutDownThenWhatWasFoundIsReportedFirst"),
				new Broken("waits-later", "ReportedAcquisition", "this.reports.reportUnlessBehind(report);",
						"report.run();", "BlockingObserverTests",
						"waitsWhenAnAnswerSaysSoThenNotOnTheThreadThatBringsIt"),
				new Broken("callbacks-behind", "Callbacks", "this.pending.get() < MOST_PENDING", "true",
						"BlockingObserverTests", "waitsWhenObserversDoNotKeepUpThenSomeAreDropped"),
				new Broken("waits-after-commands", "ThreadWaiter", "this.report = due;", "due.run();",
						"BlockingObserverTests", "waitsThenTheCallerExecutesItsCommandFirst"),
				new Broken("several-cancelled", "AsyncSeveralLocks", "if (this.future.isDone()) { cancelCurrent(); }",
						"", "AsyncAcquisitionTests", "cancelWhileTheNextStepBeginsThenItIsStopped"),
				new Broken("other-lease", "Renewer", "|| current != answer.lease()", "", "RenewerTests",
						"answeredWhenItIsAboutAnEarlierLeaseThenTheNextOneStays"),
				new Broken("claim-outlasts", "Acquirer",
						"LocalDeadline.earlier(this.deadline, LocalDeadline.after(now, next.term().duration().toMillis()))",
						"this.deadline", "RenewerTests",
						"pushedWhenAWaiterWithAShortLeaseGetsItThenNoLongerThanThatLease"),
				new Broken("first-renewal", "Renewals", "Math.min(term.nanos(), remaining)", "term.nanos()",
						"RenewerTests", "grantedWhenForLessThanTheLeaseThenRenewedAtAThirdOfThat"),
				new Broken("session", "StoreLease", "this.session.sureUntil() + granted.skippedBefore()",
						"granted.until()", "RenewerTests", "grantedOnASessionWhenThatMayBeOverThenLostForGood"),
				new Broken("session-cuts", "StoreLease", "return this.validity.until() - this.clock.nanoTime();",
						"return deadline() - this.clock.nanoTime();", "RenewerTests",
						"extendedWithinALeaseOnAShortSessionThenNothingIsAskedFor"),
				new Broken("session-slept", "StoreLease", "this.session.sureUntil() + granted.skippedBefore()",
						"this.session.sureUntil() + this.clock.skipped()", "RenewerTests",
						"deadlineWhenTheClockHasSkippedSomeTimeThenThatHasPassedForTheSession"),
				new Broken("session-over", "Acquirer", "LocalDeadline.earlier(this.deadline, sure) - now <= 0",
						"this.deadline - now <= 0", "RenewerTests", "grantedWhenTheSessionMayBeOverThenNobodyGetsIt"),
				new Broken("session-renewed", "Renewer", "answer.skippedBefore()", "this.engine.clock().skipped()",
						"RenewerTests",
						"renewedWhenTheClockHasSkippedTimeSinceTheRenewalThenThatHasPassedForTheSession"),
				new Broken("confirmed-rest", "Plan", "return new LeaseTerm(Duration.ofNanos(rest), false);",
						"return term();", "RenewerTests", "confirmedLateWhenTheLeaseIsFixedThenItEndsWhenItWouldHave"),
				new Broken("session-confirmed", "StoreLease", ": this.session != StoreSession.NONE) {", ": false) {",
						"RenewerTests", "deadlineWhenTheClockHasSkippedSomeTimeThenThatHasPassedForTheSession"),
				new Broken("held", "Hold", "this.state == State.HELD && remaining() > 0",
						"this.state != State.RELEASED && remaining() > 0", "HoldTests",
						"isHeldWhenTakenBeforeItsTimeThenNotAndNeverAgain"));
	}

	@ParameterizedTest
	@MethodSource("caughtByTheModel")
	void exhaustWhenBrokenThenCaught(Broken broken) {
		BrokenEngine engine = broken.engine();
		Throwable caught = catchThrowable(() -> engine.run("ModelRun", "exhaust", broken.by()));
		assertThat(caught).isInstanceOf(AssertionError.class).hasMessageContaining(broken.how());
	}

	/** Caught by the model of callers with several keys. */
	static Stream<Broken> caughtByTheModelOfSeveralKeys() {
		return Stream.of(
				new Broken("several-order", "KeysInOrder", "this.parts.get(this.count)",
						"this.parts.get(this.parts.size() - 1 - this.count)", "two with the same keys",
						"A caller waits only for keys after those that it holds"),
				new Broken("several-given-back", "KeysInOrder", "(EngineHandle) LockScopes.together(taken())",
						"(EngineHandle) LockScopes.together(List.of())", "two that overlap and do not wait",
						"A lock without an owner is renewed"));
	}

	@ParameterizedTest
	@MethodSource("caughtByTheModelOfSeveralKeys")
	void walkWhenBrokenThenCaught(Broken broken) {
		BrokenEngine engine = broken.engine();
		Throwable caught = catchThrowable(() -> engine.run("SeveralKeysModel", "run", broken.by()));
		assertThat(caught).isInstanceOf(AssertionError.class).hasMessageContaining(broken.how());
	}

	@ParameterizedTest
	@MethodSource("caughtByATest")
	void testWhenBrokenThenFails(Broken broken) throws Throwable {
		BrokenEngine engine = broken.engine();
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
		return BrokenEngine.with("WaitQueue", "others.add(waiter)", "others.add(waiter)");
	}

	@Test
	void exhaustWhenNothingIsBrokenThenNotCaught() {
		BrokenEngine same = unbroken();
		assertThatCode(() -> same.run("ModelRun", "exhaust", "two processes")).doesNotThrowAnyException();
	}

	@Test
	void withWhenTheCodeIsNotThereThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> BrokenEngine.with("WaitQueue", "noSuchCode();", ""));
	}

	/**
	 * An engine with a fault.
	 *
	 * @param mutant the name of the fault
	 * @param type the simple name of the class that has it
	 * @param original the code of the place
	 * @param mistake what is put there
	 * @param by the plan or the class of the test
	 * @param how a part of the message or the method of the test
	 */
	record Broken(String mutant, String type, String original, String mistake, String by, String how) {

		BrokenEngine engine() {
			return BrokenEngine.with(this.type, this.original, this.mistake);
		}

		@Override
		public String toString() {
			return this.mutant;
		}

	}

}
