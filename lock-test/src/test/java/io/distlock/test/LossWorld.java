package io.distlock.test;

import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.distlock.ClockJump;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.LockClock;
import org.awaitility.Awaitility;

/**
 * A template that may lose its locks, on virtual time, another one that may take them,
 * and a store with a clock of its own.
 */
final class LossWorld implements AutoCloseable {

	static final Duration LEASE = Duration.ofSeconds(30);

	final VirtualClock clock;

	final StoreClock storeClock;

	final Witness witness = new Witness();

	final FaultyLockStore store;

	final CloseableLockTemplate template;

	final CloseableLockTemplate elsewhere;

	LossWorld() {
		this(new VirtualClock());
	}

	private LossWorld(VirtualClock clock) {
		this(clock, clock::deliver, UnaryOperator.identity());
	}

	/**
	 * Creates a world with a machine of its own kind.
	 * @param messenger carries the messages of the store
	 * @param machine the clock of the machine that may lose its locks, made of the
	 * virtual one
	 */
	LossWorld(Executor messenger, UnaryOperator<LockClock> machine) {
		this(new VirtualClock(), messenger, machine);
	}

	private LossWorld(VirtualClock clock, Executor messenger, UnaryOperator<LockClock> machine) {
		this.clock = clock;
		this.storeClock = new StoreClock(clock);
		InMemoryLockServer server = new InMemoryLockServer(this.storeClock, messenger);
		LockSettings settings = LockSettings.builder().waitTime(Duration.ZERO).build();
		this.store = new FaultyLockStore(new InMemoryLockStore(server));
		this.template = LockTemplateBuilder.forStore(this.store)
			.settings(settings)
			.clock(machine.apply(this.clock))
			.observer(this.witness)
			.build();
		this.elsewhere = LockTemplateBuilder.forStore(new InMemoryLockStore(server))
			.settings(settings)
			.clock(this.clock)
			.build();
		this.clock.awaitThreads(2);
	}

	/** The store answers no renewal any more, until the lease is over. */
	void loseAll() {
		this.store.inject(FaultyLockStore.Verb.RENEW, FaultyLockStore.Fault.LOSE_COMMAND);
		this.clock.advance(LEASE.plusMillis(100));
		this.store.heal();
	}

	@Override
	public void close() {
		this.store.heal();
		this.clock.passDuring(() -> {
			this.template.close();
			this.elsewhere.close();
		});
	}

	/** Remembers its notifications. */
	static final class Witness implements LockObserver {

		volatile Consumer<LockLoss> onLost = (hold) -> {
		};

		final Queue<LockLoss> lost = new ConcurrentLinkedQueue<>();

		final Queue<LockOverrun> heldTooLong = new ConcurrentLinkedQueue<>();

		final Queue<ClockJump> jumps = new ConcurrentLinkedQueue<>();

		@Override
		public void lost(LockLoss hold) {
			this.lost.add(hold);
			this.onLost.accept(hold);
		}

		@Override
		public void heldTooLong(LockOverrun hold) {
			this.heldTooLong.add(hold);
		}

		@Override
		public void clockJumped(ClockJump jump) {
			this.jumps.add(jump);
		}

		LockLoss awaitLost() {
			return Awaitility.await().until(this.lost::peek, (hold) -> hold != null);
		}

		ClockJump awaitJump() {
			return Awaitility.await().until(this.jumps::peek, (jump) -> jump != null);
		}

		LockOverrun awaitLongHold() {
			return Awaitility.await().until(this.heldTooLong::peek, (hold) -> hold != null);
		}

	}

	/** As fast as the virtual one, until it is set. */
	static final class StoreClock implements LockClock {

		private final VirtualClock clock;

		private volatile Duration ahead = Duration.ofDays(1);

		StoreClock(VirtualClock clock) {
			this.clock = clock;
		}

		void step(Duration duration) {
			this.ahead = this.ahead.plus(duration);
		}

		@Override
		public long nanoTime() {
			return this.clock.nanoTime() + this.ahead.toNanos();
		}

		@Override
		public Instant instant() {
			return this.clock.instant();
		}

		@Override
		public void park(long nanos) {
			this.clock.park(nanos);
		}

	}

}
