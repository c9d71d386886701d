package io.distlock.spring.event;

import io.distlock.observe.LockReleased;

/**
 * Reports that this process released a lock. Published only by a
 * {@link LockEventPublisher} of all activity, on the thread that released it.
 *
 * @param released what happened
 */
public record LockReleasedEvent(LockReleased released) {
}
