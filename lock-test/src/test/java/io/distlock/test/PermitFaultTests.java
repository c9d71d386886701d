package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Permits of a store that does not answer. On virtual time. */
class PermitFaultTests {

	private static final LockRequest PERMIT = LockRequest.of("tax-office").permits(2);

	private final LossWorld world = new LossWorld();

	@AfterEach
	void closeWorld() {
		this.world.close();
	}

	private CompletableFuture<LockHandle> async(Duration waitTime) {
		return this.world.template.acquireAsync(PERMIT.waitAtMost(waitTime)).toCompletableFuture();
	}

	@Test
	void acquireWhenTheStoreDoesNotAnswerThenNobodyIsToldThatItIsBusy() {
		this.world.store.inject(Verb.ACQUIRE, Fault.LOSE_COMMAND);
		List<CompletableFuture<LockHandle>> all = Stream.generate(() -> async(Duration.ofMillis(500)))
			.limit(5)
			.toList();
		this.world.clock.advance(Duration.ofSeconds(20));
		assertThat(all).allSatisfy((one) -> assertThat(one).failsWithin(Duration.ofSeconds(10))
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(LockStoreException.class));
		this.world.store.heal();
		this.world.clock.advance(Duration.ofMinutes(2));
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void tryAcquireWhenTheStoreOwesAnAnswerToThoseBeforeThenItIsWaitedFor() throws Exception {
		this.world.store.inject(Verb.ACQUIRE, Fault.ANSWER_LATER);
		List<CompletableFuture<LockHandle>> before = List.of(async(Duration.ofMinutes(1)),
				async(Duration.ofMinutes(1)));
		FutureTask<Throwable> next = TestThreads
			.inWaitingThread(() -> catchThrowable(() -> this.world.template.acquire(PERMIT.waitAtMost(Duration.ZERO))));
		assertThat(next).isNotDone();
		this.world.store.heal();
		this.world.store.executeLateCopies();
		assertThat(TestThreads.get(next)).isInstanceOf(LockBusyException.class);
		for (CompletableFuture<LockHandle> one : before) {
			Awaitility.await().until(one::isDone);
			one.join().close();
		}
		assertThat(this.world.template.isIdle()).isTrue();
	}

}
