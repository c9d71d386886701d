package io.distlock.autoconfigure;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import io.distlock.ClockJump;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockListener;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import io.distlock.LossReason;

/** Counts losses, overruns and clock jumps, and measures the lag of renewals. */
final class LockMeters implements MeterBinder, LockListener {

	private final Map<LossReason, LongAdder> lost = counters(LossReason.class);

	private final Map<ClockJump.Source, LongAdder> jumps = counters(ClockJump.Source.class);

	private final LongAdder heldTooLong = new LongAdder();

	private final Supplier<@Nullable CloseableLockTemplate> template;

	private final ToDoubleFunction<LockMeters> runsWithoutLock;

	/**
	 * Creates it.
	 * @param template measures the lag of renewals; queried when meters are bound
	 * @param runsWithoutLock how often methods ran without their lock
	 */
	LockMeters(Supplier<@Nullable CloseableLockTemplate> template, LongSupplier runsWithoutLock) {
		this.template = template;
		this.runsWithoutLock = (self) -> runsWithoutLock.getAsLong();
	}

	private static <E extends Enum<E>> Map<E, LongAdder> counters(Class<E> type) {
		Map<E, LongAdder> counters = new EnumMap<>(type);
		for (E constant : type.getEnumConstants()) {
			counters.put(constant, new LongAdder());
		}
		return counters;
	}

	@Override
	public void lost(LockLoss hold) {
		Objects.requireNonNull(this.lost.get(hold.reason())).increment();
	}

	@Override
	public void heldTooLong(LockOverrun hold) {
		this.heldTooLong.increment();
	}

	@Override
	public void clockJumped(ClockJump jump) {
		Objects.requireNonNull(this.jumps.get(jump.clock())).increment();
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		CloseableLockTemplate template = this.template.get();
		if (template != null) {
			TimeGauge
				.builder("distributed.lock.renewal.lag", template, TimeUnit.NANOSECONDS,
						(measured) -> measured.renewalLag().toNanos())
				.description("Longest delay of a renewal over the last 30–60 s; a third of the lease time is too late")
				.strongReference(true)
				.register(registry);
		}
		this.lost.forEach((reason, count) -> counter("distributed.lock.lost", count)
			.description("Locks that were lost while they were held")
			.tag("reason", text(reason))
			.register(registry));
		this.jumps.forEach((clock, count) -> counter("distributed.lock.clock.jumps", count)
			.description("Jumps of a clock that leases depend on")
			.tag("clock", text(clock))
			.register(registry));
		counter("distributed.lock.held.too.long", this.heldTooLong).description("Locks held for longer than max-hold")
			.register(registry);
		FunctionCounter.builder("distributed.lock.runs.without.lock", this, this.runsWithoutLock)
			.description("Calls of methods that ran without their lock because the store could not answer")
			.register(registry);
	}

	private static FunctionCounter.Builder<LongAdder> counter(String name, LongAdder count) {
		return FunctionCounter.builder(name, count, LongAdder::sum);
	}

	private static String text(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
