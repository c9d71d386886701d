package io.distlock.redlock;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.redis.QuarantineException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.TransientRefusalException;
import io.distlock.spi.TransientStoreException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which answers make a lock ours, and what happens to what was granted for nothing. */
class RedlockAcquireTests {

	private final QuorumUnderTest quorum = new QuorumUnderTest();

	@Test
	void acquireWhenMajorityGrantsAndAcceptsThenGrantedWithHighestToken() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.node(1).grant(100);
		this.quorum.node(2).grant(300);
		assertThat(this.quorum.node(1).raises).isEmpty();
		this.quorum.node(3).grant(200);
		assertThat(this.quorum.nodes).allSatisfy((node) -> assertThat(node.raises).hasSize(1)
			.allSatisfy((raise) -> assertThat(raise.command()).isEqualTo(300)));
		this.quorum.each((node) -> node.accept(true), 1, 2);
		assertThat(answer).isNotDone();
		this.quorum.node(5).accept(true);
		Grant grant = ((AcquireResult.Granted) QuorumUnderTest.done(answer)).grant();
		assertThat(grant.fencingToken()).isEqualTo(300);
		assertThat(grant.tokens()).isEqualTo(8);
		assertThat(grant.remainingMillis()).isEqualTo(QuorumUnderTest.LEASE.toMillis());
		assertThat(this.quorum.told()).isEmpty();
	}

	@Test
	void acquireWhenOneTooFewAcceptThenNotGrantedAndUndoneEverywhere() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.each((node) -> node.grant(100));
		this.quorum.each((node) -> node.accept(true), 1, 2);
		this.quorum.each((node) -> node.accept(false), 3, 4);
		assertThat(answer).isNotDone();
		this.quorum.node(5).accept(false);
		assertThat(QuorumUnderTest.failure(answer)).isInstanceOf(TransientStoreException.class);
		assertThat(this.quorum.told()).containsExactly("n1", "n2", "n3", "n4", "n5");
	}

	@Test
	void acquireWhenOneTooFewGrantThenBusyAndUndone() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.each((node) -> node.grant(100), 1, 2);
		this.quorum.each(ControlledNode::refuse, 3, 4);
		assertThat(answer).isNotDone();
		this.quorum.node(5).refuse();
		assertThat(QuorumUnderTest.done(answer)).isInstanceOf(AcquireResult.Busy.class);
		assertThat(this.quorum.nodes).allSatisfy((node) -> assertThat(node.raises).isEmpty());
		assertThat(this.quorum.told()).containsExactly("n1", "n2");
	}

	@Test
	void acquireWhenMajorityIsBusyThenBusyAtOnce() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.each(ControlledNode::refuse, 1, 2, 3);
		assertThat(QuorumUnderTest.done(answer)).isInstanceOf(AcquireResult.Busy.class);
		assertThat(this.quorum.told()).as("the silent ones may grant yet").containsExactly("n4", "n5");
	}

	@Test
	void acquireWhenTooFewAnswerThenFailsAndNamesNodes() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.each(ControlledNode::refuse, 1, 2);
		this.quorum.node(3).fail("Connection refused");
		Instant until = Instant.parse("2026-01-01T00:00:30Z");
		this.quorum.node(4).acquires.get(0)
			.answer()
			.completeExceptionally(new QuarantineException("stock", "Lost its data", until));
		assertThat(answer).isNotDone();
		this.quorum.timeout();
		LockStoreException failure = QuorumUnderTest.failure(answer);
		assertThat(failure).hasMessageStartingWith("3 of 5 nodes")
			.hasMessageContaining("n3 is not available (Connection refused), n4 is in quarantine until "
					+ "2026-01-01T00:00:30Z, n5 did not answer within 250 ms");
		assertThat(((QuorumException) failure).failures()).extracting(NodeFailure::kind)
			.containsExactly(NodeFailure.Kind.UNAVAILABLE, NodeFailure.Kind.QUARANTINED, NodeFailure.Kind.TIMED_OUT);
		assertThat(this.quorum.told()).containsExactly("n3", "n4", "n5");
	}

	@Test
	void acquireWhenMajorityAnswersAndOneIsBusyThenBusy() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.each((node) -> node.grant(100), 1, 2);
		this.quorum.node(3).refuse();
		this.quorum.timeout();
		assertThat(QuorumUnderTest.done(answer)).isInstanceOf(AcquireResult.Busy.class);
		assertThat(this.quorum.told()).containsExactly("n1", "n2", "n4", "n5");
	}

	@Test
	void acquireWhenOnlyMinorityGrantsAndNobodyElseAnswersThenFails() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, true);
		this.quorum.each((node) -> node.grant(100), 1, 2);
		this.quorum.timeout();
		assertThat(QuorumUnderTest.failure(answer)).hasMessageStartingWith("3 of 5 nodes");
		assertThat(this.quorum.told()).containsExactly("n1", "n2", "n3", "n4", "n5");
	}

	@Test
	void acquireWhenNobodyHasTheRightThenNotWorthRepeating() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, true);
		refuseForGood();
		assertThat(QuorumUnderTest.failure(answer)).isNotInstanceOf(TransientStoreException.class)
			.hasCauseInstanceOf(QuorumException.class);
	}

	@Test
	void acquireWhenMajorityHasNoRightThenNotWorthRepeatingForTheSlowOne() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, true);
		this.quorum.node(1).grant(100);
		refuseForGood(2, 3, 4);
		this.quorum.timeout();
		assertThat(QuorumUnderTest.failure(answer)).isNotInstanceOf(TransientStoreException.class)
			.hasMessageContaining("n4 failed (NOPERM), n5 did not answer within 250 ms");
	}

	@Test
	void acquireWhenMinorityHasNoRightThenWorthRepeatingForTheSlowOne() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, true);
		this.quorum.each((node) -> node.grant(100), 1, 2);
		refuseForGood(3, 4);
		this.quorum.timeout();
		assertThat(QuorumUnderTest.failure(answer)).isInstanceOf(TransientStoreException.class)
			.hasMessageStartingWith("3 of 5 nodes");
	}

	@Test
	void acquireWhenMajorityRefusesForNowThenRepeatedButNotAway() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, true);
		refuseForGood(1);
		this.quorum.each((node) -> node.acquires.get(0)
			.answer()
			.completeExceptionally(new TransientRefusalException("", "unheard of", null)), 2, 3);
		this.quorum.timeout();
		assertThat(QuorumUnderTest.failure(answer)).isInstanceOf(TransientRefusalException.class)
			.hasMessageContaining("n1 failed (NOPERM), n2 failed (unheard of)");
	}

	private void refuseForGood(int... nodes) {
		this.quorum.each((node) -> node.acquires.get(0)
			.answer()
			.completeExceptionally(new LockStoreException("", "NOPERM", null)), nodes);
	}

	@Test
	void acquireWhenStoppedBetweenTheStepsForLongerThanTheLeaseThenTokenIsNotUsed() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.each((node) -> node.grant(100));
		this.quorum.timer.jump(QuorumUnderTest.LEASE);
		this.quorum.each((node) -> node.accept(true));
		assertThat(QuorumUnderTest.failure(answer)).isInstanceOf(TransientStoreException.class);
		assertThat(this.quorum.told()).containsExactly("n1", "n2", "n3", "n4", "n5");
	}

	@Test
	void acquireWhenStoppedBeforeTheGrantsForLongerThanTheLeaseThenNotGranted() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.timer.jump(QuorumUnderTest.LEASE.minusMillis(40));
		this.quorum.each((node) -> node.grant(100));
		this.quorum.each((node) -> node.accept(true));
		QuorumUnderTest.failure(answer);
		assertThat(this.quorum.told()).hasSize(5);
	}

	@Test
	void acquireWhenJustInTimeThenLeaseCountsFromBeforeTheFirstCommand() {
		long begun = this.quorum.timer.nanoTime();
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.timer.jump(QuorumUnderTest.LEASE.minusMillis(45));
		this.quorum.each((node) -> node.grant(100));
		this.quorum.each((node) -> node.accept(true));
		Grant grant = ((AcquireResult.Granted) QuorumUnderTest.done(answer)).grant();
		assertThat(grant.expiresAt()).isEqualTo(Duration.ofNanos(begun).plus(QuorumUnderTest.LEASE).toMillis());
	}

	@Test
	void acquireWhenRepeatedThenSameGrantWithoutAskingAgain() {
		Grant first = this.quorum.acquired(1, 100);
		this.quorum.timer.jump(Duration.ofSeconds(2));
		Grant second = ((AcquireResult.Granted) QuorumUnderTest.done(this.quorum.acquire(1, false))).grant();
		assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
		assertThat(second.expiresAt()).isEqualTo(first.expiresAt());
		assertThat(second.remainingMillis()).isBetween(17_990L, 18_000L);
		assertThat(this.quorum.node(1).acquires).hasSize(1);
		this.quorum.timer.jump(QuorumUnderTest.LEASE);
		assertThat(QuorumUnderTest.done(this.quorum.acquire(1, false))).isInstanceOf(AcquireResult.Ended.class);
	}

	@Test
	void acquireWhenUnderWayThenCopyGetsTheSameAnswer() {
		CompletableFuture<AcquireResult> first = this.quorum.acquire(1, true);
		CompletableFuture<AcquireResult> copy = this.quorum.acquire(1, true);
		assertThat(this.quorum.node(1).acquires).hasSize(1);
		this.quorum.each((node) -> node.grant(100));
		this.quorum.each((node) -> node.accept(true));
		assertThat(QuorumUnderTest.done(copy)).isEqualTo(QuorumUnderTest.done(first));
	}

	@Test
	void acquireWhenFinishedThenEndedWithoutAsking() {
		this.quorum.acquired(1, 100);
		this.quorum.finish(1);
		assertThat(QuorumUnderTest.done(this.quorum.acquire(1, false))).isInstanceOf(AcquireResult.Ended.class);
		assertThat(this.quorum.node(1).acquires).hasSize(1);
	}

	@Test
	void acquireWhenFinishedMeanwhileThenEnded() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.each((node) -> node.grant(100));
		this.quorum.finish(1);
		this.quorum.each((node) -> node.accept(true));
		assertThat(QuorumUnderTest.done(answer)).isInstanceOf(AcquireResult.Ended.class);
	}

	@Test
	void acquireWhenPatientThenAsksAgainUnderHigherNumbersAndEndsAllOfThem() {
		for (int attempt = 1; attempt <= 3; attempt++) {
			CompletableFuture<AcquireResult> answer = this.quorum.acquire(7, true);
			this.quorum.each(ControlledNode::refuse, 1, 2, 3);
			assertThat(QuorumUnderTest.done(answer)).isInstanceOf(AcquireResult.Queued.class);
		}
		assertThat(this.quorum.node(1).acquires).extracting((call) -> call.command().request().number())
			.containsExactly(7L * 65_536 + 1, 7L * 65_536 + 2, 7L * 65_536 + 3);
		assertThat(this.quorum.node(1).acquires).allMatch((call) -> !call.command().queue());
		this.quorum.finish(7);
		assertThat(this.quorum.node(1).finishes.get(0).command().number()).isEqualTo(7L * 65_536 + 3);
	}

	@Test
	void acquireWhenPatientThenPausesByChanceAndLonger() {
		this.quorum.chance = 0;
		assertThat(pause(1)).isEqualTo(Duration.ofMillis(1));
		this.quorum.chance = 1;
		assertThat(pause(2)).isEqualTo(Duration.ofMillis(51));
		assertThat(pause(2)).isEqualTo(Duration.ofMillis(101));
		assertThat(pause(2)).isEqualTo(Duration.ofMillis(201));
		assertThat(pause(2)).isEqualTo(Duration.ofMillis(201));
	}

	@Test
	void acquireWhenTheHolderStaysThenAsksAboutOnceASecond() {
		this.quorum.chance = 1;
		for (int i = 0; i < 4; i++) {
			assertThat(pause(2)).isLessThanOrEqualTo(Duration.ofMillis(201));
		}
		this.quorum.timer.pass(Duration.ofSeconds(5));
		assertThat(pause(2)).isEqualTo(Duration.ofMillis(501));
		this.quorum.timer.pass(Duration.ofSeconds(5));
		assertThat(pause(2)).isEqualTo(Duration.ofMillis(1001));
		this.quorum.timer.pass(Duration.ofSeconds(10));
		assertThat(pause(2)).isEqualTo(Duration.ofMillis(1501));
		this.quorum.chance = 0.5;
		assertThat(pause(2)).isEqualTo(Duration.ofMillis(751));
	}

	@Test
	void acquireWhenTheHolderChangesThenAsksOften() {
		this.quorum.chance = 1;
		pause(2);
		this.quorum.timer.pass(Duration.ofSeconds(10));
		assertThat(pause(2)).isEqualTo(Duration.ofMillis(1001));
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(2, true);
		this.quorum.each((node) -> node.refuse(new Holder("next", "", "", "", "", Instant.EPOCH)));
		assertThat(((AcquireResult.Queued) QuorumUnderTest.done(answer)).pollWithin())
			.isLessThanOrEqualTo(Duration.ofMillis(201));
	}

	private Duration pause(long number) {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(number, true);
		this.quorum.each(ControlledNode::refuse);
		return ((AcquireResult.Queued) QuorumUnderTest.done(answer)).pollWithin();
	}

	@Test
	void acquireWhenLeaseOutlastsQuarantineThenRefused() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false,
				QuorumUnderTest.SETTINGS.quarantine().plusMillis(1));
		assertThat(QuorumUnderTest.failure(answer)).hasMessageContaining("longer than the quarantine of 30000 ms");
		assertThat(this.quorum.node(1).acquires).isEmpty();
	}

	@Test
	void undoWhenNodeIsSilentThenRepeatedUntilItAnswers() {
		this.quorum.acquire(1, false);
		this.quorum.each(ControlledNode::refuse, 1, 2, 3);
		this.quorum.each((node) -> node.finish(FinishResult.UNKNOWN), 4);
		this.quorum.timer.pass(Duration.ofSeconds(4));
		assertThat(this.quorum.node(4).finishes).hasSize(1);
		assertThat(this.quorum.node(5).finishes).hasSizeGreaterThan(3);
		this.quorum.node(5).finish(FinishResult.RELEASED);
		int asked = this.quorum.node(5).finishes.size();
		this.quorum.timer.pass(Duration.ofSeconds(10));
		assertThat(this.quorum.node(5).finishes).hasSize(asked);
	}

	@Test
	void undoWhenNodeNeverAnswersThenRepeatedForTheLease() {
		this.quorum.acquire(1, false);
		this.quorum.each(ControlledNode::refuse, 1, 2, 3);
		this.quorum.timer.pass(QuorumUnderTest.LEASE);
		int asked = this.quorum.node(5).finishes.size();
		assertThat(asked).isGreaterThan(15);
		this.quorum.timer.pass(Duration.ofSeconds(4));
		asked = this.quorum.node(5).finishes.size();
		this.quorum.timer.pass(Duration.ofSeconds(30));
		assertThat(this.quorum.node(5).finishes).hasSize(asked);
	}

	@Test
	void acquireWhenRefusedThenSoonForgotten() {
		this.quorum.acquire(1, false);
		this.quorum.each(ControlledNode::refuse);
		this.quorum.each((node) -> node.finish(FinishResult.UNKNOWN), 4, 5);
		this.quorum.timer.pass(Duration.ofSeconds(3));
		assertThat(this.quorum.store.isIdle()).isTrue();
	}

}
