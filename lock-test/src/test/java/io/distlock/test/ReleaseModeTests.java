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
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** When a release returns, and what it tells. On virtual time. */
@SuppressWarnings("resource")
class ReleaseModeTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final LockRequest REQUEST = LockRequest.of("stock:42").waitAtMost(Duration.ZERO);

	private final VirtualClock clock = new VirtualClock();

	private final InMemoryLockServer server = new InMemoryLockServer(this.clock,
			(message) -> new Thread(message).start());

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore(this.server));

	private CloseableLockTemplate sent;

	private CloseableLockTemplate elsewhere;

	@BeforeEach
	void startTemplates() {
		LockSettings settings = LockSettings.builder().leaseTime(LEASE).build();
		this.sent = LockTemplateBuilder.forStore(this.store)
			.settings(LockSettings.builder().leaseTime(LEASE).release(ReleaseMode.SENT).build())
			.clock(this.clock)
			.build();
		this.elsewhere = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
			.settings(settings)
			.clock(this.clock)
			.build();
		this.clock.awaitThreads(2);
	}

	@AfterEach
	void stopTemplates() {
		this.store.heal();
		this.clock.passDuring(() -> {
			this.sent.close();
			this.elsewhere.close();
		});
	}

	@Test
	void closeWhenSentThenReturnsBeforeTheStoreAnswers() {
		LockHandle lock = this.sent.acquire(REQUEST);
		this.store.inject(Verb.FINISH, Fault.LOSE_ANSWER);
		lock.close();
		assertThat(this.store.count(Verb.FINISH)).isOne();
		assertThat(this.sent.isIdle()).as("the answer is still awaited").isFalse();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
	}

	@Test
	void closeAsyncWhenSentThenDoneBeforeTheStoreAnswers() {
		LockHandle lock = this.sent.acquire(REQUEST);
		this.store.inject(Verb.FINISH, Fault.LOSE_ANSWER);
		assertThat(lock.closeAsync()).isCompleted();
	}

	@Test
	void closeWhenSentAndTheCommandIsLostThenRepeatedUntilReleased() {
		LockHandle lock = this.sent.acquire(REQUEST);
		this.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		lock.close();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isEmpty();
		this.store.heal();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
		assertThat(this.sent.isIdle()).isTrue();
	}

	@Test
	void closeWhenSentAndTheStoreStaysAwayThenGivenUpWhenTheLeaseIsOver() {
		LockHandle lock = this.sent.acquire(REQUEST);
		this.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		lock.close();
		this.clock.advance(LEASE.multipliedBy(2));
		assertThat(this.sent.isIdle()).isTrue();
	}

	@Test
	void closeWhenSentAndReplacedByAShorterOneThenRepeatedForAsLongAsTheHoldMayLast() {
		LockHandle lock = this.sent.acquire(REQUEST.leaseFor(Duration.ofMinutes(10)));
		this.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
		this.store.inject(Verb.ACQUIRE, Fault.LOSE_COMMAND);
		lock.close();
		this.sent.acquireAsync(REQUEST.waitAtMost(LEASE)).toCompletableFuture().cancel(false);
		this.clock.advance(LEASE.multipliedBy(2));
		this.store.heal();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
		assertThat(this.sent.isIdle()).isTrue();
	}

	@Test
	void acquireWhenTheReleaseIsStillUnderWayThenWaitsForNobody() {
		this.store.inject(Verb.FINISH, Fault.LOSE_ANSWER);
		long token = 0;
		for (int i = 0; i < 10; i++) {
			try (LockHandle lock = this.sent.acquire(REQUEST)) {
				assertThat(lock.fencingToken()).isGreaterThan(token);
				token = lock.fencingToken();
			}
		}
		this.store.heal();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(this.sent.isIdle()).isTrue();
		assertThat(this.elsewhere.tryAcquire(REQUEST)).isPresent();
	}

	@Test
	void closeWhenLostBeforeThenThrownInEitherMode() {
		LockHandle lock = this.sent.acquire(REQUEST);
		this.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		this.clock.advance(LEASE.plusSeconds(1));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		LockHandle other = this.sent.acquire(LockRequest.of("other"));
		this.clock.advance(LEASE.plusSeconds(1));
		assertThat(other.closeAsync().toCompletableFuture()).isCompletedExceptionally();
	}

	@Test
	void closeWhenTheStoreLostItThenThrownOnlyIfConfirmed() throws Exception {
		LockHandle confirmed = this.elsewhere.acquire(REQUEST);
		LockHandle async = this.elsewhere.acquire(LockRequest.of("async"));
		LockHandle quiet = this.sent.acquire(LockRequest.of("quiet"));
		this.server.flush();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(confirmed::close)
			.withMessageContaining("the store no longer knew this hold when it was released");
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> async.closeAsync().toCompletableFuture().get(20, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockLostException.class);
		quiet.close();
		Awaitility.await().until(this.sent::isIdle);
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
