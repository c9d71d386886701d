package io.distlock.spring.event;

import io.distlock.observe.LockRefused;

/**
 * Reports that a caller of this process did not get a lock, for whatever reason. Only a
 * {@link LockEventPublisher} of all activity publishes it, on the thread of the caller.
 *
 * @param refused the refusal
 */
public record LockBusyEvent(LockRefused refused) {
}
