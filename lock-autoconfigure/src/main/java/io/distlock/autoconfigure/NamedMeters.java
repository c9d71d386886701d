package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import io.distlock.LockLoss;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.GrantKind;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockNotTaken;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;
import io.distlock.observe.RefusalReason;

/**
 * The meters of all locks with one name in one store. One object for all acquisitions:
 * what differs between them comes with each step.
 */
final class NamedMeters implements AcquisitionObserver {

	private final LongAdder begun = new LongAdder();

	/** Of those that began: neither waiting nor held. */
	private final LongAdder withoutHold = new LongAdder();

	private final LongAdder holds = new LongAdder();

	private final LongAdder ended = new LongAdder();

	private final Map<RefusalReason, Timer> refused = new EnumMap<>(RefusalReason.class);

	private final Map<GrantKind, Counter> handovers = new EnumMap<>(GrantKind.class);

	private final Timer granted;

	private final Timer notTaken;

	private final Timer hold;

	private final Counter runsWithoutLock;

	private final Counter skips;

	/**
	 * Registers the meters.
	 * @param registry where
	 * @param store the id of the store
	 * @param name the name of the locks
	 */
	NamedMeters(MeterRegistry registry, String store, String name) {
		Tags tags = Tags.of("store", store, "name", name);
		this.granted = waits(registry, tags, "granted");
		this.notTaken = waits(registry, tags, "not-taken");
		for (RefusalReason reason : RefusalReason.values()) {
			this.refused.put(reason, waits(registry, tags, LockMeters.text(reason)));
		}
		this.hold = Timer.builder("distributed.lock.hold")
			.description("From the grant of a lock to its release or loss")
			.tags(tags)
			.register(registry);
		for (GrantKind how : new GrantKind[] { GrantKind.HERE, GrantKind.WAITED, GrantKind.PUSH, GrantKind.POLL }) {
			this.handovers.put(how,
					Counter.builder("distributed.lock.handovers")
						.description("Locks that came from another holder: of this process, or by which way")
						.tags(tags)
						.tag("how", LockMeters.text(how))
						.register(registry));
		}
		this.runsWithoutLock = counter(registry, "distributed.lock.runs.without.lock", tags,
				"Calls of methods that ran without their lock because the store could not answer");
		this.skips = counter(registry, "distributed.lock.skips", tags,
				"Calls of methods that did not run because their lock was busy, with onBusy = SKIP");
		gauge(registry, "distributed.lock.waiting", NamedMeters::waiting, tags, "Callers that wait for a lock now");
		gauge(registry, "distributed.lock.held", NamedMeters::held, tags, "Locks that are held now");
	}

	private static Timer waits(MeterRegistry registry, Tags tags, String outcome) {
		return Timer.builder("distributed.lock.wait")
			.description("From the request for a lock to its grant or refusal")
			.tags(tags)
			.tag("outcome", outcome)
			.register(registry);
	}

	private static Counter counter(MeterRegistry registry, String meter, Tags tags, String description) {
		return Counter.builder(meter).description(description).tags(tags).register(registry);
	}

	private void gauge(MeterRegistry registry, String meter, ToDoubleFunction<NamedMeters> value, Tags tags,
			String description) {
		Gauge.builder(meter, this, value).description(description).tags(tags).strongReference(true).register(registry);
	}

	/** What has ended is read first, so that the difference is never negative. */
	private long waiting() {
		long over = this.withoutHold.sum() + this.holds.sum();
		return this.begun.sum() - over;
	}

	private long held() {
		long over = this.ended.sum();
		return this.holds.sum() - over;
	}

	/** An acquisition begins. */
	void begin() {
		this.begun.increment();
	}

	/** A call has no lock and does not fail. */
	void notTaken(LockNotTaken.Reason reason) {
		switch (reason) {
			case STORE_FAILURE -> this.runsWithoutLock.increment();
			case BUSY -> this.skips.increment();
			default -> this.notTaken.record(Duration.ZERO);
		}
	}

	@Override
	public void acquired(LockAcquired acquired) {
		GrantKind how = acquired.how();
		if (how == GrantKind.NESTED) {
			this.withoutHold.increment();
			return;
		}
		this.holds.increment();
		this.granted.record(acquired.waited().toNanos(), TimeUnit.NANOSECONDS);
		if (how != GrantKind.FREE) {
			Objects.requireNonNull(this.handovers.get(how)).increment();
		}
	}

	@Override
	public void refused(LockRefused refused) {
		this.withoutHold.increment();
		Objects.requireNonNull(this.refused.get(refused.reason())).record(refused.waited());
	}

	@Override
	public void released(LockReleased released) {
		this.ended.increment();
		this.hold.record(released.held().toNanos(), TimeUnit.NANOSECONDS);
	}

	@Override
	public void lost(LockLoss loss) {
		this.ended.increment();
		this.hold.record(Duration.between(loss.acquiredAt(), loss.lostAt()));
	}

	/** The release has ended the hold already. */
	@Override
	public void lostBeforeRelease(LockLoss loss) {
	}

}
