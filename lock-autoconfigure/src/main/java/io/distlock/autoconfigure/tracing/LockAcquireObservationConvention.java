package io.distlock.autoconfigure.tracing;

import io.micrometer.observation.Observation;

/**
 * Names the observations of acquisitions and their values. A bean of this type replaces
 * the parts that it overrides.
 */
public non-sealed interface LockAcquireObservationConvention extends LockObservationConvention {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof LockObservationContext lock && lock.stage() == LockObservationContext.Stage.ACQUIRE;
	}

	@Override
	default String getName() {
		return "lock.acquire";
	}

	@Override
	default String getContextualName(LockObservationContext context) {
		return "acquire lock " + context.lockName();
	}

}
