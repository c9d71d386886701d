package io.distlock.spring.event;

import io.distlock.LockLoss;

/**
 * Reports that a lock held by this process was lost. It is published on one thread that
 * does not belong to the engine, so a listener may block.
 *
 * @param loss the lost lock, with the time and the reason
 */
public record LockLostEvent(LockLoss loss) {
}
