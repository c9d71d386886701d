package io.distlock.autoconfigure.tracing;

/** Names and values of the observations of holds, unless a bean replaces them. */
public class DefaultLockHoldObservationConvention implements LockHoldObservationConvention {

}
