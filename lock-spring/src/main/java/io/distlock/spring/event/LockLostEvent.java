package io.distlock.spring.event;

import io.distlock.LockLoss;

/**
 * Reports that a lock held by this process was lost. Published on one thread that is not
 * the engine's, so a listener may block.
 *
 * @param loss what was lost, when and why
 */
public record LockLostEvent(LockLoss loss) {
}
