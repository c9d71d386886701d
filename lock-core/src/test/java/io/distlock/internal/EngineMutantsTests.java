package io.distlock.internal;

import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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

	/** Caught by the model: class, what is there, what is put there, plan, rule. */
	static Stream<Broken> caughtByTheModel() {
		return Stream.of(
				// Belief
				new Broken("LocalDeadline", "sentAt + nanos - nanos / DRIFT_PARTS - MARGIN_NANOS", "sentAt + nanos",
						"one caller", "Belief ends before the lease"),
				new Broken("Hold", "this.state == State.HELD && remaining() > 0", "remaining() > 0", "one caller",
						"What was released is not held"),
				// Line
				new Broken("WaitingLine", "this.waiters.addLast(waiter)", "this.waiters.addFirst(waiter)",
						"three callers", "First come, first served"),
				new Broken("LockEntry",
						"if (this.retired) {\n\t\t\t\treturn false;\n\t\t\t}\n\t\t\tthis.news.wanted();",
						"this.news.wanted();", "twice", "A dropped entry lets nobody in"),
				new Broken("LockEntry", "if (waiter.ended()) {\n\t\t\t\treturn false;\n\t\t\t}", "", "one caller",
						"One outcome"),
				new Broken("Admission", "this.line.contains(waiter) && !this.contest.answerOwed()",
						"this.line.contains(waiter)", "one impatient caller", "Who is refused was told no"),
				new Broken("WaitingLine",
						"boolean over = waiter.remaining(now) <= 0;\n\t\t\tif (over) {\n\t\t\t\twaiter.end(new Waiter.Outcome.Busy",
						"boolean over = true;\n\t\t\tif (over) {\n\t\t\t\twaiter.end(new Waiter.Outcome.Busy",
						"two processes", "Without faults everybody gets the lock"),
				new Broken("Waiter", "monitor.afterwards(this::wake)", "monitor.getClass()", "two short asyncs",
						"Who has an outcome is told once"),
				// Requests
				new Broken("Admission", "if (this.line.isEmpty()) {\n\t\t\tthis.contest.withdraw();\n\t\t}", "",
						"one short caller", ""),
				new Broken("Contest", "asked != this.current", "this.current == null", "thread and async", ""),
				new Broken("EngineContext", "this.requests.incrementAndGet()", "1", "twice",
						"A finished request is not repeated"),
				// Readers
				new Broken("Admission", "first != null && first.shared() && this.holding.share(first)",
						"first != null && this.holding.share(first)", "reader and short writer", "Tokens increase"),
				new Broken("LockEntry", "over && !this.holding.keeps(hold) && ", "over && ", "two readers", ""),
				new Broken("Admission", "return !next.shared() && next.sharing().equals(released.taker().sharing());",
						"return !next.shared();", "reader and short writer", "Who believes is the owner in the store"),
				new Broken("SharedHold", "return this.readers.isEmpty();", "return true;", "two readers", ""),
				new Broken("Readers", "this.holds.remove(hold);", "", "two readers", ""),
				// Permits
				new Broken("Semaphore", "private void settle() {", "private void settle() {\n\t\tthis.serving = true;",
						"fewer and more permits", ""),
				new Broken("Semaphore", "boolean known = overdue.getValue().isEmpty();", "boolean known = true;",
						"one permit, one impatient", "Who is refused was told no"),
				new Broken("Semaphore", "if (concerned && failure != null) {", "if (false) {",
						"one permit, one impatient", "Who is refused was told no"),
				new Broken("Semaphore", "this.seats.remove(number);", "", "one permit for two", ""),
				new Broken("Semaphore", "this.seats.put(number, waiter);", "", "two permits for three", ""),
				new Broken("LockEntry", "this.news.vacant();", "", "one permit for two", ""),
				// Minimum hold
				new Broken("MinimumHold", "hold.renewal().once(rest(now), now);", "hold.renewal().stop();",
						"kept here, wanted there", "A minimum hold is kept"),
				new Broken("MinimumHold", "if (hold == null || this.until - now > 0) {", "if (hold == null) {",
						"kept for longer than the lease", "A minimum hold is kept"),
				new Broken("LockEntry", "this.admission.endMinimum(now);", "", "kept, then another", ""),
				// Releases
				new Broken("Withdrawals", "if (withdrawal.sendDue(now)) {", "if (false) {", "one caller", ""),
				new Broken("Withdrawal", "boolean news = !this.told;", "boolean news = true;", "one caller",
						"A release ends once"),
				// Tokens
				new Broken("Tenure", "return this.nextToken++", "return this.nextToken", "three callers",
						"Tokens increase"),
				new Broken("Tenure", "&& this.tokensLeft > 0", "", "three callers, two tokens",
						"Tokens are reserved before use"));
	}

	/** Caught by a test of its part: class, what is there, what is put there, test. */
	static Stream<Broken> caughtByATest() {
		return Stream.of(
				new Broken("Tenure", "this.passes < PASSES_WHEN_CONTENDED && ", "", "TenureTests",
						"mayPassWhenContendedThenSixtyFourTimesFromThenOn"),
				new Broken("Tenure", " && now - this.contendedAt < NANOS_WHEN_CONTENDED", "", "TenureTests",
						"mayPassWhenContendedThenForFiveMilliseconds"),
				new Broken("Tenure", ": now - this.seenAt < NANOS_UNSEEN", ": true", "TenureTests",
						"mayPassWhenUnseenForASecondThenNot"),
				new Broken("Tenure", "return this.reserving ? MORE_TOKENS : 0", "return 0", "TenureTests",
						"reserveWhenHalfIsGoneThenMoreTokensOnce"),
				new Broken("Tenure", "mayShare(long now) {\n\t\treturn withinBounds(now)",
						"mayShare(long now) {\n\t\treturn true", "TenureTests", "mayShareThenWithinTheSameBounds"),
				new Broken("Tenure", "this.contended &= this.contendedAt - askedAt >= 0", "this.contended = false",
						"TenureTests", "uncontendedWhenSomebodyCameSinceThenStillContended"),
				new Broken("ReaderHold", "long until = LocalDeadline.earlier(shared.deadline(), this.cap)",
						"long until = shared.deadline()", "ReaderHoldTests", "followThenUntilItsOwnLeaseEnds"),
				new Broken("ReaderHold", "if (taker().ownerGone()) {", "if (false) {", "ReaderHoldTests",
						"followWhenTheOwnerIsGoneThenNoLonger"),
				new Broken("Hold", "return shared ? this.sharedHandles > 0 : this.handles > this.sharedHandles",
						"return this.handles > 0", "HoldTests", "enteredThenToldApart"),
				new Broken("Look", "this.pending && sentAt - this.since >= 0", "this.pending", "LookTests",
						"answeredWhenTheAnswerIsOlderThenStillPending"),
				new Broken("Look", "return this.covered == next", "return this.covered != null", "LookTests",
						"answeredThenCoversTheOneItWasFor"),
				new Broken("Look", "known ? now : now - LOOK_NANOS", "now", "LookTests",
						"nextWhenNothingIsKnownThenAtOnce"),
				new Broken("Renewal", "return moment - Math.floorMod(moment, Math.max(1, delay / 40))", "return moment",
						"RenewalScheduleTests", "nextSendThenAtAThirdInSteps"),
				new Broken("Renewal", ": wish.renewed() || wish.nanos() > remaining", ": wish.renewed()",
						"RenewalScheduleTests", "lengthenWhenFixedOutlastsWhatIsLeftThenAskedForAtOnceAndStaysFixed"),
				new Broken("Contender", "!this.inFlight && now - this.nextSend >= 0", "now - this.nextSend >= 0",
						"ContenderTests", "sentThenGivenUpAfterTheTimeoutAndNotRepeatedBefore"),
				new Broken("Withdrawal", "boolean proof = this.conclusive;", "boolean proof = true;", "WithdrawalTests",
						"confirmedAfterAFailureOrANewerRequestThenProvesNothing"),
				new Broken("Hold", "this.state == State.HELD && remaining() > 0",
						"this.state != State.RELEASED && remaining() > 0", "HoldTests",
						"isHeldWhenTakenBeforeItsTimeThenNotAndNeverAgain"));
	}

	@ParameterizedTest
	@MethodSource("caughtByTheModel")
	void exhaustWhenBrokenThenCaught(Broken broken) {
		BrokenEngine engine = BrokenEngine.with(broken.type(), broken.original(), broken.replacement());
		Throwable caught = catchThrowable(() -> engine.run("ModelRun", "exhaust", broken.by()));
		assertThat(caught).isInstanceOf(AssertionError.class).hasMessageContaining(broken.how());
	}

	@ParameterizedTest
	@MethodSource("caughtByATest")
	void testWhenBrokenThenFails(Broken broken) throws Throwable {
		BrokenEngine engine = BrokenEngine.with(broken.type(), broken.original(), broken.replacement());
		assertThat(catchThrowable(() -> engine.run(broken.by(), broken.how()))).isInstanceOf(AssertionError.class);
	}

	@Test
	void exhaustWhenNothingIsBrokenThenNotCaught() {
		BrokenEngine same = BrokenEngine.with("Hold", "sealed class Hold ", "sealed class Hold ");
		assertThatCode(() -> same.run("ModelRun", "exhaust", "two processes")).doesNotThrowAnyException();
	}

	@Test
	void withWhenTheTextIsNotThereOrTwiceThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> BrokenEngine.with("Hold", "no such text", ""));
		assertThatIllegalArgumentException().isThrownBy(() -> BrokenEngine.with("Hold", "return", ""));
	}

	/**
	 * An engine with a fault.
	 *
	 * @param type the class that has it
	 * @param original what is in its source
	 * @param replacement what is put there
	 * @param by the plan or the class of the test
	 * @param how a part of the message or the method of the test
	 */
	record Broken(String type, String original, String replacement, String by, String how) {

		@Override
		public String toString() {
			return this.type + ": " + this.replacement.strip() + " for " + this.original.strip();
		}

	}

}
