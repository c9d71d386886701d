package io.distlock.spring.event;

import io.distlock.observe.LockAcquired;

/**
 * Reports that this process acquired a lock. Published only by a
 * {@link LockEventPublisher} of all activity, on the thread that acquired it.
 *
 * @param acquired what happened
 */
public record LockAcquiredEvent(LockAcquired acquired) {
}
