package io.distlock.autoconfigure.tracing;

/**
 * Provides names and values for the observations of acquisitions, unless a bean replaces
 * them.
 */
public class DefaultLockAcquireObservationConvention implements LockAcquireObservationConvention {

}
