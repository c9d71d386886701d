package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import io.distlock.LockLoss;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.GrantKind;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;
import io.distlock.observe.RefusalReason;

/**
 * The meters of all locks with one name. One object for all acquisitions: what differs
 * between them comes with each step.
 */
final class NamedMeters implements AcquisitionObserver {

	private final AtomicInteger waiting = new AtomicInteger();

	private final AtomicInteger held = new AtomicInteger();

	private final Map<RefusalReason, Timer> refused = new EnumMap<>(RefusalReason.class);

	private final Map<GrantKind, Counter> handovers = new EnumMap<>(GrantKind.class);

	private final Timer granted;

	private final Timer skipped;

	private final Timer hold;

	NamedMeters(MeterRegistry registry, String name) {
		this.granted = waits(registry, name, "granted");
		this.skipped = waits(registry, name, "skipped");
		for (RefusalReason reason : RefusalReason.values()) {
			this.refused.put(reason, waits(registry, name, LockMeters.text(reason)));
		}
		this.hold = Timer.builder("distributed.lock.hold")
			.description("From the grant of a lock to its release or loss")
			.tag("name", name)
			.register(registry);
		for (GrantKind how : new GrantKind[] { GrantKind.HERE, GrantKind.PUSH, GrantKind.POLL }) {
			this.handovers.put(how,
					Counter.builder("distributed.lock.handovers")
						.description("Locks that came from another holder: of this process, or by which way")
						.tag("name", name)
						.tag("how", LockMeters.text(how))
						.register(registry));
		}
		gauge(registry, "distributed.lock.waiting", this.waiting, name, "Callers that wait for a lock now");
		gauge(registry, "distributed.lock.held", this.held, name, "Locks that are held now");
	}

	private static Timer waits(MeterRegistry registry, String name, String outcome) {
		return Timer.builder("distributed.lock.wait")
			.description("From the request for a lock to its grant or refusal")
			.tag("name", name)
			.tag("outcome", outcome)
			.register(registry);
	}

	private static void gauge(MeterRegistry registry, String meter, AtomicInteger count, String name,
			String description) {
		Gauge.builder(meter, count, AtomicInteger::get)
			.description(description)
			.tag("name", name)
			.strongReference(true)
			.register(registry);
	}

	/** An acquisition begins. */
	void begin() {
		this.waiting.incrementAndGet();
	}

	/** A body runs without its lock, and does not wait. */
	void skipped() {
		this.skipped.record(Duration.ZERO);
	}

	@Override
	public void acquired(LockAcquired acquired) {
		this.waiting.decrementAndGet();
		if (acquired.how() == GrantKind.NESTED) {
			return;
		}
		this.held.incrementAndGet();
		this.granted.record(acquired.waited());
		Counter handover = this.handovers.get(acquired.how());
		if (handover != null) {
			handover.increment();
		}
	}

	@Override
	public void refused(LockRefused refused) {
		this.waiting.decrementAndGet();
		Objects.requireNonNull(this.refused.get(refused.reason())).record(refused.waited());
	}

	@Override
	public void released(LockReleased released) {
		this.held.decrementAndGet();
		this.hold.record(released.held());
	}

	@Override
	public void lost(LockLoss loss) {
		this.held.decrementAndGet();
		this.hold.record(Duration.between(loss.acquiredAt(), loss.lostAt()));
	}

	/** The release has ended the hold already. */
	@Override
	public void lostBeforeRelease(LockLoss loss) {
	}

}
