package io.distlock.autoconfigure.tracing;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.ObservationConvention;

import io.distlock.Holder;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * Defines the common names and values of both observations of a lock. Store, name and
 * outcome have low cardinality. Key, token, caller and the other holder are only for
 * traces.
 */
public sealed interface LockObservationConvention extends ObservationConvention<LockObservationContext>
		permits LockAcquireObservationConvention, LockHoldObservationConvention {

	@Override
	default KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
		return KeyValues.of("lock.store", context.store(), "lock.name", context.lockName(), "lock.outcome",
				context.outcome().isEmpty() ? "unknown" : context.outcome());
	}

	@Override
	default KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
		KeyValues values = KeyValues.of("lock.key", KeyText.of(context.request().key()));
		if (context.fencingToken() != 0) {
			values = values.and("lock.fencing_token", String.valueOf(context.fencingToken()));
		}
		if (!context.request().caller().isEmpty()) {
			values = values.and("lock.caller", ForeignText.of(context.request().caller()));
		}
		Holder holder = context.holder();
		if (holder != null) {
			values = values.and("lock.holder", holder.application() + "@" + holder.host() + " " + holder.caller());
		}
		return values;
	}

}
