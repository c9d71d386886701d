package io.distlock.autoconfigure.tracing;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.ObservationConvention;

import io.distlock.Holder;
import io.distlock.autoconfigure.tracing.LockObservationDocumentation.HighCardinalityKeyNames;
import io.distlock.autoconfigure.tracing.LockObservationDocumentation.LowCardinalityKeyNames;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * What the names and values of both observations of a lock have in common. Store, name
 * and outcome are of low cardinality; key, token, caller and the other holder are for
 * traces only.
 */
public sealed interface LockObservationConvention extends ObservationConvention<LockObservationContext>
		permits LockAcquireObservationConvention, LockHoldObservationConvention {

	@Override
	default KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
		return KeyValues.of(LowCardinalityKeyNames.STORE.withValue(context.store()),
				LowCardinalityKeyNames.NAME.withValue(context.lockName()),
				LowCardinalityKeyNames.OUTCOME.withValue(context.outcome().isEmpty() ? "unknown" : context.outcome()));
	}

	@Override
	default KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
		KeyValues values = KeyValues.of(HighCardinalityKeyNames.KEY.withValue(KeyText.of(context.request().key())));
		if (context.fencingToken() != 0) {
			values = values
				.and(HighCardinalityKeyNames.FENCING_TOKEN.withValue(String.valueOf(context.fencingToken())));
		}
		if (!context.request().caller().isEmpty()) {
			values = values.and(HighCardinalityKeyNames.CALLER.withValue(ForeignText.of(context.request().caller())));
		}
		Holder holder = context.holder();
		if (holder != null) {
			values = values.and(HighCardinalityKeyNames.HOLDER
				.withValue(holder.application() + "@" + holder.host() + " " + holder.caller()));
		}
		return values;
	}

}
