package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.distlock.test.TestThreads.inWaitingThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Extensions, while the store fails. On virtual time. */
class ExtensionTests {

	private static final Duration HOUR = Duration.ofHours(1);

	/** The command timeout. */
	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final LossWorld world = new LossWorld();

	@AfterEach
	void end() {
		this.world.close();
	}

	private LockHandle acquire(LockRequest request) {
		return this.world.template.acquire(request);
	}

	private static Throwable failure(CompletableFuture<?> future) {
		return Awaitility.await()
			.until(() -> future.isCompletedExceptionally() ? future.handle((done, ex) -> ex).join() : null,
					(ex) -> ex != null);
	}

	@Test
	void extendWhenUnansweredThenFailsAfterTheCommandTimeoutAndIsHeldAsBefore() throws Exception {
		LockHandle lock = acquire(LockRequest.of("a").leaseFor(Duration.ofSeconds(20)));
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		FutureTask<Object> blocking = inWaitingThread(() -> {
			lock.extend(HOUR);
			return null;
		});
		CompletableFuture<?> async = lock.extendAsync(HOUR).toCompletableFuture();
		this.world.clock.advance(TIMEOUT.minusMillis(10));
		assertThat(blocking.isDone()).isFalse();
		assertThat(async).isNotDone();
		this.world.clock.advance(Duration.ofMillis(20));
		assertThatExceptionOfType(java.util.concurrent.ExecutionException.class)
			.isThrownBy(() -> blocking.get(20, java.util.concurrent.TimeUnit.SECONDS))
			.withCauseInstanceOf(LockStoreException.class);
		assertThat(failure(async)).isInstanceOf(LockStoreException.class)
			.hasMessageContaining("did not answer for lock 'a' within 1000 ms");
		assertThat(lock.isHeld()).isTrue();
		this.world.store.heal();
		lock.close();
	}

	@Test
	void extendWhenOthersFollowThenEachFailsInItsTime() {
		LockHandle lock = acquire(LockRequest.of("a"));
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		CompletableFuture<?> first = lock.extendAsync(HOUR).toCompletableFuture();
		this.world.clock.advance(Duration.ofMillis(600));
		CompletableFuture<?> second = lock.extendAsync(HOUR).toCompletableFuture();
		this.world.clock.advance(Duration.ofMillis(410));
		assertThat(failure(first)).isInstanceOf(LockStoreException.class);
		assertThat(second).isNotDone();
		this.world.clock.advance(Duration.ofMillis(600));
		assertThat(failure(second)).isInstanceOf(LockStoreException.class);
		this.world.store.heal();
		lock.close();
	}

	/** The command that asks for the longest of them is lost. */
	@ParameterizedTest
	@ValueSource(longs = { 60, 40 })
	void extendWhenAShorterOneFollowsThenTheRepetitionGrantsBoth(long second) {
		LockHandle lock = acquire(LockRequest.of("a").leaseFor(Duration.ofSeconds(20)));
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		CompletableFuture<?> longer = lock.extendAsync(Duration.ofSeconds(60)).toCompletableFuture();
		this.world.store.heal();
		CompletableFuture<?> shorter = lock.extendAsync(Duration.ofSeconds(second)).toCompletableFuture();
		this.world.clock.advance(TIMEOUT);
		Awaitility.await().until(() -> longer.isDone() && shorter.isDone());
		assertThat(longer).isCompleted();
		assertThat(shorter).isCompleted();
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(55));
		lock.close();
	}

	@Test
	void extendWhenAReaderFollowsThenTheRepetitionGrantsBoth() {
		LockRequest read = LockRequest.of("a").mode(LockMode.SHARED).leaseFor(Duration.ofSeconds(20));
		LockHandle lock = this.world.template.acquireAsync(read).toCompletableFuture().join();
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		CompletableFuture<?> longer = lock.extendAsync(Duration.ofSeconds(60)).toCompletableFuture();
		this.world.store.heal();
		CompletableFuture<LockHandle> other = this.world.template.acquireAsync(read.leaseFor(Duration.ofSeconds(40)))
			.toCompletableFuture();
		this.world.clock.advance(TIMEOUT);
		Awaitility.await().until(() -> longer.isDone() && other.isDone());
		assertThat(longer).isCompleted();
		other.join().close();
		lock.close();
	}

	@Test
	void extendWhenRefusedForGoodThenTheLockIsRenewedAsBefore() {
		LockHandle lock = acquire(LockRequest.of("a"));
		this.world.store.inject(Verb.RENEW, Fault.REFUSE);
		assertThat(failure(lock.extendAsync(HOUR).toCompletableFuture())).isInstanceOf(LockStoreException.class);
		this.world.store.heal();
		this.world.clock.advance(LossWorld.LEASE.multipliedBy(2));
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.remaining()).isLessThanOrEqualTo(LossWorld.LEASE);
		lock.close();
	}

	@Test
	void extendWhenRefusedForGoodAfterItsTimeThenTheLockIsRenewedAsBefore() {
		LockHandle lock = acquire(LockRequest.of("a"));
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		CompletableFuture<?> extension = lock.extendAsync(HOUR).toCompletableFuture();
		this.world.clock.advance(TIMEOUT);
		assertThat(failure(extension)).isInstanceOf(LockStoreException.class);
		this.world.store.inject(Verb.RENEW, Fault.REFUSE);
		this.world.clock.advance(TIMEOUT.multipliedBy(3));
		this.world.store.heal();
		this.world.clock.advance(LossWorld.LEASE.multipliedBy(2));
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.remaining()).isLessThanOrEqualTo(LossWorld.LEASE);
		lock.close();
	}

	@Test
	void extendWhenRefusedForGoodThenAFixedLeaseEndsAsBefore() {
		LockHandle lock = acquire(LockRequest.of("a").leaseFor(Duration.ofSeconds(20)));
		this.world.store.inject(Verb.RENEW, Fault.REFUSE);
		assertThat(failure(lock.extendAsync(HOUR).toCompletableFuture())).isInstanceOf(LockStoreException.class);
		int sent = this.world.store.count(Verb.RENEW);
		this.world.store.heal();
		this.world.clock.advance(Duration.ofSeconds(19));
		assertThat(lock.isHeld()).isTrue();
		this.world.clock.advance(Duration.ofSeconds(2));
		assertThat(lock.isHeld()).isFalse();
		assertThat(this.world.store.count(Verb.RENEW)).isEqualTo(sent);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
	}

	@Test
	void extendWhenReleasedMeanwhileThenFailsAndTakesNothing() {
		LockHandle lock = acquire(LockRequest.of("a").leaseFor(Duration.ofSeconds(20)));
		this.world.store.inject(Verb.RENEW, Fault.LOSE_ANSWER);
		CompletableFuture<?> extension = lock.extendAsync(HOUR).toCompletableFuture();
		lock.close();
		assertThat(failure(extension)).isInstanceOf(IllegalStateException.class)
			.hasMessage("Lock 'a' was not extended: it was released");
		assertThat(this.world.elsewhere.tryAcquire("a")).hasValueSatisfying(LockHandle::close);
		this.world.clock.advance(TIMEOUT);
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void extendWhenLostMeanwhileThenReportsTheLoss() {
		LockHandle lock = acquire(LockRequest.of("a").leaseFor(Duration.ofMillis(500)));
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		CompletableFuture<?> extension = lock.extendAsync(HOUR).toCompletableFuture();
		this.world.clock.advance(Duration.ofMillis(600));
		assertThat(failure(extension)).isInstanceOf(LockLostException.class);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
	}

	@Test
	void extendWhenRenewalsFailedThenAsksThoughTheLeaseIsLonger() {
		LockHandle lock = acquire(LockRequest.of("a"));
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		this.world.clock.advance(Duration.ofSeconds(25));
		this.world.store.heal();
		lock.extend(Duration.ofSeconds(20));
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(19));
		lock.close();
	}

	@Test
	void extendWhenTemplateIsShutDownThenRefused() {
		LockHandle lock = acquire(LockRequest.of("a"));
		this.world.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		CompletableFuture<?> unanswered = lock.extendAsync(HOUR).toCompletableFuture();
		this.world.store.heal();
		FutureTask<Boolean> shutdown = inWaitingThread(() -> this.world.template.shutdown(Duration.ZERO));
		while (!shutdown.isDone()) {
			this.world.clock.advance(Duration.ofMillis(50));
		}
		assertThat(failure(unanswered)).isInstanceOf(LockException.class);
		assertThat(failure(lock.extendAsync(HOUR).toCompletableFuture())).isInstanceOf(LockException.class)
			.hasMessage("Lock 'a' was not extended: the lock template has been shut down");
	}

}
