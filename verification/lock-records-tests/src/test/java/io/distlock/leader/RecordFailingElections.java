package io.distlock.leader;

import java.time.Duration;

import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.records.place.RecordTraits.Lifetime;
import io.distlock.test.VirtualClock;
import io.distlock.test.records.MemoryPlace;

/** Lets allocations fail in elections whose stores are on records. */
final class RecordFailingElections {

	/** A store ends a lock that nobody renews by its own clock, which is slower. */
	private static final Duration LEASE = Duration.ofSeconds(5);

	/** Called by the test, through another class loader. */
	void failEach(String lifetime) {
		VirtualClock clock = new VirtualClock();
		MemoryPlace place = new MemoryPlace(Lifetime.valueOf(lifetime), true, clock::instant);
		new FailingElections(clock, LEASE, () -> new RecordLockStore(place.newRecords(), RecordSettings.NOTIFIED))
			.failEach("indexer");
	}

}
