package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.LockSettings;
import io.distlock.OnLost;
import io.distlock.ReleaseMode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.distlock.test.TestThreads.get;
import static io.distlock.test.TestThreads.inThread;
import static io.distlock.test.TestThreads.runInThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The part of {@link LockTemplateContract} about locks that several owners hold together.
 */
@SuppressWarnings({ "NullAway", "resource" })
abstract class SharedModeContract extends TemplateContractPart {

	SharedModeContract(ContractTemplates templates) {
		super(templates);
	}

	private LockRequest write() {
		return request();
	}

	private LockRequest read() {
		return request().mode(LockMode.SHARED);
	}

	@Test
	@DisplayName("is held by readers of several threads and processes together, and by a writer alone")
	void acquireWhenSharedThenReadersTogetherAndAWriterAlone() throws Exception {
		CloseableLockTemplate one = template();
		CloseableLockTemplate two = template();
		LockHandle first = one.acquire(read());
		LockHandle second = elsewhere(() -> one.acquire(read()));
		LockHandle third = get(async(one, read()));
		LockHandle fourth = elsewhere(() -> two.acquire(read()));
		List<LockHandle> readers = List.of(first, second, third, fourth);
		assertThat(readers).allMatch(LockHandle::isHeld);
		assertThat(two.tryAcquire(write())).isEmpty();
		assertThat(elsewhere(() -> one.tryAcquire(write()))).isEmpty();
		CompletableFuture<LockHandle> writer = async(two, write());
		for (LockHandle reader : readers) {
			assertThat(writer).isNotDone();
			assertThat(reader.isHeld()).isTrue();
			reader.close();
		}
		try (LockHandle alone = get(writer)) {
			assertThat(readers).allMatch((reader) -> reader.fencingToken() < alone.fencingToken());
			assertThat(one.tryAcquire(read())).isEmpty();
			assertThat(two.tryAcquire(read())).isEmpty();
		}
		try (LockHandle later = one.acquire(waiting(read()))) {
			assertThat(later.fencingToken()).isGreaterThan(get(writer).fencingToken());
		}
		Awaitility.await().until(one::isIdle);
		Awaitility.await().until(two::isIdle);
	}

	@Test
	@DisplayName("lets all readers that wait next to each other in at once")
	void acquireWhenSeveralReadersWaitThenInTogether() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle writer = template().acquire(write());
		List<CompletableFuture<LockHandle>> readers = Stream.generate(() -> async(one, read())).limit(5).toList();
		writer.close();
		for (CompletableFuture<LockHandle> reader : readers) {
			assertThat(get(reader).isHeld()).isTrue();
		}
		for (CompletableFuture<LockHandle> reader : readers) {
			get(get(reader).closeAsync().toCompletableFuture());
		}
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("lets no reader in before a writer of the same process that came first")
	void acquireWhenAWriterWaitsHereThenReadersAreBehindIt() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle reader = one.acquire(read());
		CompletableFuture<LockHandle> writer = async(one, write());
		assertThat(elsewhere(() -> one.tryAcquire(read()))).isEmpty();
		CompletableFuture<LockHandle> late = async(one, read());
		try (LockHandle nested = one.acquire(read())) {
			assertThat(nested.isHeld()).as("who reads already may nest").isTrue();
		}
		assertThat(late).isNotDone();
		assertThat(writer).isNotDone();
		reader.close();
		LockHandle alone = get(writer);
		assertThat(late).isNotDone();
		alone.close();
		get(late).close();
	}

	@Test
	@DisplayName("may be joined at any time while there are no waiters, also by a single attempt")
	void tryAcquireWhenSharedForLongThenJoined() throws Exception {
		CloseableLockTemplate one = template();
		try (LockHandle reader = one.acquire(read())) {
			Pause.of(Duration.ofMillis(1200));
			try (LockHandle joined = elsewhere(() -> one.tryAcquire(read())).orElseThrow()) {
				assertThat(joined.isHeld()).isTrue();
			}
			Lock lock = one.getReadWriteLock(request().key()).readLock();
			assertThat(elsewhere(() -> lock.tryLock())).isTrue();
			assertThat(reader.isHeld()).isTrue();
		}
	}

	@Test
	@DisplayName("refuses at once to make a reader the writer")
	void acquireWhenTheThreadReadsThenNoUpgrade() {
		CloseableLockTemplate one = template();
		ReadWriteLock lock = one.getReadWriteLock(request().key());
		try (LockHandle reader = one.acquire(read())) {
			String message = "Lock '" + request().key() + "' cannot be upgraded: thread '"
					+ Thread.currentThread().getName()
					+ "' holds it shared and would wait for itself; release it, then acquire it exclusively";
			assertThatExceptionOfType(LockException.class).isThrownBy(() -> one.acquire(waiting(write())))
				.withMessage(message);
			assertThatExceptionOfType(LockException.class).isThrownBy(() -> lock.writeLock().lock())
				.withMessage(message);
			assertThatExceptionOfType(LockException.class).isThrownBy(() -> lock.writeLock().tryLock())
				.withMessage(message);
			assertThat(reader.isHeld()).isTrue();
		}
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("lets the writer read too, and other readers in once the writer has closed all its handles")
	void acquireWhenTheThreadWritesThenItMayReadTooAndStaysAlone() throws Exception {
		CloseableLockTemplate one = template();
		CloseableLockTemplate two = template();
		LockHandle writer = one.acquire(write());
		LockHandle reader = one.acquire(read());
		assertThat(reader.fencingToken()).isEqualTo(writer.fencingToken());
		assertThat(two.tryAcquire(read())).isEmpty();
		assertThat(elsewhere(() -> one.tryAcquire(read()))).isEmpty();
		CompletableFuture<LockHandle> there = async(two, read());
		writer.close();
		assertThat(reader.isHeld()).isTrue();
		assertThat(elsewhere(() -> one.tryAcquire(read()))).isEmpty();
		assertThat(two.tryAcquire(read())).isEmpty();
		assertThat(there).isNotDone();
		try (LockHandle again = one.acquire(write())) {
			assertThat(again.fencingToken()).isEqualTo(writer.fencingToken());
		}
		reader.close();
		try (LockHandle next = get(there)) {
			assertThat(next.fencingToken()).isGreaterThan(writer.fencingToken());
		}
	}

	@Test
	@DisplayName("is java.util.concurrent.locks.ReadWriteLock to the letter")
	void getReadWriteLockThenToTheLetter() throws Exception {
		CloseableLockTemplate one = template();
		ReadWriteLock here = one.getReadWriteLock(request().key());
		ReadWriteLock there = template().getReadWriteLock(request().key());
		for (Lock lock : List.of(here.readLock(), here.writeLock())) {
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(lock::newCondition);
		}
		here.readLock().lock();
		here.readLock().lockInterruptibly();
		assertThat(there.readLock().tryLock()).isTrue();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(here.writeLock()::unlock);
		assertThat(elsewhere(() -> there.writeLock().tryLock(50, TimeUnit.MILLISECONDS))).isFalse();
		here.readLock().unlock();
		here.readLock().unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(here.readLock()::unlock);
		there.readLock().unlock();
		here.writeLock().lock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(here.readLock()::unlock);
		assertThat(here.readLock().tryLock()).isTrue();
		assertThat(there.readLock().tryLock()).isFalse();
		here.writeLock().unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(here.writeLock()::unlock);
		here.readLock().unlock();
		assertThat(there.readLock().tryLock()).isTrue();
		assertThat(elsewhere(() -> one.getLock(request().key()).tryLock())).as("getLock() is the write lock").isFalse();
		there.readLock().unlock();
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("lets others read once a thread has released the write lock and the read lock")
	void getReadWriteLockWhenTheWriterReleasedBothThenOthersMayRead() throws Exception {
		CloseableLockTemplate one = template();
		ReadWriteLock here = one.getReadWriteLock(request().key());
		ReadWriteLock there = template().getReadWriteLock(request().key());
		here.writeLock().lock();
		here.readLock().lock();
		assertThat(elsewhere(() -> here.readLock().tryLock())).as("while it writes").isFalse();
		assertThat(there.readLock().tryLock()).as("while it writes").isFalse();
		here.writeLock().unlock();
		assertThat(elsewhere(() -> here.readLock().tryLock())).as("while it still reads").isFalse();
		assertThat(there.readLock().tryLock()).as("while it still reads").isFalse();
		here.readLock().unlock();
		assertThat(there.readLock().tryLock(5, TimeUnit.SECONDS)).as("another process reads").isTrue();
		there.readLock().unlock();
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("ends the waiting of an interrupted reader, and keeps the flag of one that cannot be")
	void lockWhenInterruptedThenEndsOrKeepsTheFlag() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle writer = template().acquire(write());
		Future<?> reader = runInThread(() -> {
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> one.acquire(waiting(read())));
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> one.getReadWriteLock(request().key()).readLock().lockInterruptibly());
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
		});
		get(reader);
		Future<Boolean> stubborn = inThread(() -> {
			Thread.currentThread().interrupt();
			one.getReadWriteLock(request().key()).readLock().lock();
			one.getReadWriteLock(request().key()).readLock().unlock();
			return Thread.interrupted();
		});
		assertThat(stubborn.isDone()).isFalse();
		writer.close();
		assertThat(get(stubborn)).isTrue();
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("lets readers in when the writer before them goes away or is refused")
	void cancelWhenTheWriterGoesThenReadersBehindItGetIn() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle reader = one.acquire(read());
		CompletableFuture<LockHandle> writer = async(one, write());
		CompletableFuture<LockHandle> behind = async(one, read());
		assertThat(behind).isNotDone();
		writer.cancel(false);
		get(behind).close();
		Future<?> refused = runInThread(() -> assertThatExceptionOfType(LockBusyException.class)
			.isThrownBy(() -> one.acquire(write().waitAtMost(Duration.ofMillis(100)))));
		get(refused);
		elsewhere(() -> one.acquire(waiting(read()))).close();
		reader.close();
	}

	@Test
	@DisplayName("gives up a writer's request when only readers are left to wait")
	void cancelWhenAWriterContendsThenReadersContend() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle elsewhere = template().acquire(read());
		CompletableFuture<LockHandle> writer = async(one, write());
		CompletableFuture<LockHandle> reader = async(one, read());
		assertThat(reader).isNotDone();
		writer.cancel(false);
		get(reader).close();
		elsewhere.close();
	}

	@Test
	@DisplayName("refuses a reader in time while there is a writer, and names the writer")
	void acquireWhenAWriterHoldsThenBusyInTime() {
		CloseableLockTemplate one = template();
		LockHandle writer = template().acquire(write().calledFrom("Shop.sell"));
		long start = System.nanoTime();
		assertThatExceptionOfType(LockBusyException.class)
			.isThrownBy(() -> one.acquire(read().waitAtMost(Duration.ofMillis(300))))
			.withMessageContaining("Shop.sell");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(290), LONG.dividedBy(2));
		Awaitility.await().until(one::isIdle);
		writer.close();
	}

	@Test
	@DisplayName("refuses readers behind a writer when too many wait, not readers that join")
	void acquireWhenTooManyWaitThenReadersWhoJoinAreNotCounted() throws Exception {
		CloseableLockTemplate one = template();
		LockRequest few = waiting(read()).maxWaiters(1);
		LockHandle first = one.acquire(few);
		LockHandle second = elsewhere(() -> one.acquire(few));
		CompletableFuture<LockHandle> writer = async(one, write());
		Future<?> refused = runInThread(
				() -> assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> one.acquire(few))
					.withMessageContaining("(max waiters)"));
		get(refused);
		first.close();
		second.close();
		get(writer).close();
	}

	@Test
	@DisplayName("is lost by the reader whose fixed lease is over, and stays with the others")
	void acquireWhenAFixedLeaseEndsThenOnlyItsReaderLosesIt() throws Exception {
		CloseableLockTemplate one = template();
		AtomicInteger told = new AtomicInteger();
		LockHandle renewed = elsewhere(() -> one.acquire(read()));
		LockHandle fixed = briefly(Duration.ofMillis(400), (lease) -> one.acquire(waiting(read()).leaseFor(lease)));
		renewed.onLost((handle) -> told.addAndGet(100));
		fixed.onLost((handle) -> told.incrementAndGet());
		Awaitility.await().atMost(LONG).until(() -> told.get() == 1);
		assertThat(fixed.isHeld()).isFalse();
		assertThat(renewed.isHeld()).isTrue();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(fixed::close);
		assertThat(template().tryAcquire(write())).as("the other one still has it").isEmpty();
		renewed.close();
		assertThat(told).hasValue(1);
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("may be joined for longer than the first reader asked for")
	void acquireWhenTheFirstLeaseIsShortThenLengthenedForTheNext() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle brief = elsewhere(
				() -> briefly(Duration.ofMillis(500), (lease) -> one.acquire(waiting(read()).leaseFor(lease))));
		LockHandle longer = one.acquire(waiting(read().leaseFor(LONG)));
		assertThat(longer.remaining()).isGreaterThan(LONG.dividedBy(2));
		LockHandle renewed = elsewhere(() -> one.acquire(waiting(read())));
		Awaitility.await().atMost(LONG).until(() -> !brief.isHeld());
		assertThat(longer.isHeld()).isTrue();
		assertThat(renewed.isHeld()).isTrue();
		longer.close();
		renewed.close();
		assertThat(template().tryAcquire(write())).isPresent();
	}

	@Test
	@DisplayName("is not kept by a reader whose thread has died, and its loss is reported to the living readers")
	void acquireWhenAReaderDiesThenItsShareEndsWithTheLease() throws Exception {
		CloseableLockTemplate one = template(LockSettings.builder()
			.leaseTime(Duration.ofMillis(4500))
			.commandTimeout(Duration.ofMillis(1500))
			.build());
		Standstill.repeat(() -> {
			LockHandle[] orphan = new LockHandle[1];
			Thread dying = new Thread(() -> orphan[0] = one.acquire(waiting(read())), "dying");
			try (LockHandle alive = one.acquire(waiting(read()))) {
				dying.start();
				dying.join();
				assertThat(orphan[0].isHeld()).isTrue();
				Awaitility.await().atMost(LONG).until(() -> !orphan[0].isHeld());
				assertThat(alive.isHeld()).as("renewed meanwhile").isTrue();
			}
		});
		try (LockHandle writer = template().acquire(waiting(write()))) {
			assertThat(writer.isHeld()).isTrue();
		}
	}

	@Test
	@DisplayName("is freed for others when all readers have lost it, though it was renewed for longer")
	void acquireWhenTheLastReaderLosesItThenFreed() throws Exception {
		CloseableLockTemplate one = template(
				LockSettings.builder().leaseTime(LONG.multipliedBy(3)).commandTimeout(Duration.ofSeconds(10)).build());
		LockHandle fixed = briefly(Duration.ofMillis(700), (lease) -> one.acquire(waiting(read().leaseFor(lease))));
		elsewhere(() -> one.acquire(waiting(read()))).close();
		try (LockHandle writer = template().acquire(waiting(write()))) {
			assertThat(writer.isHeld()).as("long before the lease that was asked for last").isTrue();
			assertThat(fixed.isHeld()).isFalse();
		}
		assertThatExceptionOfType(LockLostException.class).isThrownBy(fixed::close);
		Awaitility.await().until(one::isIdle);
	}

	@Test
	@DisplayName("interrupts each reader that asked for it when it is lost")
	void lostWhenInterruptIsAskedForThenEachReadersThread() throws Exception {
		CloseableLockTemplate one = template();
		LockRequest brief = read().leaseFor(Duration.ofMillis(500)).onLost(OnLost.INTERRUPT);
		Callable<Boolean> body = () -> one.execute(waiting(brief), (lock) -> {
			try {
				return !new CountDownLatch(1).await(LONG.toSeconds(), TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				assertThat(LockScopes.isInterruptedByLoss(lock)).isTrue();
				throw ex;
			}
		});
		Future<Boolean> first = inThread(body);
		Future<Boolean> second = inThread(body);
		for (Future<Boolean> reader : List.of(first, second)) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> get(reader))
				.withCauseInstanceOf(LockLostException.class);
		}
	}

	@Test
	@DisplayName("keeps writers out and lets readers be together in a crowd")
	void acquireWhenManyReadAndWriteThenNeverTogether() throws Exception {
		AtomicInteger readers = new AtomicInteger();
		AtomicInteger writers = new AtomicInteger();
		AtomicInteger together = new AtomicInteger();
		List<CloseableLockTemplate> templates = List.of(template(), template());
		List<Future<?>> all = Stream.iterate(0, (i) -> i + 1).limit(8).<Future<?>>map((i) -> inThread(() -> {
			for (int round = 0; round < 25; round++) {
				boolean write = (i + round) % 4 == 0;
				try (LockHandle handle = templates.get(i % 2).acquire(waiting(write ? write() : read()))) {
					int reading = write ? readers.get() : readers.incrementAndGet();
					int writing = write ? writers.incrementAndGet() : writers.get();
					together.accumulateAndGet(reading, Math::max);
					assertThat(writing).isEqualTo(write ? 1 : 0);
					assertThat(reading > 0).isNotEqualTo(write);
					(write ? writers : readers).decrementAndGet();
				}
			}
			return null;
		})).toList();
		for (Future<?> one : all) {
			get(one);
		}
		Awaitility.await().until(() -> templates.stream().allMatch(CloseableLockTemplate::isIdle));
	}

	@Test
	@DisplayName("goes on to the writer when the last release was only sent")
	void closeWhenReleaseIsSentThenAWriterGetsIt() throws Exception {
		CloseableLockTemplate one = template(LockSettings.builder().release(ReleaseMode.SENT).build());
		LockHandle first = one.acquire(read());
		LockHandle second = elsewhere(() -> one.acquire(read()));
		first.close();
		assertThat(template().tryAcquire(write())).isEmpty();
		second.close();
		try (LockHandle writer = template().acquire(waiting(write()))) {
			assertThat(writer.isHeld()).isTrue();
		}
		Awaitility.await().until(one::isIdle);
	}

}
