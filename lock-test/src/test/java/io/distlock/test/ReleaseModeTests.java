package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.ReleaseMode;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** When a release returns, and what it tells. */
@SuppressWarnings("resource")
class ReleaseModeTests extends AbstractVirtualTimeTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final LockRequest REQUEST = LockRequest.of("stock:42").waitAtMost(Duration.ZERO);

	ReleaseModeTests() {
		super(LockSettings.builder().leaseTime(LEASE).release(ReleaseMode.SENT).build(),
				LockSettings.builder().leaseTime(LEASE).build());
	}

	@Test
	void closeWhenSentThenReturnsBeforeTheStoreAnswers() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.inject(Verb.FINISH, Fault.LOSE_ANSWER);
		lock.close();
		assertThat(this.store.count(Verb.FINISH)).isOne();
		assertThat(this.template.isIdle()).as("the answer is still awaited").isFalse();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
	}

	@Test
	void closeAsyncWhenSentThenDoneBeforeTheStoreAnswers() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.inject(Verb.FINISH, Fault.LOSE_ANSWER);
		assertThat(lock.closeAsync()).isCompleted();
	}

	@Test
	void closeWhenSentAndTheCommandIsLostThenRepeatedUntilReleased() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		lock.close();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isEmpty();
		this.store.heal();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
		assertThat(this.template.isIdle()).isTrue();
	}

	@Test
	void closeWhenSentAndTheStoreStaysAwayThenGivenUpWhenTheLeaseIsOver() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		lock.close();
		this.clock.advance(LEASE.multipliedBy(2));
		assertThat(this.template.isIdle()).isTrue();
	}

	@Test
	void closeWhenSentAndReplacedByAShorterOneThenRepeatedForAsLongAsTheHoldMayLast() {
		LockHandle lock = this.template.acquire(REQUEST.leaseFor(Duration.ofMinutes(10)));
		this.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		this.store.inject(Verb.ACQUIRE, Fault.LOSE_COMMAND);
		lock.close();
		this.template.acquireAsync(REQUEST.waitAtMost(LEASE)).toCompletableFuture().cancel(false);
		this.clock.advance(LEASE.multipliedBy(2));
		this.store.heal();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
		assertThat(this.template.isIdle()).isTrue();
	}

	@Test
	void acquireWhenTheReleaseIsStillUnderWayThenWaitsForNobody() {
		this.store.inject(Verb.FINISH, Fault.LOSE_ANSWER);
		long token = 0;
		for (int i = 0; i < 10; i++) {
			try (LockHandle lock = this.template.acquire(REQUEST)) {
				assertThat(lock.fencingToken()).isGreaterThan(token);
				token = lock.fencingToken();
			}
		}
		this.store.heal();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(this.template.isIdle()).isTrue();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
	}

	@Test
	void closeWhenLostBeforeThenThrownInEitherMode() {
		LockHandle lock = this.template.acquire(REQUEST);
		this.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		this.clock.advance(LEASE.plusSeconds(1));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		LockHandle other = this.template.acquire(LockRequest.of("other"));
		this.clock.advance(LEASE.plusSeconds(1));
		assertThat(other.closeAsync().toCompletableFuture()).isCompletedExceptionally();
	}

	@Test
	void closeWhenTheStoreLostItThenThrownOnlyIfConfirmed() throws Exception {
		LockHandle confirmed = this.elsewhere.acquire(REQUEST);
		LockHandle async = this.elsewhere.acquire(LockRequest.of("async"));
		LockHandle quiet = this.template.acquire(LockRequest.of("quiet"));
		this.server.flush();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(confirmed::close)
			.withMessageContaining("the store no longer knew this hold when it was released");
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> async.closeAsync().toCompletableFuture().get(20, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockLostException.class);
		quiet.close();
		Awaitility.await().until(this.template::isIdle);
	}

	@Test
	void closeAsyncWhenTheStoreIsStoppedThenDoneAllTheSame() throws Exception {
		this.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		CloseableLockTemplate confirming = LockTemplateBuilder.forStore(this.store).clock(this.clock).build();
		LockHandle lock = confirming.acquire(LockRequest.of("late"));
		CompletableFuture<Void> released = lock.closeAsync().toCompletableFuture();
		assertThat(released).isNotDone();
		CompletableFuture<Void> closing = CompletableFuture.runAsync(confirming::close);
		while (!closing.isDone()) {
			this.clock.advance(Duration.ofMillis(100));
		}
		released.get(20, TimeUnit.SECONDS);
	}

}
