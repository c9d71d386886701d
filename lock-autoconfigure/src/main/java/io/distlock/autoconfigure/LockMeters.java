package io.distlock.autoconfigure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import io.distlock.ClockJump;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import io.distlock.LossReason;
import io.distlock.observe.LockNotTaken;
import io.distlock.observe.LockObserver;
import io.distlock.observe.StoreCommand;
import io.distlock.stores.LockTemplates;

/**
 * Provides the meters that observations do not provide. It counts losses, overruns, clock
 * jumps and calls without a lock, and measures commands to the store and the lag of
 * renewals.
 */
final class LockMeters implements MeterBinder, LockObserver {

	static final String STORE = "lock.store";

	static final String REASON = "lock.reason";

	/** Written under the lock of bindings. */
	private final ConcurrentMap<String, OfStore> stores = new ConcurrentHashMap<>();

	/**
	 * Guards the bindings of each store to each registry. Whichever of both comes last
	 * finds the other.
	 */
	private final ReentrantLock bindings = new ReentrantLock();

	/** Guarded by the lock of bindings. */
	private final List<MeterRegistry> registries = new ArrayList<>();

	private final Supplier<@Nullable CloseableLockTemplate> template;

	private final UnaryOperator<String> storeOf;

	private final Function<String, Optional<List<String>>> lostNodes;

	private final LockNames names;

	/**
	 * Creates the meters.
	 * @param template measures the lag of renewals; queried when meters are bound
	 * @param storeOf returns the id of the store of locks with a name
	 * @param lostNodes returns the lost servers of a store; empty for an unknown store
	 * @param names limits the names of locks
	 */
	LockMeters(Supplier<@Nullable CloseableLockTemplate> template, UnaryOperator<String> storeOf,
			Function<String, Optional<List<String>>> lostNodes, LockNames names) {
		this.lostNodes = lostNodes;
		this.names = names;
		this.storeOf = storeOf;
		this.template = template;
		// The meters of the store exist before its first lock.
		create(LockTemplates.DEFAULT);
	}

	@Override
	public void lost(LockLoss hold) {
		of(hold.store()).lost(hold);
	}

	@Override
	public void heldTooLong(LockOverrun hold) {
		of(hold.store()).heldTooLong(hold);
	}

	@Override
	public void clockJumped(ClockJump jump) {
		of(jump.store()).clockJumped();
	}

	private OfStore of(String store) {
		OfStore known = this.stores.get(store);
		return (known != null) ? known : create(store);
	}

	private OfStore create(String store) {
		this.bindings.lock();
		try {
			OfStore known = this.stores.get(store);
			if (known != null) {
				return known;
			}
			OfStore created = new OfStore(store, () -> this.lostNodes.apply(store));
			this.registries.forEach(created::bindTo);
			this.stores.put(store, created);
			return created;
		}
		finally {
			this.bindings.unlock();
		}
	}

	@Override
	public void notTaken(LockNotTaken lock) {
		String name = this.names.of(lock.name());
		of(this.storeOf.apply(lock.name())).bound.forEach((meters) -> meters.notTaken(name, lock.reason()));
	}

	@Override
	public boolean observesCommands() {
		return !of(LockTemplates.DEFAULT).bound.isEmpty();
	}

	@Override
	public void commandEnded(String store, StoreCommand command, long nanos, @Nullable Throwable failure) {
		for (BoundMeters meters : of(store).bound) {
			meters.commandEnded(command, nanos, failure);
		}
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.bindings.lock();
		try {
			// A registry that is bound twice counts once.
			if (!this.registries.contains(registry)) {
				this.registries.add(registry);
				this.stores.values().forEach((store) -> store.bindTo(registry));
			}
		}
		finally {
			this.bindings.unlock();
		}
		CloseableLockTemplate template = this.template.get();
		if (template != null) {
			TimeGauge
				.builder("lock.renewal.lag", template, TimeUnit.NANOSECONDS,
						(measured) -> measured.renewalLag().toNanos())
				.description("Longest delay of a renewal over the last 30–60 s; a third of the lease time is too late")
				.strongReference(true)
				.register(registry);
		}
	}

	/** Returns a constant as the value of a tag. */
	static String text(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** Holds the meters of one store in all registries. */
	private static final class OfStore {

		private final Map<LossReason, LongAdder> lost = counters(LossReason.class);

		private final LongAdder jumps = new LongAdder();

		private final LongAdder heldTooLong = new LongAdder();

		/** Written under the lock of bindings. */
		private final List<BoundMeters> bound = new CopyOnWriteArrayList<>();

		private final String id;

		private final Supplier<Optional<List<String>>> lostNodes;

		private OfStore(String id, Supplier<Optional<List<String>>> lostNodes) {
			this.id = id;
			this.lostNodes = lostNodes;
		}

		private static <E extends Enum<E>> Map<E, LongAdder> counters(Class<E> type) {
			Map<E, LongAdder> counters = new EnumMap<>(type);
			for (E constant : type.getEnumConstants()) {
				counters.put(constant, new LongAdder());
			}
			return counters;
		}

		/** Binds the meters to a registry, under the lock of bindings. */
		private void bindTo(MeterRegistry registry) {
			this.bound.add(new BoundMeters(registry, this.id));
			this.lost.forEach((reason, count) -> counter("lock.lost", count)
				.description("Locks that were lost while they were held")
				.tag(REASON, text(reason))
				.register(registry));
			Gauge
				.builder("lock.store.nodes.lost", this.lostNodes,
						(lost) -> lost.get().map((nodes) -> (double) nodes.size()).orElse(Double.NaN))
				.description("Servers without which the store goes on; not a number for a store made in code")
				.tag(STORE, this.id)
				.strongReference(true)
				.register(registry);
			counter("lock.clock.jumps", this.jumps).description("Jumps of the clock of this machine")
				.register(registry);
			counter("lock.held.too.long", this.heldTooLong).description("Locks held for longer than max-hold")
				.register(registry);
		}

		private FunctionCounter.Builder<LongAdder> counter(String name, LongAdder count) {
			return FunctionCounter.builder(name, count, LongAdder::sum).tag(STORE, this.id);
		}

		void lost(LockLoss hold) {
			Objects.requireNonNull(this.lost.get(hold.reason())).increment();
		}

		void heldTooLong(LockOverrun hold) {
			this.heldTooLong.increment();
		}

		void clockJumped() {
			this.jumps.increment();
		}

	}

}
