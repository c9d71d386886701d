package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.distlock.Holder;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which steps of a lock an observer is notified of. */
class LockObserverTests extends AbstractLockObserverTests {

	@Test
	void aFreeLockIsAcquiredAndReleased() {
		this.here.acquire(LOCK).close();
		assertThat(this.steps.names()).containsExactly("acquired FREE", "released");
		assertThat(this.steps.acquired()).satisfies((acquired) -> {
			assertThat(acquired.name()).isEqualTo("stock");
			assertThat(acquired.key()).isEqualTo("stock:42");
			assertThat(acquired.caller()).isEqualTo("Stock.sell");
			assertThat(acquired.fencingToken()).isPositive();
			assertThat(acquired.before()).isNull();
		});
	}

	@Test
	void aNestedAcquisitionHasNoHoldOfItsOwn() {
		this.here.run(LOCK, (lock) -> this.here.acquire(LOCK).close());
		assertThat(this.steps.names()).containsExactly("acquired FREE", "acquired NESTED", "released");
	}

	@Test
	void aLockThatIsHandedOnHereSaysWhoHadIt() throws InterruptedException {
		LockHandle first = this.here.acquire(LOCK);
		Thread second = inWaitingThread(() -> this.here.acquire(LOCK).close());
		first.close();
		second.join();
		assertThat(this.steps.names()).containsExactlyInAnyOrder("acquired FREE", "waits", "released", "acquired HERE",
				"released");
		assertThat(this.steps.acquired().before()).extracting(Holder::caller).isEqualTo("Stock.sell");
		assertThat(this.steps.acquired().waited()).isPositive();
	}

	/** A poll may come before the message, but not each time. */
	@Test
	void aLockFromElsewhereIsPushed() throws InterruptedException {
		List<String> steps = List.of();
		for (int i = 0; i < 10 && !steps.contains("acquired PUSH"); i++) {
			int former = this.steps.names().size();
			LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42").calledFrom("Other.job"));
			Thread second = inWaitingThread(() -> this.here.acquire(LOCK).close());
			first.close();
			second.join();
			List<String> all = this.steps.names();
			steps = all.subList(former, all.size());
		}
		assertThat(steps).containsExactly("waits", "acquired PUSH", "released");
		assertThat(this.steps.acquired().before()).extracting(Holder::caller).isEqualTo("Other.job");
	}

	@Test
	void aLockWhoseMessageIsLostIsFoundByAsking() throws InterruptedException {
		LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42"));
		Thread second = inWaitingThread(() -> this.here.acquire(LOCK).close());
		this.silent.set(true);
		first.close();
		second.join();
		assertThat(this.steps.names()).containsExactly("waits", "acquired POLL", "released");
	}

	@Test
	void aBusyLockIsRefused() {
		LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42").calledFrom("Other.job"));
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.here.acquire(ONCE));
		assertThat(this.here.tryAcquire(ONCE)).isEmpty();
		first.close();
		assertThat(this.steps.names()).containsExactly("waits", "refused BUSY", "waits", "refused BUSY");
		assertThat(this.steps.refused().holder()).extracting(Holder::caller).isEqualTo("Other.job");
	}

	@Test
	void tooManyWaitersAreRefused() throws InterruptedException {
		LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42"));
		Thread second = inWaitingThread(() -> this.here.acquire(LOCK).close());
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.here.acquire(LOCK.maxWaiters(1)));
		first.close();
		second.join();
		assertThat(this.steps.names()).containsOnlyOnce("refused TOO_MANY_WAITERS");
	}

	@Test
	void anInterruptedThreadIsRefused() throws InterruptedException {
		LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42"));
		Thread second = inWaitingThread(() -> assertThatExceptionOfType(LockInterruptedException.class)
			.isThrownBy(() -> this.here.acquire(LOCK)));
		second.interrupt();
		second.join();
		first.close();
		assertThat(this.steps.names()).containsExactly("waits", "refused INTERRUPTED");
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.here.acquire(LOCK));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.steps.names()).containsExactly("waits", "refused INTERRUPTED", "refused INTERRUPTED");
	}

	@Test
	void aStoreWithoutAnAnswerIsAFailure() {
		this.store.inject(FaultyLockStore.Verb.ACQUIRE, FaultyLockStore.Fault.LOSE_COMMAND);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.here.acquire(LOCK));
		assertThat(this.steps.names()).containsExactly("refused STORE_FAILURE");
		assertThat(this.steps.refused().failure()).isInstanceOf(LockStoreException.class);
	}

	@Test
	void aFutureThatItsCallerCompletesIsCancelled() {
		LockHandle first = this.elsewhere.acquire(LockRequest.of("stock:42"));
		CompletableFuture<LockHandle> waiting = this.here.acquireAsync(LOCK).toCompletableFuture();
		waiting.cancel(false);
		first.close();
		Awaitility.await().until(() -> this.steps.names().contains("refused CANCELLED"));
	}

	@Test
	void anAsynchronousHoldIsObservedToo() throws Exception {
		LockHandle lock = this.here.acquireAsync(LOCK).toCompletableFuture().get(30, TimeUnit.SECONDS);
		lock.closeAsync().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(this.steps.names()).containsExactly("acquired FREE", "released");
	}

	@Test
	void readersAndPermitsAreObserved() {
		LockRequest read = LOCK.mode(LockMode.SHARED);
		LockHandle one = this.here.acquire(read);
		LockHandle two = this.here.acquireAsync(read).toCompletableFuture().join();
		one.close();
		two.close();
		this.here.acquire(LockRequest.permit("seats", 2)).close();
		assertThat(this.steps.names()).containsExactly("acquired FREE", "acquired HERE", "released", "released",
				"acquired FREE", "released");
	}

	@Test
	void aPermitThatWaitsInThisProcessIsObserved() throws InterruptedException {
		LockRequest permit = LockRequest.permit("seats", 1).calledFrom("Hall.enter");
		LockHandle first = this.here.acquire(permit);
		Thread second = inWaitingThread(() -> this.here.acquire(permit).close());
		assertThat(this.steps.names()).containsExactly("acquired FREE", "waits");
		first.close();
		second.join();
		assertThat(this.steps.names()).containsOnlyOnce("waits").hasSize(5);
		assertThat(this.steps.acquired().before()).extracting(Holder::caller).isEqualTo("Hall.enter");
	}

	/** The answer comes before the thread that released has reported the release. */
	@Test
	void aLockThatIsFoundLostAtItsReleaseIsReportedAsReleasedFirst() {
		LockHandle lock = this.here.acquire(LOCK);
		this.server.flush();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		assertThat(this.steps.names()).containsExactly("acquired FREE", "released", "found VANISHED");
	}

	@Test
	void aLostLockIsReportedOnceAndNotAsReleased() {
		this.store.inject(FaultyLockStore.Verb.RENEW, FaultyLockStore.Fault.LOSE_COMMAND);
		LockHandle lock = this.here.acquire(LOCK.leaseFor(Duration.ofSeconds(2)));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.steps.names().contains("lost EXPIRED"));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		assertThat(this.steps.names()).containsExactly("acquired FREE", "lost EXPIRED");
	}

	@Test
	void theTraceIsShownToOthers() {
		this.steps.trace = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";
		LockHandle lock = this.here.acquire(LOCK);
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.elsewhere.acquire(ONCE))
			.withMessageContaining("trace 4bf92f3577b34da6a3ce929d0e0e4736")
			.withMessageNotContaining("00f067aa0ba902b7");
		lock.close();
	}

	@Test
	void commandsAreObservedIfWanted() {
		this.steps.commands = new CopyOnWriteArrayList<>();
		this.here.acquire(LOCK).close();
		assertThat(this.steps.commands).containsExactly("ACQUIRE", "RELEASE");
		this.store.inject(FaultyLockStore.Verb.ACQUIRE, FaultyLockStore.Fault.REFUSE);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.here.acquire(LOCK));
		assertThat(this.steps.commands).anyMatch((command) -> command.startsWith("ACQUIRE failed"));
	}

}
