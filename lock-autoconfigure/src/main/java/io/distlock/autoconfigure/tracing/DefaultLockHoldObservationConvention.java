package io.distlock.autoconfigure.tracing;

/**
 * Provides names and values for the observations of holds, unless a bean replaces them.
 */
public class DefaultLockHoldObservationConvention implements LockHoldObservationConvention {

}
