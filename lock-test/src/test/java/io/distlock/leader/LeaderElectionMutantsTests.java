package io.distlock.leader;

import java.nio.file.Path;
import java.util.List;

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
@Mutants(of = { "lock-core", "lock-test" })
@Execution(ExecutionMode.CONCURRENT)
class LeaderElectionMutantsTests {

	private static final Path SOURCES = Path.of("..", "lock-core", "src", "main", "java");

	private static final Logger LOCKS = (Logger) LoggerFactory.getLogger("io.distlock");

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
					second-thread | if (this.stopped.isDone()) { | if (true) { | startWhenItIsStillStoppingThenGoesOn
					waits-for-granted | await(half, returned::isDone); | await(this.clock.nanoTime() + FOREVER_NANOS, returned::isDone); | grantedWhenItHangsThenRevokedInTimeNevertheless
					until-the-end | left > longest / PARTS && | left > 0 && | revokedWhenTheStoreIsAwayThenBeforeTheLeaseIsOver
					no-pause | await(this.clock.nanoTime() + PAUSE_NANOS, () -> !this.standing); | '' | candidateWhenTheStoreIsAwayForHoursThenStandsAgain
					unheard-loss | lock.onLost((lost) -> LockSupport.unpark(this.thread)); | '' | leaderWhenItsLockIsReleasedByForceThenRevokedAtOnce
					failed-leader | handOver(); } else | } else | grantedWhenItFailsThenHandedOver
					waits-for-itself | '|| Thread.currentThread() == this.thread' | '' | closeWhenACallbackCallsItThenDoesNotWaitForThatCallback
					flag | lock != null && lock.isHeld() | lock != null | leaderWhenNothingOfTheElectionRunsThenItsTimeIsOverByTheClock
					asleep-until-the-end | park(left - longest / PARTS); | park(left); | leaderWhenItWaitsThenUntilAThirdOfItsLeaseIsLeft
					margin-of-the-claim | longest = Math.max(longest, left); | longest = (longest == 0) ? left : longest; | leaderWhenItsFirstLeaseWasShortThenRevokedWithTheMarginOfTheWholeLease
					released-first | revoke(lock, caller, told, returned); | lock.closeAsync(); revoke(lock, caller, told, returned); | revokedWhenItTakesLongThenNobodyElseLeadsMeanwhile
					does-not-wait | await(half, returned::isDone); | '' | grantedWhenItDoesTheWorkThenInterruptedAndRevokedComesAfterIt
					no-interrupt | caller.interrupt(); | '' | stopWhenGrantedRunsThenItIsInterruptedAndTheLockReleased
					granted-forgotten | await(this.clock.nanoTime() + FOREVER_NANOS, returned::isDone); | '' | grantedWhenItHangsThenRevokedInTimeNevertheless
					granted-too-late | if (isLeader()) { callback.accept(token); } | callback.accept(token); | grantedWhenTheLeaseEndedBeforeItThenNotCalled
					leader-while-revoked | finally { this.leading = null; revoke(lock, caller, told, returned); } | finally { revoke(lock, caller, told, returned); } | revokedWhenTheStoreIsAwayThenBeforeTheLeaseIsOver
					unheard-stop | this.standing = false; handOver(); | this.standing = false; | stopWhenItWaitsThenLeavesTheQueue
					waits-on | asked.cancel(false); | '' | stopWhenItWaitsThenLeavesTheQueue
					spinning | Thread.interrupted(); | '' | callbackWhenItInterruptsItsThreadThenTheElectionGoesOn
					ends-at-failure | catch (LockException ex) { logger.debug( | catch (LockException ex) { this.standing = false; logger.debug( | candidateWhenTheStoreIsAwayForHoursThenStandsAgain
					""")
	void mistakeIsNoticed(String mutant, String original, String mistake, String test) {
		assertThat(failures("caller.interrupt();", "caller.interrupt();", test)).as("without a mistake").isEmpty();
		assertThat(failures(original, mistake, test)).isNotEmpty();
	}

	private static List<String> failures(String original, String mistake, String test) {
		return new SourceMutant(List.of(SOURCES), "LeaderElection", original, mistake)
			.failures("io.distlock.leader.LeaderElectionTests", test);
	}

}
