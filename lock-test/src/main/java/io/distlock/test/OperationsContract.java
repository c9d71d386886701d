package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockSettings;
import io.distlock.LossReason;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Capability;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The part of a store's contract about operations. */
@SuppressWarnings("NullAway") // JUnit fills the fields
abstract class OperationsContract extends SharingContract {

	private static final Duration LEASE = Duration.ofSeconds(60);

	private static void expectForced(RenewResult answer) {
		assertThat(answer).isInstanceOfSatisfying(RenewResult.Gone.class, (gone) -> assertThat(gone.forced()).isTrue());
	}

	/**
	 * Checks the answer to a repetition. A quorum does not remember which of its attempts
	 * it has ended. It reports an attempt again only if a node that answered late still
	 * had the hold.
	 */
	private void expectRepeated(Set<RequestId> answer, RequestId ended) {
		if (handsOver()) {
			assertThat(answer).contains(ended);
		}
	}

	/** Of a quorum, a node that answers late may still have a hold that is over. */
	private void expectNothingEnded(Supplier<Set<RequestId>> release) {
		if (handsOver()) {
			assertThat(release.get()).isEmpty();
		}
		else {
			Awaitility.await().until(release::get, Set::isEmpty);
		}
	}

	private boolean sendsMessages() {
		return handsOver() && notifies();
	}

	/** Returns whether the store can list its locks. */
	private boolean lists(ContractClient client) {
		return !client.store().unsupported().contains(Capability.LISTING);
	}

	@Nested
	@DisplayName("Releasing by force")
	class ReleasingByForce {

		@Test
		@DisplayName("ends a hold, whose owner learns the author and the reason, and cannot get it back")
		void forceReleaseWhenHeldThenFreeAndOwnerLearnsWhy() {
			ContractClient one = client("one");
			ContractClient operator = client("operator");
			long token = one.acquired(1, LEASE).fencingToken();
			assertThat(operator.forceRelease(one.request(1))).containsExactly(one.request(1));
			assertThat(operator.inspect().holds()).isEmpty();
			expectForced(one.renew(1, LEASE));
			expectForced(one.renew(1, LEASE));
			assertThat(one.acquire(1, LEASE, true, 1)).isInstanceOf(AcquireResult.Ended.class);
			assertThat(one.finish(1)).isEqualTo(FinishResult.FORCED);
			assertThat(one.finish(1)).isEqualTo(FinishResult.FORCED);
			assertThat(operator.acquired(1, LEASE).fencingToken()).isGreaterThan(token);
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("passes the lock to the first waiter, with a higher token than any of the block")
		void forceReleaseWhenOthersWaitThenNextOneGranted() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			ContractClient three = client("three");
			long last = ContractClient.grant(one.acquire(1, LEASE, true, 10)).fencingToken() + 9;
			two.acquire(1, LEASE, true, 1);
			three.acquire(1, LEASE, true, 1);
			two.forceRelease(one.request(1));
			expectNext(two);
			assertThat(two.acquired(1, LEASE).fencingToken()).isGreaterThan(last);
			two.forceRelease(two.request(1));
			expectNext(three);
			expectForced(one.renew(1, LEASE));
			expectForced(two.renew(1, LEASE));
		}

		@Test
		@DisplayName("notifies the former holder and the new one")
		void forceReleaseThenFormerHolderIsNotified() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			long[] round = { 0 };
			Awaitility.await().until(() -> {
				long number = ++round[0];
				one.acquired(number, LEASE);
				two.acquire(number, LEASE, true, 1);
				two.forceRelease(one.request(number));
				two.finish(number);
				return sendsMessages() ? one.revocations().contains(one.key()) : number == 3;
			});
			assertThat(one.revocations().isEmpty()).isEqualTo(!sendsMessages());
			assertThat(two.revocations()).isEmpty();
		}

		@Test
		@DisplayName("reaches a holder whose grant is still under way, before a renewal is due")
		void forceReleaseWhenGrantIsUnderWayThenLostAtOnce() {
			if (!sendsMessages()) {
				return;
			}
			ContractClient operator = client("operator");
			FaultyLockStore store = new FaultyLockStore(newStore());
			LockSettings settings = LockSettings.builder()
				.leaseTime(Duration.ofMinutes(10))
				.waitTime(Duration.ofMinutes(1))
				.commandTimeout(Duration.ofMinutes(1))
				.build();
			try (CloseableLockTemplate template = LockTemplateBuilder.forStore(store).settings(settings).build()) {
				// Messages do not reach the process before it has subscribed.
				Awaitility.await().until(() -> {
					store.inject(FaultyLockStore.Verb.ACQUIRE, FaultyLockStore.Fault.ANSWER_LATER);
					int before = store.revocations();
					CompletionStage<LockHandle> acquiring = template.acquireAsync(OperationsContract.this.key);
					Awaitility.await().until(() -> operator.holder() != null);
					operator.forceRelease(operator.holder());
					for (int i = 0; i < 100 && store.revocations() == before; i++) {
						Pause.of(Duration.ofMillis(10)); // nothing says that none will
															// come
					}
					boolean notified = store.revocations() > before;
					store.heal();
					store.executeLateCopies();
					Throwable end = catchThrowable(() -> {
						LockHandle handle = acquiring.toCompletableFuture().get(30, TimeUnit.SECONDS);
						if (notified) {
							Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !handle.isHeld());
						}
						handle.close();
					});
					Throwable loss = (end instanceof ExecutionException) ? end.getCause() : end;
					assertThat(loss).isInstanceOfSatisfying(LockLostException.class,
							(lost) -> assertThat(lost.reason()).isEqualTo(LossReason.FORCED));
					return notified;
				});
			}
		}

		@Test
		@DisplayName("repeated gives the same answer, and ends nothing that was granted since")
		void forceReleaseWhenRepeatedThenLaterHoldsStay() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			two.forceRelease(one.request(1));
			two.acquired(1, LEASE);
			expectRepeated(one.forceRelease(one.request(1)), one.request(1));
			assertThat(two.holder()).isEqualTo(two.request(1));
			two.finish(1);
			one.acquired(2, LEASE);
			assertThat(two.forceRelease(one.request(1), two.request(1), two.request(7))).doesNotContain(two.request(1),
					two.request(7));
			assertThat(one.holder()).isEqualTo(one.request(2));
		}

		@Test
		@DisplayName("is remembered for its former holder, also when the lock was used again since")
		void forceReleaseWhenUsedAgainThenFormerHolderStillLearnsWhy() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			ContractClient three = client("three");
			one.acquired(1, LEASE);
			two.forceRelease(one.request(1));
			two.acquired(1, LEASE);
			two.finish(1);
			three.acquired(1, LEASE);
			expectForced(one.renew(1, LEASE));
			three.finish(1);
			expectForced(one.renew(1, LEASE));
		}

		@Test
		@DisplayName("ends nothing where nothing is held")
		void forceReleaseWhenFreeThenNothing() {
			ContractClient one = client("one");
			assertThat(one.forceRelease(one.request(1))).isEmpty();
			assertThat(one.forceRelease()).isEmpty();
			one.acquired(1, LEASE);
			one.finish(1);
			expectNothingEnded(() -> one.forceRelease(one.request(1)));
			assertThat(one.finish(1)).isEqualTo(FinishResult.RELEASED);
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("ends those of several readers that are named, and lets a writer in after the last")
		void forceReleaseWhenSharedThenEachOne() {
			ContractClient one = reader("one");
			ContractClient two = reader("two");
			ContractClient writer = client("writer");
			one.acquired(1, LEASE);
			long token = two.acquired(1, LEASE).fencingToken();
			writer.acquire(1, LEASE, true, 1);
			assertThat(writer.forceRelease(one.request(1))).containsExactly(one.request(1));
			expectForced(one.renew(1, LEASE));
			assertThat(two.renew(1, LEASE)).isInstanceOf(RenewResult.Renewed.class);
			assertThat(writer.holder()).isNull();
			Set<RequestId> ended = writer.forceRelease(one.request(1), two.request(1));
			assertThat(ended).contains(two.request(1));
			expectRepeated(ended, one.request(1));
			expectNext(writer);
			assertThat(writer.acquired(1, LEASE).fencingToken()).isGreaterThan(token);
			expectForced(two.renew(1, LEASE));
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("ends one of several permits, and admits its waiter")
		void forceReleaseWhenPermitsThenOne() {
			if (!countsPermits()) {
				return;
			}
			ContractClient one = client("one").sharing(new Sharing.Permit(2)).further(1);
			ContractClient two = client("two").sharing(new Sharing.Permit(2)).further(1);
			ContractClient three = client("three").sharing(new Sharing.Permit(2)).further(1);
			one.acquired(1, LEASE);
			two.acquired(1, LEASE);
			three.acquire(1, LEASE, true, 1);
			assertThat(two.forceRelease(one.request(1))).containsExactly(one.request(1));
			assertThat(two.inspect().holds()).extracting(LockSnapshot.Hold::request)
				.containsExactlyInAnyOrder(two.request(1), three.request(1));
			expectForced(one.renew(1, LEASE));
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("ends a grant that was not confirmed yet, and a hold that the store keeps")
		void forceReleaseWhenClaimedOrKeptThenOver() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			one.acquired(1, LEASE);
			two.acquire(1, LEASE, true, 1);
			one.finish(1);
			if (handsOver()) {
				assertThat(one.forceRelease(two.request(1))).containsExactly(two.request(1));
				expectForced(two.renew(1, LEASE));
				assertThat(two.acquire(1, LEASE, true, 1)).isInstanceOf(AcquireResult.Ended.class);
			}
			one.acquired(2, LEASE);
			one.finish(2, LEASE);
			RequestId kept = one.holder();
			assertThat(two.forceRelease(kept)).containsExactly(kept);
			expectRepeated(two.forceRelease(kept), kept);
			assertThat(one.inspect().holds()).isEmpty();
			two.acquired(2, LEASE);
		}

		@Test
		@DisplayName("again and again never repeats or lowers a token")
		void forceReleaseWhenOftenThenTokensRise() {
			ContractClient one = client("one");
			ContractClient two = client("two");
			long last = 0;
			for (int number = 1; number <= 20; number++) {
				ContractClient next = (number % 2 == 0) ? one : two;
				ContractClient other = (number % 2 == 0) ? two : one;
				long token = ContractClient.grant(next.acquire(number, LEASE, true, 5)).fencingToken();
				assertThat(token).isGreaterThan(last);
				last = token + 4;
				assertThat(other.forceRelease(next.request(number))).hasSize(1);
			}
		}

	}

	@Nested
	@DisplayName("Listing")
	class Listing {

		@Test
		@DisplayName("finds what is held or waited for, page by page, and nothing else")
		void listThenWhatIsInUse() {
			ContractClient one = client("one");
			if (!lists(one)) {
				assertThatThrownBy(() -> one.store()
					.list(new ListCommand("", "", 10))
					.toCompletableFuture()
					.get(5, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
					.hasMessageContaining(Capability.LISTING.lackedBy(one.store()));
				return;
			}
			List<String> held = new ArrayList<>();
			for (int i = 0; i < 25; i++) {
				ContractClient lock = one.keyed(":list:" + i);
				lock.acquired(1, LEASE);
				if (i % 5 == 0) {
					lock.finish(1);
				}
				else {
					held.add(lock.key());
				}
			}
			one.keyed(":other").acquired(1, LEASE);
			assertThat(list(one, OperationsContract.this.key + ":list:", 4)).containsExactlyInAnyOrderElementsOf(held);
			assertThat(list(one, OperationsContract.this.key + ":list:1", 1000))
				.containsExactlyInAnyOrderElementsOf(held.stream().filter((key) -> key.contains(":list:1")).toList());
			assertThat(list(one, OperationsContract.this.key + ":none", 10)).isEmpty();
		}

		@Test
		@ExtendWith(StandstillRepetition.class)
		@DisplayName("takes each character of a prefix for itself, and shows holder and waiters")
		void listWhenHostilePrefixThenLiteral() {
			ContractClient one = client("one");
			if (!lists(one)) {
				return;
			}
			for (String hostile : List.of("*", "a*", "[a-z]", "?", "%", "\\", "{x}", "line\n", "\u00fc")) {
				one.keyed(":" + hostile + ":1").acquired(1, LEASE);
			}
			one.keyed(":ab:1").acquired(1, LEASE);
			for (String hostile : List.of("*", "a*", "[a-z]", "?", "%", "\\", "{x}", "line\n", "\u00fc")) {
				String prefix = OperationsContract.this.key + ":" + hostile;
				assertThat(list(one, prefix, 100)).as(hostile).containsExactly(prefix + ":1");
			}
			ContractClient two = client("two");
			two.keyed(":ab:1").acquire(1, LEASE, true, 1);
			LockPage page = one.list(new ListCommand(OperationsContract.this.key + ":ab", "", 10));
			while (page.locks().isEmpty()) {
				page = one.list(new ListCommand(OperationsContract.this.key + ":ab", page.next(), 10));
			}
			LockSnapshot lock = page.locks().get(0);
			assertThat(lock.holds()).extracting(LockSnapshot.Hold::request).containsExactly(one.request(1));
			assertThat(lock.waiters()).isEqualTo(handsOver() ? List.of(two.instance()) : List.of());
		}

		private Set<String> list(ContractClient client, String prefix, int most) {
			List<String> keys = new ArrayList<>();
			String cursor = "";
			do {
				LockPage page = client.list(new ListCommand(prefix, cursor, most));
				page.locks().forEach((lock) -> keys.add(lock.key()));
				cursor = page.next();
			}
			while (!cursor.isEmpty());
			assertThat(keys).doesNotHaveDuplicates();
			return Set.copyOf(keys);
		}

	}

}
