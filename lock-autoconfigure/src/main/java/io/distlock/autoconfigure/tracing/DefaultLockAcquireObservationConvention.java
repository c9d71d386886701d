package io.distlock.autoconfigure.tracing;

/** Names and values of the observations of acquisitions, unless a bean replaces them. */
public class DefaultLockAcquireObservationConvention implements LockAcquireObservationConvention {

}
