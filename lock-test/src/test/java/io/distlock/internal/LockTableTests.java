package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import io.distlock.LockSettings;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.key.Registry;
import io.distlock.internal.request.Release;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.waiting.AsyncWaiter;
import io.distlock.internal.waiting.Waiter;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who finds an entry at the moment it is dropped gets another one. */
class LockTableTests {

	private final ModelClock clock = new ModelClock();

	private final InMemoryLockStore store = new InMemoryLockStore(new InMemoryLockServer(this.clock, Runnable::run));

	private final EngineContext engine = new EngineContext(this.store, LockSettings.DEFAULTS, this.clock, "one",
			LockTemplates.DEFAULT, LockObserver.NONE);

	private final LockTable table = new LockTable(this.engine);

	LockTableTests() {
		this.store.start("one", this.table);
	}

	private AsyncWaiter waiter() {
		return new AsyncWaiter(
				new AcquireOptions(new LeaseTerm(Duration.ofSeconds(30), true), Sharing.EXCLUSIVE,
						TimeUnit.SECONDS.toNanos(1), "", LockOptions.NONE),
				this.clock.nanoTime(), (waiter, outcome) -> {
				});
	}

	private Release release(Hold hold) {
		return new Release(hold, false, Release.Mode.SENT, this.engine, new CompletableFuture<>());
	}

	private static Hold held(Waiter waiter) {
		return SingleLocks.granted(waiter.outcome());
	}

	private LockEntry dropped() {
		AsyncWaiter first = waiter();
		LockEntry entry = (LockEntry) this.table.join("stock:42", first);
		entry.release(release(held(first)));
		assertThat(this.table.isEmpty()).isTrue();
		return entry;
	}

	@Test
	void joinWhenDroppedThenNotLetIn() {
		LockEntry entry = dropped();
		AsyncWaiter waiter = waiter();
		assertThat(entry.join(waiter)).isFalse();
		assertThat(waiter.outcome() != null).isFalse();
		assertThat(this.table.isEmpty()).isTrue();
	}

	@Test
	void pushedWhenDroppedThenIgnored() {
		dropped().pushed(new RequestId("one", 1), new Grant(1, 1, 1000, 0));
		assertThat(this.table.isEmpty()).isTrue();
	}

	@Test
	void grantedWhenKeyIsNotInUseThenNothingIsCreated() {
		this.table.granted("unused", new RequestId("one", 1), new Grant(1, 1, 1000, 0));
		this.table.granted("unused", new RequestId("one", 7, 1), new Grant(1, 1, 1000, 0));
		assertThat(this.table.isEmpty()).isTrue();
	}

	/** One attempt to make this process end its own hold. */
	@Test
	void grantedWhenOfAnotherRequestThenHoldIsKept() {
		AsyncWaiter waiter = waiter();
		LockEntry entry = (LockEntry) this.table.join("stock:42", waiter);
		for (long number : new long[] { 1, 2, 9_007_199_254_740_000L, Long.MAX_VALUE }) {
			this.table.granted("stock:42", new RequestId("one", number), new Grant(5, 64, 1000, 0));
		}
		assertThat(entry.<Boolean>ask((holds) -> holds.isHeld(held(waiter)))).isTrue();
		assertThat(this.store.inspect("stock:42").toCompletableFuture().join().holds()).hasSize(1);
		assertThat(entry.unsettled()).isFalse();
	}

	@Test
	void releaseWhenLostAndDroppedThenForAnotherEntry() {
		AsyncWaiter waiter = waiter();
		LockEntry entry = (LockEntry) this.table.join("stock:42", waiter);
		Hold hold = held(waiter);
		this.clock.moveTo(TimeUnit.SECONDS.toNanos(31));
		entry.tick();
		assertThat(this.table.isEmpty()).isTrue();
		assertThat(entry.release(release(hold))).isFalse();
	}

	@Test
	void withWhenDroppedBetweenLookingAndJoiningThenAnotherEntryIsUsed() {
		Registry<String, Object> registry = new Registry<>((key) -> new Object());
		List<Object> tried = new ArrayList<>();
		Object used = registry.with("stock:42", tried, (entry, before) -> {
			before.add(entry);
			return before.size() > 1;
		});
		assertThat(tried).hasSize(2).doesNotHaveDuplicates().last().isSameAs(used);
		assertThat(registry.find("stock:42")).isSameAs(used);
	}

}
