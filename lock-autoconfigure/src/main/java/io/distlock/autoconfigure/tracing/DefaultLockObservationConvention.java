package io.distlock.autoconfigure.tracing;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

import io.distlock.Holder;
import io.distlock.autoconfigure.tracing.LockObservationContext.Stage;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * Observations {@code lock.acquire} and {@code lock.hold}. Name and outcome are of low
 * cardinality; key, token, caller and the other holder are for traces only.
 */
public class DefaultLockObservationConvention implements LockObservationConvention {

	@Override
	public String getName() {
		return "lock.acquire";
	}

	@Override
	public String getContextualName(LockObservationContext context) {
		return ((context.stage() == Stage.ACQUIRE) ? "acquire lock " : "hold lock ") + name(context);
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
		return KeyValues.of(KeyValue.of("lock.name", name(context)),
				KeyValue.of("lock.outcome", context.outcome().isEmpty() ? "unknown" : context.outcome()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
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

	private static String name(LockObservationContext context) {
		String name = context.request().name();
		return name.isEmpty() ? "unnamed" : ForeignText.of(name);
	}

}
