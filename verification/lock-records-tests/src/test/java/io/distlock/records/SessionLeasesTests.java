package io.distlock.records;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.records.place.RecordTraits;
import io.distlock.test.Pause;
import io.distlock.test.TestThreads;
import io.distlock.test.VirtualClock;
import io.distlock.test.records.MemoryLockRecords;
import io.distlock.test.records.MemoryPlace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leases of all lengths on sessions of all lengths, each believed in for a part of its
 * timeout only. On virtual time, for longer than any of them.
 */
class SessionLeasesTests {

	private static final Duration LONGEST = Duration.ofMinutes(2);

	private final VirtualClock clock = new VirtualClock();

	private final Timers timers = new Timers();

	private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.SESSION, true, this.clock::instant);

	@Test
	@Tag("ci")
	void locksAreKeptForAsLongAsTheyWereAskedForOnShortSessions() {
		locksAreKeptForAsLongAsTheyWereAskedFor(2);
	}

	@ParameterizedTest
	@ValueSource(ints = { 10, 60 })
	void locksAreKeptForAsLongAsTheyWereAskedFor(int sessionSeconds) {
		Duration session = Duration.ofSeconds(sessionSeconds);
		CloseableLockTemplate template = LockTemplateBuilder.forStore(store(session)).clock(this.clock).build();
		this.clock.awaitThreads(1);
		Map<Duration, LockHandle> fixed = new LinkedHashMap<>();
		for (int seconds : new int[] { 1, 5, 30, 60, 120 }) {
			Duration lease = Duration.ofSeconds(seconds);
			fixed.put(lease,
					template.acquireAsync(LockRequest.of("fixed " + seconds).leaseFor(lease))
						.toCompletableFuture()
						.join());
		}
		LockHandle renewed = template.acquireAsync("renewed").toCompletableFuture().join();
		LockHandle extended = template.acquireAsync(LockRequest.of("extended").leaseFor(Duration.ofSeconds(1)))
			.toCompletableFuture()
			.join();
		extended.extendAsync(LONGEST).toCompletableFuture().join();
		fixed.put(LONGEST.minusNanos(1), extended);
		long begun = this.clock.nanoTime();
		Duration step = session.dividedBy(20);
		while (this.clock.nanoTime() - begun < LONGEST.toNanos()) {
			this.clock.advance(step);
			this.timers.run();
			Duration held = Duration.ofNanos(this.clock.nanoTime() - begun);
			assertThat(renewed.isHeld()).as("renewed, after %s", held).isTrue();
			fixed.forEach((lease, handle) -> {
				// A step, and the drift of clocks.
				Duration margin = step.plus(lease.dividedBy(500)).plusMillis(10);
				if (held.compareTo(lease.minus(margin)) < 0) {
					assertThat(handle.isHeld()).as("lease of %s, after %s", lease, held).isTrue();
				}
				else if (held.compareTo(lease) > 0) {
					assertThat(handle.isHeld()).as("lease of %s, after %s", lease, held).isFalse();
				}
			});
		}
		// A template that is closed with its locks waits for time to pass.
		renewed.close();
		assertThat(Pause.atMost(TestThreads.LIMIT, () -> {
			this.clock.advance(session);
			this.timers.run();
			return template.isIdle();
		})).isTrue();
		this.clock.passDuring(template::close);
	}

	/** As heartbeats prove it: for half to two thirds of the timeout. */
	private RecordLockStore store(Duration session) {
		MemoryLockRecords records = this.place.newRecords();
		long beat = session.toNanos() / 6;
		records.surelyLasts(
				() -> this.clock.nanoTime() + session.toNanos() * 2 / 3 - Math.floorMod(this.clock.nanoTime(), beat));
		return new RecordLockStore(records, RecordSettings.NOTIFIED,
				RecordLockStore.rules(records.traits(), RecordSettings.NOTIFIED), this.timers, this.clock::nanoTime,
				() -> 0.5);
	}

	/** What comes later. */
	private final class Timers implements Scheduler {

		private final ReentrantLock lock = new ReentrantLock();

		private final PriorityQueue<Timer> waiting = new PriorityQueue<>(Comparator.comparingLong(Timer::at));

		@Override
		public void schedule(Duration delay, Runnable action) {
			this.lock.lock();
			try {
				this.waiting.add(new Timer(SessionLeasesTests.this.clock.nanoTime() + delay.toNanos(), action));
			}
			finally {
				this.lock.unlock();
			}
		}

		void run() {
			due().forEach((timer) -> timer.action().run());
		}

		private List<Timer> due() {
			this.lock.lock();
			try {
				List<Timer> due = new ArrayList<>();
				while (!this.waiting.isEmpty()
						&& this.waiting.peek().at() - SessionLeasesTests.this.clock.nanoTime() <= 0) {
					due.add(this.waiting.remove());
				}
				return due;
			}
			finally {
				this.lock.unlock();
			}
		}

	}

	private record Timer(long at, Runnable action) {
	}

}
