package io.distlock.internal.key;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.distlock.LockSettings;
import io.distlock.internal.Deaf;
import io.distlock.internal.ModelClock;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.request.Release;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.waiting.AsyncWaiter;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.Sharing;
import io.distlock.stores.LockTemplates;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.FaultyLockStore.Fault;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A store that stops answering fails all that wait for it, after one command timeout. */
class SilentStoreTests {

	private static final LeaseTerm TERM = new LeaseTerm(Duration.ofSeconds(30), true);

	private static final long TIMEOUT = LockSettings.DEFAULTS.commandTimeout().toNanos();

	private static final long LONG = TimeUnit.MINUTES.toNanos(10);

	private final ModelClock clock = new ModelClock();

	private final FaultyLockStore store = new FaultyLockStore(
			new InMemoryLockStore(new InMemoryLockServer(this.clock, Runnable::run)));

	private final EngineContext engine = new EngineContext(this.store, LockSettings.DEFAULTS, this.clock, "one",
			LockTemplates.DEFAULT, LockObserver.NONE, Runnable::run, () -> 0.5);

	private final List<Outcome> outcomes = new ArrayList<>();

	private AsyncWaiter waiter(Sharing sharing) {
		return new AsyncWaiter(new AcquireOptions(TERM, sharing, LONG, "", LockSettings.DEFAULTS.options()),
				this.clock.nanoTime(), (waiter, outcome) -> this.outcomes.add(outcome));
	}

	private void passTimeout(Monitor entry) {
		this.clock.moveTo(this.clock.nanoTime() + TIMEOUT);
		entry.tick();
	}

	SilentStoreTests() {
		this.store.start("one", new Deaf());
	}

	@Test
	void waitersOfAllPermitsFailTogether() {
		this.store.injectAll(Fault.LOSE_COMMAND);
		List<Semaphore> semaphores = new ArrayList<>();
		Registry<Semaphore.Slot, LockEntry> slots = new Registry<>(
				(slot) -> new LockEntry(slot.key(), slot.number(), this.engine, (entry) -> {
				}, (news) -> semaphores.get(0).slotChanged(slot.number(), news), () -> semaphores.get(0)));
		Semaphore semaphore = new Semaphore("tax-office", this.engine, slots, (dropped) -> {
		});
		semaphores.add(semaphore);
		for (int i = 0; i < 7; i++) {
			semaphore.join(waiter(new Sharing.Permit(2)));
		}
		this.clock.moveTo(this.clock.nanoTime() + TIMEOUT);
		slots.all().forEach(LockEntry::tick);
		assertThat(this.outcomes).hasSize(7).hasOnlyElementsOfType(Outcome.Failed.class);
	}

	@Test
	void readersThatWaitForNewsOfWaitersFailTogether() {
		LockEntry entry = new LockEntry("prices", 0, this.engine, (dropped) -> {
		}, null, () -> null);
		entry.join(waiter(Sharing.SHARED));
		this.store.injectAll(Fault.LOSE_COMMAND);
		entry.contended();
		this.clock.moveTo(this.clock.nanoTime() + TimeUnit.SECONDS.toNanos(2));
		entry.join(waiter(Sharing.SHARED));
		entry.join(waiter(Sharing.SHARED));
		assertThat(this.outcomes).hasOnlyElementsOfType(Hold.class).hasSize(1);
		passTimeout(entry);
		assertThat(this.outcomes.subList(1, this.outcomes.size())).hasSize(2)
			.hasOnlyElementsOfType(Outcome.Failed.class);
	}

	@Test
	void aStageWaitsForItsReleaseNoLongerThanAThread() {
		LockEntry entry = new LockEntry("stock", 0, this.engine, (dropped) -> {
		}, null, () -> null);
		entry.join(waiter(Sharing.EXCLUSIVE));
		Hold hold = (Hold) this.outcomes.get(0);
		this.store.injectAll(Fault.LOSE_COMMAND);
		Release release = new Release(hold, false, Release.Mode.ASYNC, this.engine, new CompletableFuture<>());
		entry.release(release);
		this.clock.moveTo(this.clock.nanoTime() + TIMEOUT / 2);
		entry.tick();
		assertThat(release.done().toCompletableFuture()).isNotDone();
		assertThat(entry.due() - this.clock.nanoTime()).isLessThanOrEqualTo(TIMEOUT / 2);
		passTimeout(entry);
		assertThat(release.done().toCompletableFuture()).isCompleted();
		assertThat(entry.unsettled()).as("it is repeated").isTrue();
	}

}
