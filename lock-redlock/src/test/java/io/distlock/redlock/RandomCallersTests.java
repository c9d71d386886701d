package io.distlock.redlock;

import io.distlock.output.Seeds;
import io.distlock.spi.LockStore;
import io.distlock.test.RandomCallersContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** On five servers, with each client. */
@Tag("ci")
class RandomCallersTests {

	/** A quorum. */
	private abstract static class OnQuorum extends RandomCallersContract {

		private final Client client;

		private OnQuorum(Client client) {
			this.client = client;
		}

		@Override
		protected LockStore newStore() {
			return new RedlockStore(QuorumServers.shared(this.client), QuorumServers.PATIENT);
		}

		@Override
		protected int sequences() {
			return Seeds.of("callers.sequences", 5, 200);
		}

	}

	@Nested
	class Lettuce extends OnQuorum {

		Lettuce() {
			super(Client.LETTUCE);
		}

	}

	@Nested
	class Jedis extends OnQuorum {

		Jedis() {
			super(Client.JEDIS);
		}

	}

}
