package io.distlock.records;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.Holder;
import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.test.records.MemoryLockRecords;
import io.distlock.test.records.MemoryPlace;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many writes and reads a lock costs on its way from one request to the next, counted
 * step by step.
 */
class HandOverWritesTests {

	private static final String LOCK = "stock";

	private final Queue<Runnable> scheduled = new ArrayDeque<>();

	/** Answers that the place owes. */
	private final Queue<Runnable> owed = new ArrayDeque<>();

	private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.SESSION, true, () -> Instant.EPOCH,
			(message) -> {
				// No process here needs to be notified.
			});

	/** Its writes are answered later. */
	private final Process slow = new Process("slow", delayed(this.place.newRecords()));

	private final Process other = new Process("other", this.place.newRecords());

	@Test
	void releaseThatIsOnlySentGoesWithTheRequestThatFollowed() {
		alternate(1);
		long before = this.place.writes();
		CompletableFuture<FinishResult> released = this.slow.finish(2);
		assertThat(this.owed).as("it waits for the request").isEmpty();
		CompletableFuture<AcquireResult> next = this.slow.acquire(3);
		assertThat(this.owed).as("one write for both").hasSize(1);
		answerAll();
		assertThat(released).isCompletedWithValue(FinishResult.RELEASED);
		assertThat(next).isCompletedWithValueMatching(AcquireResult.Granted.class::isInstance);
		assertThat(this.place.writes() - before).isEqualTo(1);
		runAll(this.scheduled);
		assertThat(this.owed).as("nothing is left to be sent").isEmpty();
	}

	@Test
	void releaseThatNoRequestFollowsIsSentAllTheSameAndTheNextOneAtOnce() {
		alternate(1);
		CompletableFuture<FinishResult> released = this.slow.finish(2);
		runAll(this.scheduled);
		assertThat(this.owed).hasSize(1);
		answerAll();
		assertThat(released).isCompletedWithValue(FinishResult.RELEASED);
		assertThat(this.place.text(LOCK)).doesNotContain("caller of slow");
		CompletableFuture<AcquireResult> later = this.slow.acquire(3);
		answerAll();
		assertThat(later).isCompletedWithValueMatching(AcquireResult.Granted.class::isInstance);
		this.slow.finish(3);
		assertThat(this.owed).hasSize(1);
	}

	@Test
	void releaseOfALockThatOthersWaitForIsSentAtOnce() {
		alternate(1);
		assertThat(this.other.queue(1)).isCompletedWithValueMatching(AcquireResult.Queued.class::isInstance);
		CompletableFuture<AcquireResult> renewed = this.slow.acquire(2);
		answerAll();
		assertThat(renewed).as("reads who waits").isCompleted();
		this.slow.finish(2);
		assertThat(this.owed).hasSize(1);
	}

	/** Takes the lock, and again before the release is answered. */
	private void alternate(long number) {
		this.slow.acquire(number);
		answerAll();
		this.slow.finish(number);
		assertThat(this.owed).as("the first release is sent at once").hasSize(1);
		CompletableFuture<AcquireResult> next = this.slow.acquire(number + 1);
		assertThat(this.owed).as("one write at a time").hasSize(1);
		answerAll();
		assertThat(next).isCompletedWithValueMatching(AcquireResult.Granted.class::isInstance);
	}

	private void answerAll() {
		runAll(this.owed);
	}

	/** The ends of leases are far away. */
	private void later(Duration delay, Runnable action) {
		if (delay.isZero()) {
			this.scheduled.add(action);
		}
	}

	private static void runAll(Queue<Runnable> tasks) {
		while (!tasks.isEmpty()) {
			tasks.remove().run();
		}
	}

	private LockRecords delayed(MemoryLockRecords records) {
		return (LockRecords) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { LockRecords.class },
				(proxy, method, arguments) -> {
					Object result = method.invoke(records, arguments);
					if (!method.getName().equals("write")) {
						return result;
					}
					CompletableFuture<Object> answer = new CompletableFuture<>();
					this.owed.add(() -> answer.complete(((CompletableFuture<?>) result).join()));
					return answer;
				});
	}

	/** A process with one request at a time. */
	private final class Process implements StoreListener {

		private final String name;

		private final RecordLockStore store;

		Process(String name, LockRecords records) {
			this.name = name;
			RecordSettings settings = RecordSettings.NOTIFIED;
			this.store = new RecordLockStore(records, settings, RecordLockStore.rules(records.traits(), settings),
					HandOverWritesTests.this::later, () -> 0, () -> 0.5);
			this.store.start(name, this);
		}

		CompletableFuture<AcquireResult> acquire(long number) {
			return acquire(number, false);
		}

		CompletableFuture<AcquireResult> queue(long number) {
			return acquire(number, true);
		}

		private CompletableFuture<AcquireResult> acquire(long number, boolean queue) {
			Holder holder = new Holder("app", "host", this.name, "", "caller of " + this.name, Instant.EPOCH);
			return this.store
				.acquire(new AcquireCommand(LOCK, new RequestId(this.name, number), Duration.ofSeconds(30),
						Sharing.EXCLUSIVE, queue, 1, Duration.ofSeconds(10), holder))
				.toCompletableFuture();
		}

		CompletableFuture<FinishResult> finish(long number) {
			return this.store.finish(LOCK, new RequestId(this.name, number), Duration.ZERO).toCompletableFuture();
		}

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			// The tests read the answers.
		}

		@Override
		public void contended(String key) {
			// The engine would hand over sooner.
		}

		@Override
		public void reconnected() {
			// Nothing is missed.
		}

	}

}
