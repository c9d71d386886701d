package io.distlock.spring.event;

import io.distlock.LockOverrun;

/**
 * Reports that a lock is held for longer than it should be; published once for each hold,
 * on one thread that is not the engine's, so a listener may block.
 *
 * @param overrun the hold, which goes on
 */
public record LockHeldTooLongEvent(LockOverrun overrun) {
}
