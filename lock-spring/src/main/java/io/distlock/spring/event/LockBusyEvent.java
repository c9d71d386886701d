package io.distlock.spring.event;

import io.distlock.observe.LockRefused;

/**
 * Reports that a caller of this process did not get a lock, for whatever reason.
 * Published only if {@code distributed-lock.activity-events} is {@code true}, on one
 * thread that is not the engine's.
 *
 * @param refused what happened
 */
public record LockBusyEvent(LockRefused refused) {
}
