package io.distlock.spring.event;

import io.distlock.observe.LockReleased;

/**
 * Reports that this process released a lock. Only a {@link LockEventPublisher} of all
 * activity publishes it, on the thread that released the lock.
 *
 * @param released the release
 */
public record LockReleasedEvent(LockReleased released) {
}
