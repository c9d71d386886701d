package io.distlock.spring;

import io.distlock.LockOverrun;

/**
 * A lock is held for longer than it should be; published once for each hold. Published on
 * a thread of its own, off the engine's.
 *
 * @param hold what happened
 */
public record LockHeldTooLongEvent(LockOverrun hold) {
}
