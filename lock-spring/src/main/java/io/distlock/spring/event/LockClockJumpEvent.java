package io.distlock.spring.event;

import io.distlock.ClockJump;

/**
 * Reports that the clock of this machine jumped. It is published on one thread that does
 * not belong to the engine, so a listener may block.
 *
 * @param jump the size of the jump
 */
public record LockClockJumpEvent(ClockJump jump) {
}
