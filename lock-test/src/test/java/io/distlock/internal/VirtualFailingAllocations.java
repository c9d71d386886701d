package io.distlock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.distlock.LockTemplate;
import io.distlock.spi.LockStore;

/** Lets allocations fail on virtual time, on one thread. */
class VirtualFailingAllocations extends FailingAllocations {

	private static final String KEY = "stock:42";

	private final Supplier<? extends VirtualEngines> engines;

	VirtualFailingAllocations() {
		this(VirtualEngines::new);
	}

	/**
	 * Lets allocations fail on stores of another kind.
	 * @param engines creates two engines on one store
	 */
	VirtualFailingAllocations(Supplier<? extends VirtualEngines> engines) {
		this.engines = engines;
	}

	/** Called by the test, through another class loader. */
	void failEach(String name) {
		failEach(List.of(FailingAllocation.valueOf(name)));
	}

	@Override
	World newWorld(FailingAllocation call, int number) {
		return new World(this.engines.get(), this.engines.get(), KEY);
	}

	@Override
	void passLeases(List<World> worlds) {
		for (World world : worlds) {
			((VirtualEngines) world.first()).pass(EngineWorld.LEASE.multipliedBy(4));
			((VirtualEngines) world.next()).pass(EngineWorld.LEASE.multipliedBy(4));
			((VirtualEngines) world.first()).pass(Duration.ZERO);
		}
	}

	/** Two engines without threads of their own. */
	static class VirtualEngines extends EngineWorld implements Engines {

		private final Runnable store;

		VirtualEngines() {
			this.store = () -> {
			};
		}

		/**
		 * Creates engines on a store of another kind.
		 * @param clock the time of both
		 * @param stores connects one more engine
		 * @param store does what is due in the stores
		 */
		VirtualEngines(ModelClock clock, Supplier<? extends LockStore> stores, Runnable store) {
			super(clock, stores);
			this.store = store;
		}

		@Override
		void disturb() {
			// The clock never fails.
		}

		@Override
		public LockTemplate here() {
			return this.engine;
		}

		@Override
		public LockTemplate elsewhere() {
			return this.elsewhere;
		}

		@Override
		public void settle(CompletionStage<?> stage) {
			this.store.run();
			runCallbacks();
			this.store.run();
		}

		@Override
		public boolean keeps(List<String> keys) {
			return !this.engine.isIdle();
		}

		void pass(Duration time) {
			long end = this.clock.nanoTime() + time.toNanos();
			while (this.clock.nanoTime() - end < 0) {
				this.store.run();
				runCallbacks();
				this.engine.housekeeper().visitDue(this.clock.nanoTime());
				this.clock.moveTo(this.clock.nanoTime() + TimeUnit.SECONDS.toNanos(1));
			}
			this.store.run();
			runCallbacks();
		}

		@Override
		public void park(long nanos) {
			pass(Duration.ofSeconds(1));
		}

	}

}
