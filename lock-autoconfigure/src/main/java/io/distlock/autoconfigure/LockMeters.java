package io.distlock.autoconfigure;

import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/** What the template tells a meter registry. */
final class LockMeters implements MeterBinder {

	private final LifecycleLockTemplate template;

	LockMeters(LifecycleLockTemplate template) {
		this.template = template;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		TimeGauge
			.builder("distributed.lock.renewal.lag", this.template, TimeUnit.NANOSECONDS,
					(template) -> template.renewalLag().toNanos())
			.description(
					"Longest delay of a renewal in the last half to full minute; a third of the lease time is too late")
			.strongReference(true)
			.register(registry);
	}

}
