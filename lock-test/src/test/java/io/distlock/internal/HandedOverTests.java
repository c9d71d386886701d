package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LossReason;
import io.distlock.internal.context.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.LockStore;
import io.distlock.stores.LockTemplates;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A lock that another process has handed over. */
class HandedOverTests {

	private final ModelClock clock = new ModelClock();

	private final InMemoryLockServer server = new InMemoryLockServer(this.clock.elsewhere(), Runnable::run);

	private final List<LockLoss> losses = new ArrayList<>();

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore(this.server));

	private final LockEngine here = engine("here", this.store);

	private final LockEngine elsewhere = engine("elsewhere", new InMemoryLockStore(this.server));

	private LockEngine engine(String name, LockStore store) {
		LockObserver observer = new LockObserver() {

			@Override
			public void lost(LockLoss loss) {
				HandedOverTests.this.losses.add(loss);
			}

		};
		return new LockEngine(new EngineContext(store, LockSettings.DEFAULTS, this.clock, name, LockTemplates.DEFAULT,
				observer, Runnable::run, () -> 0.5));
	}

	private void pass(Duration time) {
		long end = this.clock.nanoTime() + time.toNanos();
		while (this.clock.nanoTime() - end < 0) {
			this.here.housekeeper().visitDue(this.clock.nanoTime());
			this.clock.moveTo(this.clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100));
		}
	}

	private LockHandle handOver() {
		LockHandle before = this.elsewhere.acquireAsync(LockRequest.of("stock")).toCompletableFuture().join();
		CompletableFuture<LockHandle> next = this.here.acquireAsync(LockRequest.of("stock")).toCompletableFuture();
		before.closeAsync();
		assertThat(next).isCompleted();
		return next.join();
	}

	@Test
	void lostWhenTheGrantIsNotConfirmedThenSaysSo() {
		this.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		handOver();
		pass(Duration.ofSeconds(9));
		assertThat(this.losses).singleElement()
			.returns(LossReason.UNCONFIRMED, LockLoss::reason)
			.returns(Duration.ofSeconds(8), LockLoss::lease);
		assertThat(this.losses.get(0).describe())
			.contains("was lost: the grant with which it was handed over was not confirmed in time", "lease 8s")
			.doesNotContain("lease 30s");
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 5 })
	void heldWhenTheProcessStandsStillBeforeItConfirmsThenStillHeld(int seconds) {
		LockHandle handle = handOver();
		this.clock.moveTo(this.clock.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
		assertThat(handle.isHeld()).isTrue();
		pass(Duration.ofMinutes(1));
		assertThat(handle.isHeld()).isTrue();
		assertThat(this.losses).isEmpty();
	}

	@Test
	void lostWhenTheGrantWasConfirmedThenByItsLease() {
		handOver();
		pass(Duration.ofSeconds(2));
		this.store.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		pass(Duration.ofMinutes(1));
		assertThat(this.losses).singleElement()
			.returns(LossReason.EXPIRED, LockLoss::reason)
			.returns(Duration.ofSeconds(30), LockLoss::lease);
	}

}
