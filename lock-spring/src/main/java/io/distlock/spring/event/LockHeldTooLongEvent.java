package io.distlock.spring.event;

import io.distlock.LockOverrun;

/**
 * Reports that a lock is held for longer than expected. It is published once for each
 * hold, on one thread that does not belong to the engine, so a listener may block.
 *
 * @param overrun the hold, which continues
 */
public record LockHeldTooLongEvent(LockOverrun overrun) {
}
