package io.distlock.memory;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.VirtualClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which locks the server in memory forgets. */
class InMemorySweepTests {

	private static final int ENOUGH_FOR_A_SWEEP = 2048;

	private final VirtualClock clock = new VirtualClock();

	private final InMemoryLockServer server = new InMemoryLockServer(this.clock, Runnable::run);

	@Test
	void aHeldLockThatNobodyUsesIsNotForgotten() {
		try (CloseableLockTemplate here = template();
				CloseableLockTemplate elsewhere = template();
				LockHandle held = here.acquire(LockRequest.of("held").leaseFor(Duration.ofHours(1)))) {
			this.clock.skip(Duration.ofMinutes(1));
			for (int i = 0; i < ENOUGH_FOR_A_SWEEP; i++) {
				elsewhere.acquire("other:" + i).close();
			}
			assertThat(elsewhere.tryAcquire("held")).isEmpty();
			assertThat(held.isHeld()).isTrue();
		}
	}

	private CloseableLockTemplate template() {
		return LockTemplateBuilder.forStore(new InMemoryLockStore(this.server)).build();
	}

}
