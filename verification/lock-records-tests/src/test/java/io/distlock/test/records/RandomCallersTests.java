package io.distlock.test.records;

import java.time.Duration;
import java.time.Instant;

import io.distlock.output.Seeds;
import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.records.place.RecordTraits.Lifetime;
import io.distlock.spi.LockStore;
import io.distlock.test.RandomCallersContract;
import org.junit.jupiter.api.Nested;

/** On places in memory: with the clock and with sessions, with messages and without. */
class RandomCallersTests {

	/** A place. */
	private abstract static class OnPlace extends RandomCallersContract {

		private final MemoryPlace place;

		private final RecordSettings settings;

		private OnPlace(Lifetime lifetime, RecordSettings settings) {
			this.place = new MemoryPlace(lifetime, settings == RecordSettings.NOTIFIED, Instant::now);
			this.settings = settings.withCommandTimeout(Duration.ofSeconds(10));
		}

		@Override
		protected LockStore newStore() {
			return new RecordLockStore(this.place.newRecords(), this.settings);
		}

		@Override
		protected int sequences() {
			return Seeds.of("callers.sequences", 5, 200);
		}

	}

	@Nested
	class Notified extends OnPlace {

		Notified() {
			super(Lifetime.CLOCK, RecordSettings.NOTIFIED);
		}

	}

	@Nested
	class Polled extends OnPlace {

		Polled() {
			super(Lifetime.CLOCK, RecordSettings.POLLED);
		}

	}

	@Nested
	class Sessions extends OnPlace {

		Sessions() {
			super(Lifetime.SESSION, RecordSettings.NOTIFIED);
		}

	}

}
