package io.distlock.spring.event;

import io.distlock.ClockJump;

/**
 * Reports that the clock of this machine jumped. Published on one thread that is not the
 * engine's, so a listener may block.
 *
 * @param jump how far it jumped
 */
public record LockClockJumpEvent(ClockJump jump) {
}
