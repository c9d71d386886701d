package io.distlock.autoconfigure.tracing;

import io.micrometer.observation.Observation;

/**
 * Names the observations of holds and their values. A bean of this type replaces the
 * parts that it overrides.
 */
public non-sealed interface LockHoldObservationConvention extends LockObservationConvention {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof LockObservationContext lock && lock.stage() == LockObservationContext.Stage.HOLD;
	}

	@Override
	default String getName() {
		return "lock.hold";
	}

	@Override
	default String getContextualName(LockObservationContext context) {
		return "hold lock " + context.lockName();
	}

}
