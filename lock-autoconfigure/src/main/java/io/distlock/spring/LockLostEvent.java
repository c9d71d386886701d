package io.distlock.spring;

import io.distlock.LockLoss;

/**
 * A lock that was held here was lost. Published on a thread of its own, off the engine's.
 *
 * @param hold what happened
 */
public record LockLostEvent(LockLoss hold) {
}
