package io.distlock.internal.context;

import java.time.Duration;

import io.distlock.LockSettings;
import io.distlock.internal.ModelClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Times that depend on the store. */
class EngineContextTests {

	private static final LeaseTerm SHORT = new LeaseTerm(Duration.ofSeconds(6), true);

	private static final LeaseTerm LONG = new LeaseTerm(Duration.ofMinutes(3), true);

	private final ModelClock clock = new ModelClock();

	private final Times store = new Times();

	private final EngineContext engine = new EngineContext(this.store, LockSettings.DEFAULTS, this.clock, "one",
			LockTemplates.DEFAULT, LockObserver.NONE, Runnable::run, () -> 0.5);

	private Duration overInStore(LeaseTerm term) {
		return Duration.ofNanos(this.engine.overInStore(term) - this.engine.now());
	}

	@Test
	void overInStoreWhenWaitersLiveLongerThanTheLeaseThenAfterThem() {
		assertThat(overInStore(SHORT)).isEqualTo(Duration.ofSeconds(12));
		assertThat(overInStore(LONG)).isEqualTo(Duration.ofSeconds(182));
		this.store.waiterLifetime = Duration.ofSeconds(90);
		assertThat(overInStore(SHORT)).isEqualTo(Duration.ofSeconds(92));
		assertThat(overInStore(LONG)).isEqualTo(Duration.ofSeconds(182));
	}

	@Test
	void timeoutWhenTheStoreConnectsThenLonger() {
		assertThat(this.engine.timeoutNanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
		this.store.connecting = Duration.ofSeconds(4);
		assertThat(this.engine.timeoutNanos()).isEqualTo(Duration.ofSeconds(5).toNanos());
	}

	/** Says how long things take and does nothing. */
	private static final class Times extends DelegatingLockStore {

		private Duration connecting = Duration.ZERO;

		private Duration waiterLifetime = super.waiterLifetime();

		Times() {
			super(new InMemoryLockStore());
		}

		@Override
		public Duration connecting() {
			return this.connecting;
		}

		@Override
		public Duration waiterLifetime() {
			return this.waiterLifetime;
		}

	}

}
