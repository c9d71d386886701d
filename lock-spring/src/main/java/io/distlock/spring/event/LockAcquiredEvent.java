package io.distlock.spring.event;

import io.distlock.observe.LockAcquired;

/**
 * Reports that this process acquired a lock. Only a {@link LockEventPublisher} of all
 * activity publishes it, on the thread that acquired the lock.
 *
 * @param acquired the acquisition
 */
public record LockAcquiredEvent(LockAcquired acquired) {
}
