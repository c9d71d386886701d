package io.distlock.test;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;
import io.distlock.operations.LockOperations;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Whether a store grants locks, without anybody noticing. */
class ProbeTests {

	private final InMemoryLockServer server = new InMemoryLockServer();

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore(this.server));

	private final List<LockRequest> observed = new ArrayList<>();

	@Test
	void probeThenFreeAgainAndNotObserved() {
		try (CloseableLockTemplate template = template()) {
			LockOperations.of(template).probe("probe");
			assertThat(this.store.count(Verb.ACQUIRE)).isOne();
			assertThat(this.store.count(Verb.FINISH)).isOne();
			assertThat(template.isLocked("probe")).isFalse();
			assertThat(template.isIdle()).isTrue();
		}
		assertThat(this.observed).isEmpty();
	}

	@Test
	void probeWhenAnotherProcessHoldsItThenItStaysHeld() {
		try (CloseableLockTemplate template = template();
				CloseableLockTemplate other = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server)).build();
				LockHandle held = other.acquire("probe")) {
			LockOperations.of(template).probe("probe");
			held.ensureHeld();
			assertThat(template.isLocked("probe")).isTrue();
		}
	}

	@Test
	void probeWhenTheStoreFailsThenSaysSo() {
		try (CloseableLockTemplate template = template()) {
			this.store.inject(Verb.ACQUIRE, Fault.REFUSE);
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> LockOperations.of(template).probe("probe"));
		}
	}

	private CloseableLockTemplate template() {
		return LockTemplateBuilder.forStore(this.store).observer(new LockObserver() {

			@Override
			public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
				ProbeTests.this.observed.add(request);
				return null;
			}

		}).build();
	}

}
