package io.distlock.redlock;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.LockStore;
import io.distlock.test.LockTemplateContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

abstract class AbstractRedlockTemplateTests extends LockTemplateContract {

	private final Client client;

	AbstractRedlockTemplateTests(Client client) {
		this.client = client;
	}

	@Override
	protected LockStore newStore() {
		return new RedlockStore(QuorumServers.shared(this.client), QuorumServers.PATIENT);
	}

	/** Each takes two steps on five servers. */
	@Override
	protected int cycles() {
		return 1_000;
	}

	@Test
	@DisplayName("refuses permits, of which a majority of nodes could grant too many")
	void acquireWhenPermitsAreAskedForThenRefused() {
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(newStore()).build()) {
			LockRequest permit = LockRequest.of("tax").permits(3);
			String start = "There are no permits of 'tax': a majority of the Redis servers ";
			String end = " cannot keep permits";
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> template.acquire(permit))
				.withMessageStartingWith(start)
				.withMessageEndingWith(end);
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> template.acquireAsync(permit))
				.withMessageStartingWith(start)
				.withMessageEndingWith(end);
		}
	}

}
