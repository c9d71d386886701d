package io.distlock.spring.event;

import io.distlock.observe.LockReleased;

/**
 * Reports that this process released a lock. Published only if
 * {@code distributed-lock.activity-events} is {@code true}, on one thread that is not the
 * engine's.
 *
 * @param released what happened
 */
public record LockReleasedEvent(LockReleased released) {
}
