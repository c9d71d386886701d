package io.distlock.spring.event;

import io.distlock.observe.LockRefused;

/**
 * Reports that a caller of this process did not get a lock, for whatever reason.
 * Published only by a {@link LockEventPublisher} of all activity, on the thread of the
 * caller.
 *
 * @param refused what happened
 */
public record LockBusyEvent(LockRefused refused) {
}
