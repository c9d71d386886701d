package io.distlock.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.Holder;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what every store must do, command by command. Extend this class and return new
 * stores of your kind, all of them on one server. Each test uses separate keys, so that
 * they may run at the same time.
 */
@SuppressWarnings("NullAway") // JUnit fills the fields
@Execution(ExecutionMode.CONCURRENT)
public abstract class LockStoreContract extends OperationsContract {

	private static final Duration LEASE = Duration.ofSeconds(60);

	/** A lease that ends soon, but not before a busy machine has reported the grant. */
	private static final Duration SHORT_LEASE = Duration.ofMillis(500);

	@Nested
	@DisplayName("A request for a free lock")
	class Free {

		@Test
		@DisplayName("is granted with its lease and a positive fencing token")
		void acquireWhenFreeThenGranted() {
			ContractClient one = client("one");
			Grant grant = one.acquired(1, LEASE);
			assertThat(grant.fencingToken()).isPositive().isLessThan(1L << 53);
			assertThat(grant.remainingMillis()).isEqualTo(LEASE.toMillis());
			assertThat(grant.tokens()).isOne();
		}

		@Test
		@DisplayName("may be repeated: the same hold, the same token, the same end")
		void acquireWhenRepeatedThenSameGrant() {
			ContractClient one = client("one");
			Grant first = one.acquired(1, LEASE);
			Grant second = one.acquired(1, LEASE);
			assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
			assertThat(second.expiresAt()).isEqualTo(first.expiresAt());
		}

		@Test
		@DisplayName("gets a higher token than any request before")
		void acquireWhenAgainThenTokenRises() {
			ContractClient one = client("one");
			long last = 0;
			for (int number = 1; number <= 20; number++) {
				long token = one.acquired(number, LEASE).fencingToken();
				assertThat(token).isGreaterThan(last);
				last = token;
				one.finish(number);
			}
		}

		@Test
		@DisplayName("reserves as many tokens as asked for")
		void acquireWhenBlockThenTokensReserved() {
			ContractClient one = client("one");
			Grant block = ContractClient.grant(one.acquire(1, LEASE, false, 10));
			assertThat(block.tokens()).isEqualTo(10);
			one.finish(1);
			assertThat(one.acquired(2, LEASE).fencingToken()).isGreaterThan(block.fencingToken() + 9);
		}

		@Test
		@DisplayName("is visible to operators with its holder")
		void inspectWhenHeldThenTellsHolder() {
			ContractClient one = client("one");
			Grant grant = one.acquired(1, LEASE);
			LockSnapshot snapshot = one.inspect();
			assertThat(snapshot.owner()).isEqualTo(one.request(1));
			assertThat(snapshot.fencingToken()).isEqualTo(grant.fencingToken());
			assertThat(snapshot.remaining()).isPositive().isLessThan(LEASE.plusSeconds(5));
			Holder holder = snapshot.holder();
			assertThat(holder).isNotNull();
			assertThat(holder.application()).isEqualTo("contract; app");
			assertThat(holder.caller()).isEqualTo("Some.method(ü, \"%;\")");
			assertThat(holder.since()).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
		}

	}

	@Nested
	@DisplayName("A request for a held lock")
	class Held {

		@Test
		@DisplayName("is refused when it does not queue, with the holder in the answer")
		void acquireWhenHeldThenBusy() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			AcquireResult result = two.acquire(1, LEASE, false, 1);
			assertThat(result).isInstanceOf(AcquireResult.Busy.class);
			Holder holder = ((AcquireResult.Busy) result).holder();
			assertThat(holder).isNotNull();
			assertThat(holder.instance()).isEqualTo(one.instance());
			assertThat(holder.thread()).isEqualTo("thread of one");
		}

		@Test
		@DisplayName("is over once refused: a late copy of it cannot win")
		void acquireWhenCopyOfRefusedThenEnded() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, false, 1);
			one.finish(1);
			assertThat(two.acquire(1, LEASE, false, 1)).isInstanceOf(AcquireResult.Ended.class);
			assertThat(one.holder()).isNull();
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("queues, and is granted and notified when the holder finishes")
		void acquireWhenQueuedThenGrantedAtFinish() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			long first = one.acquired(1, LEASE).fencingToken();
			AcquireResult queued = two.acquire(1, LEASE, true, 1);
			assertThat(queued).isInstanceOf(AcquireResult.Queued.class);
			assertThat(((AcquireResult.Queued) queued).pollWithin()).isPositive().isLessThanOrEqualTo(LEASE);
			assertThat(one.finish(1)).isEqualTo(FinishResult.RELEASED);
			assertThat(two.holder()).isEqualTo(handsOver() ? two.request(1) : null);
			Grant polled = ContractClient.grant(two.acquire(1, LEASE, true, 1));
			assertThat(polled.fencingToken()).isGreaterThan(first);
			expectConfirmed(polled, LEASE);
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("is granted in the order of arrival")
		void acquireWhenSeveralQueuedThenFirstComeFirstServed() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			ContractClient three = client("three");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			three.acquire(1, LEASE, true, 1);
			two.acquire(1, LEASE, true, 1);
			one.finish(1);
			expectNext(two);
			two.finish(1);
			expectNext(three);
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("cannot overtake queued requests")
		void acquireWhenOthersQueuedThenNoBarging() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			one.finish(1);
			assertThat(one.acquire(2, LEASE, false, 1))
				.isInstanceOf(handsOver() ? AcquireResult.Busy.class : AcquireResult.Granted.class);
		}

		@Test
		@DisplayName("is granted when the lease of a dead holder is over")
		void acquireWhenHolderDeadThenGrantedAfterLease() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, SHORT_LEASE);
			Awaitility.await()
				.pollInterval(Duration.ofMillis(20))
				.until(() -> two.acquire(1, LEASE, true, 1) instanceof AcquireResult.Granted);
			assertThat(one.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
		}

	}

	@Nested
	@DisplayName("Finishing")
	class Finishing {

		@Test
		@DisplayName("a hold frees the lock, and a repetition gives the same answer")
		void finishWhenRepeatedThenSameAnswer() {
			ContractClient one = client("one");
			one.acquired(1, LEASE);
			assertThat(one.finish(1)).isEqualTo(FinishResult.RELEASED);
			assertThat(one.finish(1)).isEqualTo(FinishResult.RELEASED);
			assertThat(one.holder()).isNull();
		}

		@Test
		@DisplayName("a request that never arrived keeps it from winning later")
		void finishWhenBeforeAcquireThenAcquireEnded() {
			ContractClient one = client("one");
			assertThat(one.finish(7)).isEqualTo(FinishResult.UNKNOWN);
			assertThat(one.acquire(7, LEASE, true, 1)).isInstanceOf(AcquireResult.Ended.class);
			assertThat(one.acquire(6, LEASE, true, 1)).isInstanceOf(AcquireResult.Ended.class);
			assertThat(one.holder()).isNull();
			one.acquired(8, LEASE);
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("a queued request takes it out of the queue")
		void finishWhenQueuedThenWithdrawn() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			assertThat(two.finish(1)).isEqualTo(handsOver() ? FinishResult.WITHDRAWN : FinishResult.UNKNOWN);
			one.finish(1);
			assertThat(one.holder()).isNull();
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("a request whose grant is on its way passes the lock on")
		void finishWhenGrantedMeanwhileThenNextOneGranted() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			ContractClient three = client("three");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			three.acquire(1, LEASE, true, 1);
			one.finish(1);
			assertThat(two.finish(1)).isEqualTo(handsOver() ? FinishResult.RELEASED : FinishResult.UNKNOWN);
			expectNext(three);
		}

		@Test
		@DisplayName("an old request leaves a newer hold of the same instance alone")
		void finishWhenOlderThenNewerHoldStays() {
			ContractClient one = client("one");
			one.acquired(1, LEASE);
			one.finish(1);
			one.acquired(2, LEASE);
			one.finish(1);
			assertThat(one.holder()).isEqualTo(one.request(2));
		}

		@Test
		@DisplayName("another instance's request does nothing to the holder")
		void finishWhenStrangerThenHolderStays() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			assertThat(two.finish(1)).isEqualTo(FinishResult.UNKNOWN);
			assertThat(one.holder()).isEqualTo(one.request(1));
		}

	}

	@Nested
	@DisplayName("A hold that the store keeps after its release")
	class Kept {

		private static final Duration REST = Duration.ofSeconds(5);

		/**
		 * More than the estimate of the rest on a busy machine, and far less than the
		 * lease.
		 */
		private static final Duration CERTAINLY_REST = REST.multipliedBy(3);

		/** The largest error in the estimate of the clock of a place. */
		private static final Duration TOLERANCE = Duration.ofMillis(100);

		@Test
		@DisplayName("keeps out everybody until its end, the former owner too, and nobody renews it")
		void finishWhenKeptThenHeldByNobody() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			Grant grant = one.acquired(1, LEASE);
			long begun = System.nanoTime();
			assertThat(one.finish(1, REST)).isEqualTo(FinishResult.RELEASED);
			LockSnapshot kept = two.inspect();
			assertThat(kept.owner()).isNotNull().matches(RequestId::isKept);
			assertThat(kept.remaining()).isPositive().isLessThan(CERTAINLY_REST);
			assertThat(kept.fencingToken()).isEqualTo(grant.fencingToken());
			assertThat(kept.holds()).singleElement()
				.returns(grant.fencingToken(), LockSnapshot.Hold::fencingToken)
				.returns(kept.owner(), LockSnapshot.Hold::request);
			expectKept(two.acquire(1, LEASE, false, 1), one);
			expectKept(one.acquire(2, LEASE, false, 1), one);
			assertThat(one.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
			Grant next = awaitGrant(two, 2);
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(REST.minus(TOLERANCE));
			assertThat(next.fencingToken()).isGreaterThan(grant.fencingToken());
		}

		@Test
		@DisplayName("ends when it was asked for first, whatever copies of commands still arrive")
		void finishWhenRepeatedThenNeitherLongerNorShorter() {
			ContractClient one = client("one");
			one.acquired(1, LEASE);
			one.finish(1, REST);
			assertThat(one.finish(1, LEASE)).isEqualTo(FinishResult.RELEASED);
			assertThat(one.finish(1)).isEqualTo(FinishResult.RELEASED);
			assertThat(one.acquire(1, LEASE, true, 1)).isInstanceOf(AcquireResult.Ended.class);
			assertThat(one.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
			assertThat(one.inspect().remaining()).isPositive().isLessThan(CERTAINLY_REST);
			one.acquire(2, LEASE, true, 1);
			one.finish(2, LEASE);
			assertThat(one.inspect().remaining()).as("its instance asked anew").isPositive().isLessThan(CERTAINLY_REST);
		}

		@Test
		@DisplayName("may outlast its lease")
		void finishWhenLongerThanTheLeaseThenKept() {
			ContractClient one = client("one");
			one.acquired(1, SHORT_LEASE.multipliedBy(4));
			assertThat(one.finish(1, LEASE)).isEqualTo(FinishResult.RELEASED);
			assertThat(one.inspect().remaining()).isGreaterThan(SHORT_LEASE.multipliedBy(4));
		}

		@Test
		@DisplayName("is followed by who was in the queue, and by the others")
		void finishWhenQueuedThenGrantedAtTheEnd() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			long begun = System.nanoTime();
			one.finish(1, REST);
			AcquireResult queued = two.acquire(1, LEASE, true, 1);
			assertThat(queued).isInstanceOf(AcquireResult.Queued.class);
			assertThat(((AcquireResult.Queued) queued).pollWithin()).isPositive().isLessThan(REST.multipliedBy(2));
			awaitGrant(two, 1);
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(REST.minus(TOLERANCE));
			two.finish(1);
			one.acquired(2, LEASE);
		}

		@Test
		@DisplayName("is there only if the request held the lock")
		void finishWhenNotHeldThenNothingIsKept() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			assertThat(one.finish(1, LEASE)).isEqualTo(FinishResult.UNKNOWN);
			assertThat(one.inspect().holds()).isEmpty();
			one.acquired(2, LEASE);
			two.acquire(1, LEASE, true, 1);
			two.finish(1, LEASE);
			assertThat(one.holder()).isEqualTo(one.request(2));
			one.finish(3, LEASE);
			assertThat(one.inspect().holds()).as("of an older request").isEmpty();
		}

		@Test
		@DisplayName("of a reader lets in readers, and no writer")
		void finishWhenSharedThenReadersOnly() {
			ContractClient one = client("one").sharing(Sharing.SHARED);
			ContractClient two = client("two").sharing(Sharing.SHARED);
			ContractClient writer = client("writer");
			Grant first = one.acquired(1, LEASE);
			two.acquired(1, LEASE);
			assertThat(one.finish(1, LEASE)).isEqualTo(FinishResult.RELEASED);
			two.finish(1);
			assertThat(writer.acquire(1, LEASE, false, 1)).isInstanceOf(AcquireResult.Busy.class);
			assertThat(writer.inspect().holds()).singleElement()
				.returns(first.fencingToken(), LockSnapshot.Hold::fencingToken)
				.matches((hold) -> hold.request().isKept());
			one.acquired(2, LEASE);
			assertThat(writer.inspect().holds()).hasSize(2);
			assertThat(one.finish(2, LEASE)).isEqualTo(FinishResult.RELEASED);
			List<LockSnapshot.Hold> holds = writer.inspect().holds();
			assertThat(holds).hasSize(2).allMatch((hold) -> hold.request().isKept());
			Set<RequestId> kept = writer
				.forceRelease(holds.stream().map(LockSnapshot.Hold::request).toArray(RequestId[]::new));
			assertThat(kept).hasSize(2);
			writer.acquired(2, LEASE);
		}

		@Test
		@DisplayName("of a permit leaves one permit less")
		void finishWhenPermitThenOneLess() {
			if (!countsPermits()) {
				return;
			}
			ContractClient one = client("one").sharing(new Sharing.Permit(2)).further(1);
			ContractClient two = client("two").sharing(new Sharing.Permit(2)).further(1);
			one.acquired(1, LEASE);
			one.finish(1, LEASE);
			one.acquired(2, LEASE);
			assertThat(two.acquire(1, LEASE, false, 1)).isInstanceOf(AcquireResult.Busy.class);
			long begun = System.nanoTime();
			one.finish(2, REST);
			assertThat(two.inspect().holds()).hasSize(2).allMatch((hold) -> hold.request().isKept());
			awaitGrant(two, 2);
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(REST.minus(TOLERANCE));
			assertThat(two.inspect().holds()).hasSize(2).filteredOn((hold) -> hold.request().isKept()).hasSize(1);
		}

		private void expectKept(AcquireResult result, ContractClient former) {
			assertThat(result).isInstanceOf(AcquireResult.Busy.class);
			Holder holder = ((AcquireResult.Busy) result).holder();
			assertThat(holder).isNotNull()
				.returns("contract; app", Holder::application)
				.returns(former.instance(), Holder::instance)
				.returns("", Holder::thread)
				.returns("Some.method(ü, \"%;\") (released, kept for its minimum hold)", Holder::caller);
		}

		private static Grant awaitGrant(ContractClient next, long number) {
			AtomicReference<Grant> grant = new AtomicReference<>();
			Awaitility.await().pollInterval(Duration.ofMillis(20)).until(() -> {
				AcquireResult result = next.acquire(number, LEASE, true, 1);
				if (result instanceof AcquireResult.Granted granted) {
					grant.set(granted.grant());
				}
				return grant.get() != null;
			});
			return grant.get();
		}

	}

	@Nested
	@DisplayName("Renewing")
	class Renewing {

		@Test
		@DisplayName("extends a valid hold and keeps its token")
		void renewWhenHeldThenExtended() {
			ContractClient one = client("one");
			Grant grant = one.acquired(1, Duration.ofSeconds(5));
			RenewResult result = one.renew(1, LEASE);
			assertThat(result).isInstanceOf(RenewResult.Renewed.class);
			Grant renewed = ((RenewResult.Renewed) result).grant();
			assertThat(renewed.fencingToken()).isEqualTo(grant.fencingToken());
			assertThat(renewed.remainingMillis()).isEqualTo(LEASE.toMillis());
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("tells how many instances wait")
		void renewWhenContendedThenCountsWaiters() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			assertThat(((RenewResult.Renewed) one.renew(1, LEASE)).waiters()).isEqualTo(handsOver() ? 1 : 0);
		}

		@Test
		@DisplayName("reserves more tokens when asked, above all earlier ones")
		void renewWhenTokensWantedThenReserved() {
			ContractClient one = client("one");
			Grant grant = ContractClient.grant(one.acquire(1, LEASE, false, 8));
			Grant renewed = ((RenewResult.Renewed) one.renew(1, LEASE, 100)).grant();
			assertThat(renewed.fencingToken()).isGreaterThan(grant.fencingToken() + 7);
			assertThat(renewed.tokens()).isEqualTo(100);
			one.finish(1);
			assertThat(one.acquired(2, LEASE).fencingToken()).isGreaterThan(renewed.fencingToken() + 99);
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("confirms a pushed grant, which then lasts for the lease")
		void renewWhenGrantedByFinishThenLeaseIsFull() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			one.finish(1);
			if (handsOver()) {
				Duration remaining = two.inspect().remaining();
				assertThat(remaining.compareTo(LEASE) < 0).isEqualTo(claimsGrants());
			}
			else {
				assertThat(two.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
				two.acquired(1, LEASE);
			}
			Grant confirmed = ((RenewResult.Renewed) two.renew(1, LEASE)).grant();
			assertThat(confirmed.remainingMillis()).isEqualTo(LEASE.toMillis());
		}

		@Test
		@DisplayName("never revives a hold that is over")
		void renewWhenOverThenGone() {
			ContractClient one = client("one");
			one.acquired(1, SHORT_LEASE);
			Awaitility.await().pollInterval(Duration.ofMillis(20)).until(() -> one.holder() == null);
			assertThat(one.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
			one.acquired(2, LEASE);
			one.finish(2);
			assertThat(one.renew(2, LEASE)).isInstanceOf(RenewResult.Gone.class);
			assertThat(one.holder()).isNull();
		}

		@Test
		@DisplayName("never shortens a lease")
		void renewWhenShorterThenEndStays() {
			ContractClient one = client("one");
			one.acquired(1, LEASE);
			Grant shorter = ((RenewResult.Renewed) one.renew(1, SHORT_LEASE)).grant();
			assertThat(shorter.remainingMillis()).as("what was asked for").isEqualTo(SHORT_LEASE.toMillis());
			assertThat(one.inspect().remaining()).isGreaterThan(SHORT_LEASE);
		}

		@Test
		@DisplayName("another instance's hold is refused")
		void renewWhenStrangerThenGone() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			assertThat(two.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
		}

	}

	@Nested
	@DisplayName("An instance")
	class Instance {

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("that asks anew has given up its former hold, and queued request")
		void acquireWhenNewerRequestThenFormerEnds() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			assertThat(one.acquired(2, LEASE).fencingToken()).isPositive();
			assertThat(one.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
			two.acquire(1, LEASE, true, 1);
			two.acquire(2, LEASE, true, 1);
			assertThat(two.acquire(1, LEASE, true, 1)).isInstanceOf(AcquireResult.Ended.class);
			one.finish(2);
			if (!handsOver()) {
				two.acquired(2, LEASE);
			}
			assertThat(one.holder()).isEqualTo(two.request(2));
		}

		@Test
		@DisplayName("that waits is notified of its grant, once its subscription stands")
		void acquireWhenQueuedThenToldOfGrant() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			AtomicLong round = new AtomicLong();
			Awaitility.await().until(() -> {
				long number = round.incrementAndGet();
				one.acquired(number, LEASE);
				two.acquire(number, LEASE, true, 1);
				one.finish(number);
				if (handsOver() && notifies()) {
					two.awaitGrant();
				}
				two.finish(number);
				return (handsOver() && notifies()) ? !two.grants().isEmpty() : number == 10;
			});
			assertThat(two.grants().isEmpty()).isEqualTo(!(handsOver() && notifies()));
			assertThat(one.grants()).isEmpty();
			assertThat(two.grants()).allMatch((request) -> request.instance().equals(two.instance())
					&& request.number() >= 1 && request.number() <= round.get());
		}

		@Test
		@DisplayName("may use any key")
		void acquireWhenHostileKeyThenIndependentLocks() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			List<String> keys = List.of("{a}b", "{a}c", "a:b;c,d", "%41", "A", "line\r\nbreak", "\u0000", "é",
					"e\u0301", "\uD83D\uDE00", "a b", " ", "*");
			for (String hostile : keys) {
				one.keyed(hostile).acquired(1, LEASE);
			}
			for (String hostile : keys) {
				assertThat(two.keyed(hostile).acquire(1, LEASE, false, 1)).as(hostile)
					.isInstanceOf(AcquireResult.Busy.class);
				assertThat(one.keyed(hostile).finish(1)).isEqualTo(FinishResult.RELEASED);
			}
		}

	}

}
