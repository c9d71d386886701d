package io.distlock.internal;

import java.util.List;

import io.distlock.records.VirtualRecordStores;
import io.distlock.records.place.RecordTraits.Lifetime;

/** Lets allocations fail in engines whose stores are on records. */
final class RecordFailingAllocations {

	/** Called by the test, through another class loader. */
	void failEachByClock(String name) {
		new VirtualFailingAllocations(() -> engines(Lifetime.CLOCK)).failEach(name);
	}

	/** Called by the test, through another class loader. */
	void failEachInSessions(String name) {
		new VirtualFailingAllocations(() -> engines(Lifetime.SESSION)).failEach(name);
	}

	private static RecordEngines engines(Lifetime lifetime) {
		ModelClock clock = new ModelClock();
		return new RecordEngines(clock, new VirtualRecordStores(lifetime, clock::nanoTime));
	}

	private static final class RecordEngines extends VirtualFailingAllocations.VirtualEngines {

		private final VirtualRecordStores stores;

		RecordEngines(ModelClock clock, VirtualRecordStores stores) {
			super(clock, stores, stores);
			this.stores = stores;
		}

		@Override
		public boolean keeps(List<String> keys) {
			return super.keeps(keys) || this.stores.remembered() > 0;
		}

	}

}
