package io.distlock.spring.event;

import io.distlock.ClockJump;

/**
 * Reports that a clock on which leases depend jumped. Published on one thread that is not
 * the engine's, so a listener may block.
 *
 * @param jump the clock, and how far it jumped
 */
public record LockClockJumpEvent(ClockJump jump) {
}
