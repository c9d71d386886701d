package io.distlock.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static io.distlock.spi.FinishResult.EXPIRED;
import static io.distlock.spi.FinishResult.RELEASED;
import static io.distlock.spi.FinishResult.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** How a lock that a majority granted is renewed, and how it ends. */
class RedlockHoldTests {

	private final QuorumUnderTest quorum = new QuorumUnderTest();

	@BeforeEach
	void acquire() {
		this.quorum.acquired(1, 100);
	}

	@Test
	void renewWhenMajorityExtendsThenRenewed() {
		CompletableFuture<RenewResult> answer = this.quorum.renew(1, 0);
		this.quorum.each((node) -> node.renew(100, 8), 1, 2);
		assertThat(answer).isNotDone();
		this.quorum.node(4).renew(100, 8);
		Grant grant = ((RenewResult.Renewed) QuorumUnderTest.done(answer)).grant();
		assertThat(grant.fencingToken()).isEqualTo(100);
		assertThat(grant.remainingMillis()).isEqualTo(QuorumUnderTest.LEASE.toMillis());
		assertThat(this.quorum.node(1).raises).hasSize(1);
	}

	@Test
	void renewWhenLeaseIsShorterThanTheOldOneThenAnswerIsAboutTheNewOne() {
		Duration lease = Duration.ofSeconds(5);
		CompletableFuture<RenewResult> answer = this.quorum.store
			.renew(new RenewCommand(QuorumUnderTest.KEY, QuorumUnderTest.request(1), lease, 0))
			.toCompletableFuture();
		this.quorum.each((node) -> node.renew(100, 8));
		Grant grant = ((RenewResult.Renewed) QuorumUnderTest.done(answer)).grant();
		assertThat(grant.remainingMillis()).isEqualTo(lease.toMillis());
	}

	@Test
	void renewWhenLeaseWasLongerBeforeThenTimeOfTheAnswersDoesNotStandStill() {
		this.quorum.timer.pass(Duration.ofSeconds(4));
		CompletableFuture<RenewResult> shorter = this.quorum.store
			.renew(new RenewCommand(QuorumUnderTest.KEY, QuorumUnderTest.request(1), Duration.ofSeconds(10), 0))
			.toCompletableFuture();
		this.quorum.each((node) -> node.renew(100, 8));
		this.quorum.timer.pass(Duration.ofSeconds(4));
		CompletableFuture<RenewResult> longer = this.quorum.renew(1, 0);
		this.quorum.each((node) -> node.renew(100, 8));
		// The engine would take a step for a clock that jumped.
		assertThat(storeTime(longer) - storeTime(shorter)).isEqualTo(4000);
	}

	private static long storeTime(CompletableFuture<RenewResult> answer) {
		return ((RenewResult.Renewed) QuorumUnderTest.done(answer)).grant().storeTime();
	}

	@Test
	void renewWhenMajorityForgotThenGone() {
		CompletableFuture<RenewResult> answer = this.quorum.renew(1, 0);
		this.quorum.each((node) -> node.renew(100, 8), 1, 2);
		this.quorum.each(ControlledNode::forget, 3, 4);
		assertThat(answer).isNotDone();
		this.quorum.node(5).forget();
		assertThat(QuorumUnderTest.done(answer)).isInstanceOf(RenewResult.Gone.class);
	}

	@Test
	void renewWhenNoMajorityAgreesThenFailsAndLostNodesAreLeftAlone() {
		CompletableFuture<RenewResult> answer = this.quorum.renew(1, 0);
		this.quorum.each((node) -> node.renew(100, 8), 1, 2);
		this.quorum.each(ControlledNode::forget, 3, 4);
		this.quorum.timeout();
		assertThat(QuorumUnderTest.failure(answer)).isInstanceOf(TransientStoreException.class)
			.hasMessageContaining("n5 did not answer");
		assertThat(this.quorum.nodes).allSatisfy((node) -> assertThat(node.acquires).hasSize(1));
	}

	@Test
	void renewWhenAnswersComeAfterTheLeaseThenNotRenewed() {
		CompletableFuture<RenewResult> answer = this.quorum.renew(1, 0);
		this.quorum.timer.jump(QuorumUnderTest.LEASE.minusMillis(40));
		this.quorum.each((node) -> node.renew(100, 8));
		assertThat(QuorumUnderTest.failure(answer)).isInstanceOf(TransientStoreException.class);
	}

	@Test
	void renewWhenTokensWantedThenOnlyThoseThatAMajorityAccepted() {
		CompletableFuture<RenewResult> answer = this.quorum.renew(1, 50);
		this.quorum.node(1).renew(500, 50);
		this.quorum.node(2).renew(700, 50);
		this.quorum.node(3).renew(600, 50);
		this.quorum.each((node) -> node.accept(true), 1, 2);
		assertThat(answer).isNotDone();
		assertThat(this.quorum.node(5).raises.get(1).command()).isEqualTo(700);
		assertThat(this.quorum.node(5).blocks).as("it missed the renewal").containsExactly(8, 50);
		this.quorum.node(5).accept(true);
		Grant grant = ((RenewResult.Renewed) QuorumUnderTest.done(answer)).grant();
		assertThat(grant.fencingToken()).isEqualTo(700);
		assertThat(grant.tokens()).isEqualTo(50);
	}

	@Test
	void renewWhenTokensAreNotAcceptedThenRenewedWithTheOldOnes() {
		CompletableFuture<RenewResult> answer = this.quorum.renew(1, 50);
		this.quorum.each((node) -> node.renew(700, 50));
		this.quorum.each((node) -> node.accept(true), 1, 2);
		this.quorum.each((node) -> node.accept(false), 3, 4, 5);
		Grant grant = ((RenewResult.Renewed) QuorumUnderTest.done(answer)).grant();
		assertThat(grant.fencingToken()).isEqualTo(100);
		assertThat(grant.tokens()).isEqualTo(8);
	}

	@Test
	void renewWhenNotHeldThenGoneWithoutAsking() {
		assertThat(QuorumUnderTest.done(this.quorum.renew(2, 0))).isInstanceOf(RenewResult.Gone.class);
		this.quorum.finish(1);
		assertThat(QuorumUnderTest.done(this.quorum.renew(1, 0))).isInstanceOf(RenewResult.Gone.class);
		assertThat(this.quorum.node(1).renewals).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("endings")
	void finishWhenMajorityAnsweredThenSaysWhatItWas(List<FinishResult> answers, FinishResult expected) {
		CompletableFuture<FinishResult> answer = this.quorum.finish(1);
		for (int i = 0; i < answers.size(); i++) {
			this.quorum.nodes.get(i).finish(answers.get(i));
		}
		this.quorum.timeout();
		assertThat(QuorumUnderTest.done(answer)).isEqualTo(expected);
	}

	static Stream<Arguments> endings() {
		return Stream.of(arguments(List.of(RELEASED, RELEASED, RELEASED), RELEASED),
				arguments(List.of(RELEASED, RELEASED, UNKNOWN, UNKNOWN, RELEASED), RELEASED),
				arguments(List.of(RELEASED, RELEASED, UNKNOWN, UNKNOWN), RELEASED),
				arguments(List.of(RELEASED, RELEASED, UNKNOWN, UNKNOWN, UNKNOWN), UNKNOWN),
				arguments(List.of(UNKNOWN, UNKNOWN, UNKNOWN), UNKNOWN),
				arguments(List.of(EXPIRED, RELEASED, UNKNOWN, EXPIRED, UNKNOWN), EXPIRED),
				arguments(List.of(RELEASED, EXPIRED, RELEASED, EXPIRED, RELEASED), RELEASED));
	}

	@Test
	void finishWhenTooFewAnswerThenFailsAndRepetitionIsTheSameRequest() {
		CompletableFuture<FinishResult> answer = this.quorum.finish(1);
		this.quorum.each((node) -> node.finish(RELEASED), 1, 2);
		this.quorum.timeout();
		assertThat(QuorumUnderTest.failure(answer)).isInstanceOf(TransientStoreException.class)
			.hasMessageStartingWith("3 of 5 nodes");
		CompletableFuture<FinishResult> again = this.quorum.finish(1);
		this.quorum.each((node) -> node.finish(RELEASED));
		assertThat(QuorumUnderTest.done(again)).isEqualTo(RELEASED);
		assertThat(this.quorum.node(1).finishes)
			.allMatch((call) -> call.command().equals(this.quorum.node(1).acquires.get(0).command().request()));
	}

	@Test
	void finishWhenNodeIsAwayThenRepeatedThereInTheBackground() {
		CompletableFuture<FinishResult> answer = this.quorum.finish(1);
		this.quorum.each((node) -> node.finish(RELEASED), 1, 2, 3);
		assertThat(QuorumUnderTest.done(answer)).isEqualTo(RELEASED);
		this.quorum.node(4).finishes.get(0)
			.answer()
			.completeExceptionally(new TransientStoreException("", "Connection refused", null));
		this.quorum.timer.pass(Duration.ofSeconds(3));
		assertThat(this.quorum.node(3).finishes).hasSize(1);
		assertThat(this.quorum.node(4).finishes).hasSizeGreaterThan(2);
		assertThat(this.quorum.node(5).finishes).hasSizeGreaterThan(2);
	}

	/** A newer request ends the older ones of its own participant only. */
	@Test
	void finishWhenNodeIsAwayThenWhatOtherParticipantsEndIsRepeatedThereToo() {
		List<RequestId> ended = List.of(QuorumUnderTest.request(1), new RequestId("one", RequestId.WRITER, 2),
				new RequestId("other", 3));
		for (RequestId request : ended) {
			this.quorum.store.finish(QuorumUnderTest.KEY, request, Duration.ZERO);
			this.quorum.each((node) -> node.finish(RELEASED), 1, 2, 3, 4);
		}
		this.quorum.timer.pass(Duration.ofSeconds(3));
		for (RequestId request : ended) {
			assertThat(this.quorum.node(4).finishes).filteredOn((call) -> isOf(request, call)).hasSize(1);
			assertThat(this.quorum.node(5).finishes).filteredOn((call) -> isOf(request, call))
				.hasSizeGreaterThan(2)
				.first()
				.satisfies((call) -> call.answer().complete(RELEASED));
		}
		this.quorum.timer.pass(QuorumUnderTest.LEASE);
		assertThat(this.quorum.store.isIdle()).isTrue();
	}

	private static boolean isOf(RequestId request, ControlledNode.Call<RequestId, FinishResult> call) {
		return QuorumRequest.ofAttempt(call.command()).equals(request);
	}

	@Test
	void finishWhenConfirmedEverywhereThenSoonForgotten() {
		this.quorum.finish(1);
		this.quorum.each((node) -> node.finish(RELEASED));
		assertThat(this.quorum.store.isIdle()).as("a repetition must get the same answer").isFalse();
		this.quorum.timer.pass(Duration.ofSeconds(3));
		assertThat(this.quorum.store.isIdle()).isTrue();
	}

	@Test
	void finishWhenNeverConfirmedThenForgottenWithTheLease() {
		this.quorum.finish(1);
		this.quorum.timer.pass(QuorumUnderTest.LEASE);
		assertThat(this.quorum.store.isIdle()).isFalse();
		this.quorum.timer.pass(Duration.ofSeconds(5));
		assertThat(this.quorum.store.isIdle()).isTrue();
	}

	/** Or else no node would be told again, and requests would pile up for ever. */
	@Test
	void finishWhenAnErrorIsThrownLaterThenNodesAreToldAgainNevertheless() {
		this.quorum.finish(1);
		this.quorum.each((node) -> node.broken = true);
		assertThatExceptionOfType(NoClassDefFoundError.class)
			.isThrownBy(() -> this.quorum.timer.pass(Duration.ofSeconds(5)));
		this.quorum.each((node) -> node.broken = false);
		int told = this.quorum.told().size();
		this.quorum.timer.pass(Duration.ofSeconds(5));
		assertThat(this.quorum.told()).hasSizeGreaterThan(told);
	}

}
