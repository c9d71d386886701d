package io.distlock.leader;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.distlock.output.Mutants;
import io.distlock.output.SourceMutant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mistakes in the leader election, each of which a test notices. Several run at a time,
 * so those that take longest come first.
 */
@Mutants
@Execution(ExecutionMode.CONCURRENT)
class LeaderElectionMutantsTests {

	private static final Path SOURCES = Path.of("..", "lock-core", "src", "main", "java");

	private static final Logger LOCKS = (Logger) LoggerFactory.getLogger("io.distlock");

	/** The failures of each test without a mistake. */
	private static final Map<String, List<String>> WITHOUT = new ConcurrentHashMap<>();

	/** Some of the mistakes log all the time. */
	@BeforeAll
	static void quiet() {
		LOCKS.setLevel(Level.OFF);
	}

	@AfterAll
	static void loud() {
		LOCKS.setLevel(null);
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					second-thread | LeaderElection | if (this.thread == null) { | if (true) { | startWhenItIsStillStoppingThenGoesOn
					waits-for-granted | Candidacy | await(this.clock.nanoTime() + patience(lock), () -> this.returned); | await(this.clock.nanoTime() + FOREVER_NANOS, () -> this.returned); | grantedWhenItHangsThenRevokedInTimeNevertheless
					until-the-end | Candidacy | left > longest / PARTS && | left > 0 && | revokedWhenTheStoreIsAwayThenBeforeTheLeaseIsOver
					no-pause | LeaderElection | next.pause(PAUSE_NANOS); | '' | candidateWhenTheStoreIsAwayForHoursThenStandsAgain
					unheard-loss | Candidacy | lock.onLost((lost) -> LockSupport.unpark(this.thread)); | '' | leaderWhenItsLockIsReleasedByForceThenRevokedAtOnce
					failed-leader | Candidacy | LockHandle lock = this.leading; handOver(); | LockHandle lock = this.leading; | grantedWhenItFailsThenHandedOver
					waits-for-itself | LeaderElection | '|| Thread.currentThread() == this.thread' | '' | closeWhenACallbackCallsItThenDoesNotWaitForThatCallback
					flag | Candidacy | return (lock != null && lock.isHeld()) ? lock : null; | return lock; | leaderWhenNothingOfTheElectionRunsThenItsTimeIsOverByTheClock
					asleep-until-the-end | Candidacy | park(left - longest / PARTS); | park(left); | leaderWhenItWaitsThenUntilAThirdOfItsLeaseIsLeft
					margin-of-the-claim | Candidacy | longest = Math.max(longest, left); | longest = (longest == 0) ? left : longest; | leaderWhenItsFirstLeaseWasShortThenRevokedWithTheMarginOfTheWholeLease
					released-first | Candidacy | if (this.busy) { revoke(lock); } | release(lock); if (this.busy) { revoke(lock); } | revokedWhenItTakesLongThenNobodyElseLeadsMeanwhile
					does-not-wait | Candidacy | await(this.clock.nanoTime() + patience(lock), () -> this.returned); | '' | grantedWhenItDoesTheWorkThenInterruptedAndRevokedComesAfterIt
					lost-in-no-time | Candidacy | return (left > 0) ? left / 2 : LOST_NANOS; | return left / 2; | revokedWhenTheLockIsLostThenComesAfterTheGrantedOne
					warned-at-once | Candidacy | if (!this.returned) { logger.warn( | if (true) { logger.warn( | revokedWhenTheLockIsLostThenComesAfterTheGrantedOne
					unwarned | Candidacy | if (!this.returned) { logger.warn( | if (false) { logger.warn( | grantedWhenItHangsThenRevokedInTimeNevertheless
					no-interrupt | Candidacy | this.caller.interrupt(); | '' | stopWhenGrantedRunsThenItIsInterruptedAndTheLockReleased
					granted-forgotten | Candidacy | await(this.clock.nanoTime() + FOREVER_NANOS, () -> this.returned); | '' | grantedWhenItHangsThenRevokedInTimeNevertheless
					granted-too-late | Candidacy | 'if (first || leading() != null) {' | if (true) { | grantedWhenTheLeaseEndedBeforeItThenNotCalled
					told-without-granted | Candidacy | 'if (first || leading() != null) {' | if (leading() != null) { | revokedWhenTheLeadershipEndsAtOnceThenOnlyAfterTheGrantedOne
					leader-while-revoked | Candidacy | void end() { this.leading = null; | void end() { | revokedWhenTheStoreIsAwayThenBeforeTheLeaseIsOver
					unheard-stop | Candidacy | this.withdrawn = true; handOver(); | this.withdrawn = true; | stopWhenItWaitsThenLeavesTheQueue
					waits-on | Candidacy | !acquisition.cancel(false) && | acquisition.isDone() && | stopWhenItWaitsThenLeavesTheQueue
					restarted-too-soon | Candidacy | '|| this.withdrawn);' | '|| false);' | stopWhenStartFollowsWhileItWaitsThenItsStageCompletes
					spinning | Candidacy | Thread.interrupted(); | '' | callbackWhenItInterruptsItsThreadThenTheElectionGoesOn
					ends-at-failure | LeaderElection | catch (LockException ex) { logger.debug( | catch (LockException ex) { this.standing = false; logger.debug( | candidateWhenTheStoreIsAwayForHoursThenStandsAgain
					""")
	void mistakeIsNoticed(String mutant, String type, String original, String mistake, String test) {
		assertThat(WITHOUT.computeIfAbsent(test, (name) -> failures(type, original, original, name)))
			.as("without a mistake")
			.isEmpty();
		assertThat(failures(type, original, mistake, test)).isNotEmpty();
	}

	private static List<String> failures(String type, String original, String mistake, String test) {
		return new SourceMutant(List.of(SOURCES), type, original, mistake)
			.failures("io.distlock.leader.LeaderElectionTests", test);
	}

}
