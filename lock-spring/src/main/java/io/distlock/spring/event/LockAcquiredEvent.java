package io.distlock.spring.event;

import io.distlock.observe.LockAcquired;

/**
 * Reports that this process acquired a lock. Published only if
 * {@code distributed-lock.activity-events} is {@code true}, on one thread that is not the
 * engine's.
 *
 * @param acquired what happened
 */
public record LockAcquiredEvent(LockAcquired acquired) {
}
