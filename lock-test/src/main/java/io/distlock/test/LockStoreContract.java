package io.distlock.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.Holder;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import io.distlock.spi.TransientStoreException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every store must do, command by command. Extend it, return a new store of your
 * kind, all of them on one server; the tests use keys of their own.
 */
@SuppressWarnings("NullAway") // JUnit fills the fields
public abstract class LockStoreContract {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final Duration SHORT_LEASE = Duration.ofMillis(150);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final List<LockStore> started = new ArrayList<>();

	private final String key = "contract:" + UUID.randomUUID();

	/**
	 * Creates a store, not started yet.
	 * @return a new client of the one server
	 */
	protected abstract LockStore newStore();

	/**
	 * Whether a request that may queue stays in the store, and a release makes the first
	 * one in the queue the holder in the same step. If not, who waits is to ask again,
	 * and is served in no order.
	 * @return {@code true} unless the store has no queue
	 */
	protected boolean handsOver() {
		return true;
	}

	@AfterEach
	void stopStores() {
		this.started.forEach(LockStore::stop);
	}

	private Client client(String name) {
		Client client = new Client(newStore(), name + "-" + UUID.randomUUID().toString().substring(0, 8));
		this.started.add(client.store);
		client.store.start(client.instance, client);
		awaitConnection(client.store);
		return client;
	}

	/** In a cold JVM on a busy machine the first connection may take too long. */
	private static void awaitConnection(LockStore store) {
		long begun = System.nanoTime();
		while (true) {
			try {
				store.inspect("first").toCompletableFuture().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
				return;
			}
			catch (Exception ex) {
				if (!(ex.getCause() instanceof TransientStoreException)
						|| System.nanoTime() - begun > TIMEOUT.toNanos()) {
					throw new AssertionError("The store did not connect", ex);
				}
			}
		}
	}

	private static <T> T get(CompletionStage<T> stage) {
		try {
			return stage.toCompletableFuture().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new AssertionError("The store did not answer as it should", ex);
		}
	}

	@Nested
	@DisplayName("A request for a free lock")
	class Free {

		@Test
		@DisplayName("is granted with its lease and a positive fencing token")
		void acquireWhenFreeThenGranted() {
			Client one = client("one");
			Grant grant = one.acquired(1, LEASE);
			assertThat(grant.fencingToken()).isPositive().isLessThan(1L << 53);
			assertThat(grant.remainingMillis()).isEqualTo(LEASE.toMillis());
			assertThat(grant.tokens()).isOne();
		}

		@Test
		@DisplayName("may be repeated: the same hold, the same token, the same end")
		void acquireWhenRepeatedThenSameGrant() {
			Client one = client("one");
			Grant first = one.acquired(1, LEASE);
			Grant second = one.acquired(1, LEASE);
			assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
			assertThat(second.expiresAt()).isEqualTo(first.expiresAt());
		}

		@Test
		@DisplayName("gets a higher token than any request before")
		void acquireWhenAgainThenTokenRises() {
			Client one = client("one");
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
			Client one = client("one");
			Grant block = grant(one.acquire(1, LEASE, false, 10));
			assertThat(block.tokens()).isEqualTo(10);
			one.finish(1);
			assertThat(one.acquired(2, LEASE).fencingToken()).isGreaterThan(block.fencingToken() + 9);
		}

		@Test
		@DisplayName("is visible to operators with its holder")
		void inspectWhenHeldThenTellsHolder() {
			Client one = client("one");
			Grant grant = one.acquired(1, LEASE);
			LockSnapshot snapshot = get(one.store.inspect(LockStoreContract.this.key));
			assertThat(snapshot.owner()).isEqualTo(one.request(1));
			assertThat(snapshot.fencingToken()).isEqualTo(grant.fencingToken());
			assertThat(snapshot.remaining()).isPositive().isLessThanOrEqualTo(LEASE);
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
		@DisplayName("is refused when it does not queue, and told who holds the lock")
		void acquireWhenHeldThenBusy() {
			Client one = client("one");
			Client two = client("two");
			one.acquired(1, LEASE);
			AcquireResult result = two.acquire(1, LEASE, false, 1);
			assertThat(result).isInstanceOf(AcquireResult.Busy.class);
			Holder holder = ((AcquireResult.Busy) result).holder();
			assertThat(holder).isNotNull();
			assertThat(holder.instance()).isEqualTo(one.instance);
			assertThat(holder.thread()).isEqualTo("thread of one");
		}

		@Test
		@DisplayName("is over once refused: a late copy of it cannot win")
		void acquireWhenCopyOfRefusedThenEnded() {
			Client one = client("one");
			Client two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, false, 1);
			one.finish(1);
			assertThat(two.acquire(1, LEASE, false, 1)).isInstanceOf(AcquireResult.Ended.class);
			assertThat(one.holder()).isNull();
		}

		@Test
		@DisplayName("queues, and is granted and told when the holder finishes")
		void acquireWhenQueuedThenGrantedAtFinish() {
			Client one = client("one");
			Client two = client("two");
			long first = one.acquired(1, LEASE).fencingToken();
			AcquireResult queued = two.acquire(1, LEASE, true, 1);
			assertThat(queued).isInstanceOf(AcquireResult.Queued.class);
			assertThat(((AcquireResult.Queued) queued).pollWithin()).isPositive().isLessThanOrEqualTo(LEASE);
			assertThat(one.finish(1)).isEqualTo(FinishResult.RELEASED);
			assertThat(two.holder()).isEqualTo(handsOver() ? two.request(1) : null);
			Grant polled = grant(two.acquire(1, LEASE, true, 1));
			assertThat(polled.fencingToken()).isGreaterThan(first);
			assertThat(polled.remainingMillis()).isEqualTo(LEASE.toMillis());
		}

		@Test
		@DisplayName("is granted in the order of arrival")
		void acquireWhenSeveralQueuedThenFirstComeFirstServed() {
			Client one = client("one");
			Client two = client("two");
			Client three = client("three");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			three.acquire(1, LEASE, true, 1);
			two.acquire(1, LEASE, true, 1);
			one.finish(1);
			one.expectNext(two);
			two.finish(1);
			one.expectNext(three);
		}

		@Test
		@DisplayName("cannot overtake those who queue")
		void acquireWhenOthersQueuedThenNoBarging() {
			Client one = client("one");
			Client two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			one.finish(1);
			assertThat(one.acquire(2, LEASE, false, 1))
				.isInstanceOf(handsOver() ? AcquireResult.Busy.class : AcquireResult.Granted.class);
		}

		@Test
		@DisplayName("is granted when the lease of a dead holder is over")
		void acquireWhenHolderDeadThenGrantedAfterLease() {
			Client one = client("one");
			Client two = client("two");
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
			Client one = client("one");
			one.acquired(1, LEASE);
			assertThat(one.finish(1)).isEqualTo(FinishResult.RELEASED);
			assertThat(one.finish(1)).isEqualTo(FinishResult.RELEASED);
			assertThat(one.holder()).isNull();
		}

		@Test
		@DisplayName("a request that never arrived keeps it from winning later")
		void finishWhenBeforeAcquireThenAcquireEnded() {
			Client one = client("one");
			assertThat(one.finish(7)).isEqualTo(FinishResult.UNKNOWN);
			assertThat(one.acquire(7, LEASE, true, 1)).isInstanceOf(AcquireResult.Ended.class);
			assertThat(one.acquire(6, LEASE, true, 1)).isInstanceOf(AcquireResult.Ended.class);
			assertThat(one.holder()).isNull();
			one.acquired(8, LEASE);
		}

		@Test
		@DisplayName("a queued request takes it out of the queue")
		void finishWhenQueuedThenWithdrawn() {
			Client one = client("one");
			Client two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			assertThat(two.finish(1)).isEqualTo(handsOver() ? FinishResult.WITHDRAWN : FinishResult.UNKNOWN);
			one.finish(1);
			assertThat(one.holder()).isNull();
		}

		@Test
		@DisplayName("a request whose grant is on its way passes the lock on")
		void finishWhenGrantedMeanwhileThenNextOneGranted() {
			Client one = client("one");
			Client two = client("two");
			Client three = client("three");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			three.acquire(1, LEASE, true, 1);
			one.finish(1);
			assertThat(two.finish(1)).isEqualTo(handsOver() ? FinishResult.RELEASED : FinishResult.UNKNOWN);
			one.expectNext(three);
		}

		@Test
		@DisplayName("an old request leaves a newer hold of the same instance alone")
		void finishWhenOlderThenNewerHoldStays() {
			Client one = client("one");
			one.acquired(1, LEASE);
			one.finish(1);
			one.acquired(2, LEASE);
			one.finish(1);
			assertThat(one.holder()).isEqualTo(one.request(2));
		}

		@Test
		@DisplayName("somebody else's request does nothing to the holder")
		void finishWhenStrangerThenHolderStays() {
			Client one = client("one");
			Client two = client("two");
			one.acquired(1, LEASE);
			assertThat(two.finish(1)).isEqualTo(FinishResult.UNKNOWN);
			assertThat(one.holder()).isEqualTo(one.request(1));
		}

	}

	@Nested
	@DisplayName("Renewing")
	class Renewing {

		@Test
		@DisplayName("extends a valid hold and keeps its token")
		void renewWhenHeldThenExtended() {
			Client one = client("one");
			Grant grant = one.acquired(1, Duration.ofSeconds(5));
			RenewResult result = one.renew(1, LEASE);
			assertThat(result).isInstanceOf(RenewResult.Renewed.class);
			Grant renewed = ((RenewResult.Renewed) result).grant();
			assertThat(renewed.fencingToken()).isEqualTo(grant.fencingToken());
			assertThat(renewed.remainingMillis()).isEqualTo(LEASE.toMillis());
		}

		@Test
		@DisplayName("tells how many instances wait")
		void renewWhenContendedThenCountsWaiters() {
			Client one = client("one");
			Client two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			assertThat(((RenewResult.Renewed) one.renew(1, LEASE)).waiters()).isEqualTo(handsOver() ? 1 : 0);
		}

		@Test
		@DisplayName("reserves more tokens when asked, above all earlier ones")
		void renewWhenTokensWantedThenReserved() {
			Client one = client("one");
			Grant grant = grant(one.acquire(1, LEASE, false, 8));
			RenewCommand command = new RenewCommand(one.key, one.request(1), LEASE, 100);
			Grant renewed = ((RenewResult.Renewed) get(one.store.renew(command))).grant();
			assertThat(renewed.fencingToken()).isGreaterThan(grant.fencingToken() + 7);
			assertThat(renewed.tokens()).isEqualTo(100);
			one.finish(1);
			assertThat(one.acquired(2, LEASE).fencingToken()).isGreaterThan(renewed.fencingToken() + 99);
		}

		@Test
		@DisplayName("confirms a pushed grant, which then lasts for the lease")
		void renewWhenGrantedByFinishThenLeaseIsFull() {
			Client one = client("one");
			Client two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			one.finish(1);
			if (!handsOver()) {
				assertThat(two.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
				two.acquired(1, LEASE);
			}
			assertThat(get(two.store.inspect(two.key)).remaining()).isLessThan(LEASE);
			Grant confirmed = ((RenewResult.Renewed) two.renew(1, LEASE)).grant();
			assertThat(confirmed.remainingMillis()).isEqualTo(LEASE.toMillis());
		}

		@Test
		@DisplayName("never revives a hold that is over")
		void renewWhenOverThenGone() {
			Client one = client("one");
			one.acquired(1, SHORT_LEASE);
			Awaitility.await().pollInterval(Duration.ofMillis(20)).until(() -> one.holder() == null);
			assertThat(one.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
			one.acquired(2, LEASE);
			one.finish(2);
			assertThat(one.renew(2, LEASE)).isInstanceOf(RenewResult.Gone.class);
			assertThat(one.holder()).isNull();
		}

		@Test
		@DisplayName("somebody else's hold is refused")
		void renewWhenStrangerThenGone() {
			Client one = client("one");
			Client two = client("two");
			one.acquired(1, LEASE);
			assertThat(two.renew(1, LEASE)).isInstanceOf(RenewResult.Gone.class);
		}

	}

	@Nested
	@DisplayName("An instance")
	class Instance {

		@Test
		@DisplayName("that asks anew has given up its former hold, and queued request")
		void acquireWhenNewerRequestThenFormerEnds() {
			Client one = client("one");
			Client two = client("two");
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
		@DisplayName("that waits is told of its grant, once its subscription stands")
		void acquireWhenQueuedThenToldOfGrant() {
			Client one = client("one");
			Client two = client("two");
			AtomicLong round = new AtomicLong();
			Awaitility.await().until(() -> {
				long number = round.incrementAndGet();
				one.acquired(number, LEASE);
				two.acquire(number, LEASE, true, 1);
				one.finish(number);
				two.finish(number);
				return handsOver() ? !two.grants.isEmpty() : number == 10;
			});
			assertThat(two.grants.isEmpty()).isEqualTo(!handsOver());
			assertThat(one.grants).isEmpty();
			assertThat(two.grants).allMatch((request) -> request.instance().equals(two.instance)
					&& request.number() >= 1 && request.number() <= round.get());
		}

		@Test
		@DisplayName("may use any key")
		void acquireWhenHostileKeyThenIndependentLocks() {
			Client one = client("one");
			Client two = client("two");
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

	private static Grant grant(AcquireResult result) {
		assertThat(result).isInstanceOf(AcquireResult.Granted.class);
		return ((AcquireResult.Granted) result).grant();
	}

	/** One instance, with the commands of the contract in short. */
	private final class Client implements StoreListener {

		private final LockStore store;

		private final String instance;

		private final String key;

		private final ConcurrentLinkedQueue<RequestId> grants = new ConcurrentLinkedQueue<>();

		private Client(LockStore store, String instance) {
			this(store, instance, LockStoreContract.this.key);
		}

		private Client(LockStore store, String instance, String key) {
			this.store = store;
			this.instance = instance;
			this.key = key;
		}

		private Client keyed(String other) {
			return new Client(this.store, this.instance, this.key + other);
		}

		private RequestId request(long number) {
			return new RequestId(this.instance, number);
		}

		private AcquireResult acquire(long number, Duration lease, boolean queue, int tokens) {
			String name = this.instance.substring(0, this.instance.indexOf('-'));
			Holder holder = new Holder("contract; app", "host", this.instance, "thread of " + name,
					"Some.method(ü, \"%;\")", Instant.EPOCH);
			return get(this.store
				.acquire(new AcquireCommand(this.key, request(number), lease, queue, tokens, TIMEOUT, holder)));
		}

		private Grant acquired(long number, Duration lease) {
			return grant(acquire(number, lease, true, 1));
		}

		private FinishResult finish(long number) {
			return get(this.store.finish(this.key, request(number)));
		}

		private RenewResult renew(long number, Duration lease) {
			return get(this.store.renew(new RenewCommand(this.key, request(number), lease, 0)));
		}

		/** The other one is the next holder, if the store sees to it; else nobody is. */
		private void expectNext(Client next) {
			assertThat(holder()).isEqualTo(handsOver() ? next.request(1) : null);
			if (!handsOver()) {
				next.acquired(1, LEASE);
			}
		}

		private RequestId holder() {
			return get(this.store.inspect(this.key)).owner();
		}

		@Override
		public void granted(String granted, RequestId request, Grant grant) {
			this.grants.add(request);
		}

		@Override
		public void contended(String contended) {
			// Nothing to do: these clients never pass a lock on by themselves.
		}

		@Override
		public void reconnected() {
			// Nothing to do: these clients poll when the test says so.
		}

	}

}
