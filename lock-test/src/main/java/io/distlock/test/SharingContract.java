package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.LockStoreException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Capability;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The part of a store's contract about locks that several owners hold together. */
@SuppressWarnings("NullAway") // JUnit fills the fields
abstract class SharingContract {

	private static final Duration LEASE = Duration.ofSeconds(60);

	private static final Duration SHORT_LEASE = Duration.ofMillis(300);

	private static final Sharing TWO = new Sharing.Permit(2);

	private static final Sharing THREE = new Sharing.Permit(3);

	String key = newKey();

	private final List<LockStore> started = new ArrayList<>();

	/**
	 * Creates a store, not started yet.
	 * @return a new client of the one server
	 */
	protected abstract LockStore newStore();

	/**
	 * Returns whether a request that may queue stays in the store, and a release makes
	 * the first request in the queue the holder in the same step. Otherwise waiting
	 * requests have to ask again, and are served in no order.
	 * @return {@code true} unless the store has no queue
	 */
	protected boolean handsOver() {
		return true;
	}

	/**
	 * Returns whether a pushed grant has a short lease until it is confirmed. Otherwise
	 * it lasts as long as the session of its process.
	 * @return {@code true} unless sessions end holds
	 */
	protected boolean claimsGrants() {
		return true;
	}

	/**
	 * Returns whether messages reach waiters and holders. Otherwise they learn of changes
	 * when they ask again.
	 * @return {@code true} unless the store sends none
	 */
	protected boolean notifies() {
		return true;
	}

	/**
	 * Returns whether the store can count permits. Otherwise it refuses them.
	 * @return {@code true} unless it cannot
	 */
	protected boolean countsPermits() {
		return true;
	}

	private static String newKey() {
		return "contract:" + UUID.randomUUID();
	}

	/** Lets new clients use another lock. */
	final void useNewKey() {
		this.key = newKey();
	}

	@AfterEach
	void stopStores() {
		this.started.forEach(LockStore::stop);
	}

	final ContractClient client(String name) {
		ContractClient client = new ContractClient(newStore(),
				name + "-" + UUID.randomUUID().toString().substring(0, 8), this.key);
		this.started.add(client.store());
		client.start();
		return client;
	}

	final ContractClient reader(String name) {
		return client(name).sharing(Sharing.SHARED);
	}

	/**
	 * Expects that the store has handed the lock over to the next client. If the store
	 * cannot hand over, expects no holder and lets the next client acquire the lock.
	 */
	final void expectNext(ContractClient next) {
		expectNext(next, 1);
	}

	private void expectNext(ContractClient next, long number) {
		assertThat(next.holder()).isEqualTo(handsOver() ? next.request(number) : null);
		if (!handsOver()) {
			next.acquired(number, LEASE);
		}
	}

	/**
	 * Expects a lease that counts from the confirmation of a claim, or else from the
	 * grant.
	 */
	final void expectConfirmed(Grant grant, Duration lease) {
		assertThat(grant.remainingMillis()).isLessThanOrEqualTo(lease.toMillis())
			.isGreaterThanOrEqualTo(claimsGrants() ? lease.toMillis() : lease.minusSeconds(5).toMillis());
	}

	private static List<RequestId> holders(ContractClient observer) {
		return observer.inspect().holds().stream().map(LockSnapshot.Hold::request).toList();
	}

	private static void expectWaits(AcquireResult result) {
		assertThat(result).isInstanceOf(AcquireResult.Queued.class);
	}

	private static void expectBusy(AcquireResult result) {
		assertThat(result).isInstanceOf(AcquireResult.Busy.class);
	}

	@Nested
	@DisplayName("Sharers")
	class Sharers {

		@Test
		@DisplayName("hold a lock together, with rising tokens, and end one by one")
		void acquireWhenSharedThenTogether() {
			ContractClient one = reader("one");
			ContractClient two = reader("two");
			Grant first = one.acquired(1, LEASE);
			Grant second = ContractClient.grant(two.acquire(1, LEASE, false, 5));
			assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
			assertThat(second.tokens()).isEqualTo(5);
			assertThat(one.acquired(1, LEASE)).extracting(Grant::fencingToken, Grant::expiresAt)
				.containsExactly(first.fencingToken(), first.expiresAt());
			assertThat(holders(one)).containsExactlyInAnyOrder(one.request(1), two.request(1));
			assertThat(one.finish(1)).isEqualTo(FinishResult.RELEASED);
			assertThat(one.finish(1)).isEqualTo(FinishResult.RELEASED);
			assertThat(holders(one)).containsExactly(two.request(1));
			assertThat(two.finish(1)).isEqualTo(FinishResult.RELEASED);
			assertThat(holders(one)).isEmpty();
			Grant alone = one.sharing(Sharing.EXCLUSIVE).acquired(2, LEASE);
			assertThat(alone.fencingToken()).isGreaterThan(second.fencingToken() + 4);
		}

		@Test
		@DisplayName("are visible to operators, without an owner")
		void inspectWhenSharedThenTellsAll() {
			ContractClient one = reader("one");
			ContractClient two = reader("two");
			Grant first = one.acquired(1, LEASE);
			Grant second = two.acquired(1, Duration.ofSeconds(9));
			LockSnapshot snapshot = one.inspect();
			assertThat(snapshot.owner()).isNull();
			assertThat(snapshot.fencingToken()).isGreaterThanOrEqualTo(second.fencingToken());
			assertThat(snapshot.holds()).extracting(LockSnapshot.Hold::request)
				.containsExactly(one.request(1), two.request(1));
			assertThat(snapshot.holds()).extracting(LockSnapshot.Hold::fencingToken)
				.containsExactly(first.fencingToken(), second.fencingToken());
			assertThat(snapshot.holds()).extracting((hold) -> hold.holder().instance())
				.containsExactly(one.instance(), two.instance());
			assertThat(snapshot.holder().instance()).isEqualTo(two.instance());
			assertThat(snapshot.remaining()).isPositive().isLessThan(snapshot.holds().get(0).remaining());
		}

		@Test
		@DisplayName("keep out an exclusive request, whose answer names one of them")
		void acquireWhenSharedAndAloneWantedThenBusy() {
			ContractClient one = reader("one");
			ContractClient two = reader("two");
			ContractClient three = client("three");
			one.acquired(1, LEASE);
			two.acquired(1, LEASE);
			AcquireResult refused = three.acquire(1, LEASE, false, 1);
			expectBusy(refused);
			assertThat(((AcquireResult.Busy) refused).holder().instance()).isIn(one.instance(), two.instance());
			one.finish(1);
			expectBusy(three.acquire(2, LEASE, false, 1));
			two.finish(1);
			three.acquired(3, LEASE);
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("keep their hold while a writer of the same engine waits, which keeps out later ones")
		void acquireWhenAWriterOfTheSameEngineWaitsThenLaterSharersWait() {
			ContractClient one = reader("one");
			ContractClient writer = one.writer();
			ContractClient two = reader("two");
			AtomicLong round = new AtomicLong();
			// Messages do not reach the engine before it has subscribed.
			Awaitility.await().until(() -> {
				long number = round.incrementAndGet();
				Grant shared = one.acquired(number, LEASE);
				expectWaits(writer.acquire(number, LEASE, true, 1));
				if (handsOver()) {
					expectWaits(two.acquire(number, LEASE, true, 1));
					assertThat(one.inspect().waiters()).containsExactly(writer.instance(), two.instance());
				}
				assertThat(one.renew(number, LEASE)).isInstanceOf(RenewResult.Renewed.class);
				assertThat(holders(one)).containsExactly(one.request(number));
				assertThat(one.finish(number)).isEqualTo(FinishResult.RELEASED);
				expectNext(writer, number);
				boolean told = isToldOf(one, writer.request(number));
				assertThat(writer.acquired(number, LEASE).fencingToken()).isGreaterThan(shared.fencingToken());
				assertThat(two.acquire(number, LEASE, true, 1)).isInstanceOf(AcquireResult.Queued.class);
				assertThat(writer.finish(number)).isEqualTo(FinishResult.RELEASED);
				two.acquired(number, LEASE);
				assertThat(holders(one)).containsExactly(two.request(number));
				assertThat(two.finish(number)).isEqualTo(FinishResult.RELEASED);
				return told;
			});
		}

		/**
		 * Returns whether the client was notified of the grant, or {@code true} if the
		 * store does not notify.
		 */
		private boolean isToldOf(ContractClient client, RequestId grant) {
			if (!handsOver() || !notifies()) {
				return true;
			}
			client.awaitGrant();
			return client.grants().contains(grant);
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("are not ended by the end of a writer of the same engine, and join again")
		void finishWhenAWriterOfTheSameEngineWaitedThenSharersStay() {
			ContractClient one = reader("one");
			ContractClient writer = one.writer();
			ContractClient two = reader("two");
			one.acquired(1, LEASE);
			expectWaits(writer.acquire(2, LEASE, true, 1));
			assertThat(writer.finish(2)).isEqualTo(handsOver() ? FinishResult.WITHDRAWN : FinishResult.UNKNOWN);
			two.acquired(1, LEASE);
			assertThat(holders(one)).containsExactlyInAnyOrder(one.request(1), two.request(1));
			assertThat(one.finish(1)).isEqualTo(FinishResult.RELEASED);
		}

		@Test
		@DisplayName("are kept out by an exclusive holder")
		void acquireWhenOwnedThenSharersBusy() {
			ContractClient one = client("one");
			ContractClient two = reader("two");
			one.acquired(1, LEASE);
			AcquireResult refused = two.acquire(1, LEASE, false, 1);
			expectBusy(refused);
			assertThat(((AcquireResult.Busy) refused).holder().instance()).isEqualTo(one.instance());
			one.finish(1);
			assertThat(two.acquire(1, LEASE, false, 1)).isInstanceOf(AcquireResult.Ended.class);
			two.acquired(2, LEASE);
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("do not overtake a waiter for an exclusive hold")
		void acquireWhenWriterWaitsThenReadersBehind() {
			ContractClient one = reader("one");
			ContractClient writer = client("writer");
			ContractClient late = reader("late");
			one.acquired(1, LEASE);
			expectWaits(writer.acquire(1, LEASE, true, 1));
			if (!handsOver()) {
				return;
			}
			expectWaits(late.acquire(1, LEASE, true, 1));
			expectWaits(late.acquire(1, LEASE, true, 1));
			expectBusy(reader("later").acquire(1, LEASE, false, 1));
			assertThat(one.acquired(1, LEASE)).isNotNull();
			one.finish(1);
			assertThat(one.inspect().owner()).isEqualTo(writer.request(1));
			writer.finish(1);
			assertThat(holders(one)).containsExactly(late.request(1));
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("that wait side by side are admitted together, up to the first exclusive request")
		void finishWhenSharersWaitThenAllGranted() {
			if (!handsOver()) {
				return;
			}
			ContractClient writer = client("writer");
			ContractClient one = reader("one");
			ContractClient two = reader("two");
			ContractClient next = client("next");
			ContractClient late = reader("late");
			long last = writer.acquired(1, LEASE).fencingToken();
			List.of(one, two, next, late).forEach((client) -> expectWaits(client.acquire(1, LEASE, true, 2)));
			writer.finish(1);
			assertThat(holders(one)).containsExactly(one.request(1), two.request(1));
			for (ContractClient client : List.of(one, two)) {
				Grant grant = client.acquired(1, LEASE);
				expectConfirmed(grant, LEASE);
				assertThat(grant.fencingToken()).isGreaterThan(last);
				last = grant.fencingToken() + 1;
			}
			one.finish(1);
			assertThat(holders(one)).containsExactly(two.request(1));
			two.finish(1);
			assertThat(one.holder()).isEqualTo(next.request(1));
			next.finish(1);
			assertThat(holders(one)).containsExactly(late.request(1));
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("are let in when the one before them gives up waiting")
		void finishWhenWriterGivesUpThenReadersGranted() {
			if (!handsOver()) {
				return;
			}
			ContractClient one = reader("one");
			ContractClient writer = client("writer");
			ContractClient late = reader("late");
			one.acquired(1, LEASE);
			writer.acquire(1, LEASE, true, 1);
			late.acquire(1, LEASE, true, 1);
			assertThat(writer.finish(1)).isEqualTo(FinishResult.WITHDRAWN);
			assertThat(holders(one)).containsExactly(one.request(1), late.request(1));
		}

		@Test
		@DisplayName("renew and lose their hold for themselves")
		void renewWhenSharedThenOwnHold() {
			ContractClient one = reader("one");
			ContractClient two = reader("two");
			Grant first = one.acquired(1, SHORT_LEASE);
			Grant second = two.acquired(1, Duration.ofSeconds(10));
			Grant renewed = ((RenewResult.Renewed) two.renew(1, LEASE)).grant();
			assertThat(renewed.fencingToken()).isEqualTo(second.fencingToken());
			assertThat(renewed.remainingMillis()).isEqualTo(LEASE.toMillis());
			Grant more = ((RenewResult.Renewed) two.renew(1, LEASE, 10)).grant();
			assertThat(more.fencingToken()).isGreaterThan(second.fencingToken()).isGreaterThan(first.fencingToken());
			Awaitility.await()
				.pollInterval(Duration.ofMillis(20))
				.until(() -> holders(one).equals(List.of(two.request(1))));
			assertThat(one.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
			assertThat(two.renew(2, LEASE)).isInstanceOf(RenewResult.Gone.class);
			long later = one.acquired(2, LEASE).fencingToken();
			assertThat(later).isGreaterThan(more.fencingToken() + 9);
			assertThat(one.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
		}

		@Test
		@DisplayName("that died do not keep out others longer than their lease")
		void acquireWhenSharerDeadThenGrantedAfterLease() {
			ContractClient one = reader("one");
			ContractClient two = client("two");
			one.acquired(1, SHORT_LEASE);
			Awaitility.await()
				.pollInterval(Duration.ofMillis(20))
				.until(() -> two.acquire(1, LEASE, true, 1) instanceof AcquireResult.Granted);
			assertThat(two.holder()).isEqualTo(two.request(1));
			assertThat(one.finish(1)).isEqualTo(FinishResult.UNKNOWN);
			assertThat(one.acquire(1, LEASE, true, 1)).isInstanceOf(AcquireResult.Ended.class);
		}

		@Test
		@DisplayName("that ended cannot come back by a late copy")
		void acquireWhenCopyOfEndedThenEnded() {
			ContractClient one = reader("one");
			ContractClient two = reader("two");
			one.acquired(1, LEASE);
			two.acquired(3, LEASE);
			two.finish(3);
			assertThat(two.acquire(3, LEASE, true, 1)).isInstanceOf(AcquireResult.Ended.class);
			assertThat(two.acquire(2, LEASE, true, 1)).isInstanceOf(AcquireResult.Ended.class);
			assertThat(two.finish(2)).isEqualTo(FinishResult.UNKNOWN);
			two.acquired(4, LEASE);
			two.finish(3);
			assertThat(holders(one)).containsExactly(one.request(1), two.request(4));
			two.acquired(5, LEASE);
			assertThat(two.renew(4, LEASE)).isInstanceOf(RenewResult.Gone.class);
			assertThat(holders(one)).containsExactly(one.request(1), two.request(5));
		}

		@Test
		@DisplayName("may become the owner by asking anew")
		void acquireWhenSharerAsksAloneThenOwner() {
			ContractClient one = reader("one");
			one.acquired(1, LEASE);
			one.sharing(Sharing.EXCLUSIVE).acquired(2, LEASE);
			assertThat(one.holder()).isEqualTo(one.request(2));
			one.acquired(3, LEASE);
			assertThat(one.holder()).isNull();
			assertThat(holders(one)).containsExactly(one.request(3));
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("are all notified when a waiter arrives")
		void acquireWhenSharedThenAllToldOfWaiter() {
			ContractClient one = reader("one");
			ContractClient two = reader("two");
			ContractClient writer = client("writer");
			one.acquired(1, LEASE);
			two.acquired(1, LEASE);
			if (!handsOver()) {
				return;
			}
			AtomicLong round = new AtomicLong();
			Awaitility.await().until(() -> {
				writer.acquire(round.incrementAndGet(), LEASE, true, 1);
				assertThat(((RenewResult.Renewed) one.renew(1, LEASE)).waiters()).isOne();
				writer.finish(round.get());
				return notifies() ? !one.contentions().isEmpty() && !two.contentions().isEmpty() : round.get() == 5;
			});
			assertThat(List.copyOf(one.contentions())).allMatch(SharingContract.this.key::equals)
				.matches((keys) -> keys.isEmpty() != notifies());
			assertThat(writer.contentions()).isEmpty();
		}

	}

	@Nested
	@DisplayName("Permits")
	class Permits {

		@Test
		@DisplayName("are given to so many, of different engines or of one")
		void acquireWhenPermitsThenThatMany() {
			ContractClient one = client("one").sharing(TWO);
			assertThat(!one.store().unsupported().contains(Capability.PERMITS)).isEqualTo(countsPermits());
			if (!countsPermits()) {
				assertThatThrownBy(() -> one.store()
					.acquire(one.command(1, LEASE, false, 1))
					.toCompletableFuture()
					.get(5, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
					.hasCauseInstanceOf(LockStoreException.class)
					.hasMessageContaining("permits");
				return;
			}
			ContractClient two = client("two").sharing(TWO);
			Grant first = one.further(1).acquired(1, LEASE);
			Grant second = one.further(2).acquired(1, LEASE);
			assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
			expectBusy(one.further(3).acquire(1, LEASE, false, 1));
			expectBusy(two.acquire(1, LEASE, false, 1));
			assertThat(one.further(2).renew(1, LEASE)).isInstanceOf(RenewResult.Renewed.class);
			assertThat(one.further(1).finish(1)).isEqualTo(FinishResult.RELEASED);
			two.acquired(2, LEASE);
			assertThat(holders(one)).containsExactly(one.further(2).request(1), two.request(2));
		}

		@Test
		@DisplayName("are as many as the request says")
		void acquireWhenPermitsDifferThenThoseOfAsker() {
			if (!countsPermits()) {
				return;
			}
			ContractClient one = client("one").sharing(TWO);
			one.further(1).acquired(1, LEASE);
			one.further(2).acquired(1, LEASE);
			ContractClient two = client("two");
			expectBusy(two.sharing(TWO).acquire(1, LEASE, false, 1));
			two.sharing(THREE).acquired(2, LEASE);
			one.further(1).finish(1);
			expectBusy(one.further(3).acquire(1, LEASE, false, 1));
			one.further(2).finish(1);
			one.further(3).acquired(2, LEASE);
		}

		@Test
		@DisplayName("exclude sharers and owners")
		void acquireWhenOtherKindThenBusy() {
			if (!countsPermits()) {
				return;
			}
			ContractClient one = client("one").sharing(TWO);
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			expectBusy(two.acquire(1, LEASE, false, 1));
			expectBusy(two.sharing(Sharing.SHARED).acquire(2, LEASE, false, 1));
			one.finish(1);
			two.sharing(Sharing.SHARED).acquired(3, LEASE);
			expectBusy(one.acquire(2, LEASE, false, 1));
			two.acquired(4, LEASE);
			expectBusy(one.acquire(3, LEASE, false, 1));
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("pass to waiters in the order of arrival, one for one")
		void finishWhenPermitsWaitedForThenNextOneGranted() {
			if (!countsPermits()) {
				return;
			}
			ContractClient one = client("one").sharing(TWO);
			ContractClient two = client("two").sharing(TWO);
			ContractClient three = client("three");
			one.further(1).acquired(1, LEASE);
			one.further(2).acquired(1, LEASE);
			expectWaits(two.further(1).acquire(1, LEASE, true, 1));
			expectWaits(two.further(2).acquire(1, LEASE, true, 1));
			expectWaits(three.acquire(1, LEASE, true, 1));
			assertThat(three.inspect().waiters()).containsExactly(two.further(1).instance(), two.further(2).instance(),
					three.instance());
			one.further(1).finish(1);
			assertThat(holders(one)).containsExactly(one.further(2).request(1), two.further(1).request(1));
			one.further(2).finish(1);
			assertThat(holders(one)).containsExactly(two.further(1).request(1), two.further(2).request(1));
			two.further(1).finish(1);
			assertThat(holders(one)).containsExactly(two.further(2).request(1));
			two.further(2).finish(1);
			assertThat(one.holder()).isEqualTo(three.request(1));
		}

		@Test
		@DisplayName("of a dead holder go to waiters when its lease is over")
		void acquireWhenOnePermitExpiredThenGranted() {
			if (!countsPermits()) {
				return;
			}
			ContractClient one = client("one").sharing(TWO);
			ContractClient two = client("two").sharing(TWO);
			one.further(1).acquired(1, SHORT_LEASE);
			one.further(2).acquired(1, LEASE);
			Awaitility.await()
				.pollInterval(Duration.ofMillis(20))
				.until(() -> two.acquire(1, LEASE, true, 1) instanceof AcquireResult.Granted);
			assertThat(holders(one)).containsExactly(one.further(2).request(1), two.request(1));
			assertThat(one.further(1).renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
			assertThat(one.further(1).finish(1)).isEqualTo(FinishResult.UNKNOWN);
		}

		@Test
		@DisplayName("are notified on the channel of the engine, with the request that got one")
		void acquireWhenQueuedThenEngineToldOfRequest() {
			if (!countsPermits()) {
				return;
			}
			ContractClient one = client("one").sharing(new Sharing.Permit(1));
			ContractClient two = client("two").sharing(new Sharing.Permit(1));
			ContractClient waiter = two.further(7);
			AtomicLong round = new AtomicLong();
			Awaitility.await().until(() -> {
				long number = round.incrementAndGet();
				one.further(3).acquired(number, LEASE);
				waiter.acquire(number, LEASE, true, 1);
				one.further(3).finish(number);
				if (notifies()) {
					two.awaitGrant();
				}
				waiter.finish(number);
				return notifies() ? !two.grants().isEmpty() && !one.contentions().isEmpty() : number == 5;
			});
			assertThat(two.grants().isEmpty()).isEqualTo(!notifies());
			assertThat(two.grants()).allMatch((request) -> request.instance().equals(waiter.instance())
					&& request.number() >= 1 && request.number() <= round.get());
			assertThat(one.grants()).isEmpty();
			assertThat(List.copyOf(one.contentions())).allMatch(SharingContract.this.key::equals)
				.matches((keys) -> keys.isEmpty() != notifies());
		}

	}

}
