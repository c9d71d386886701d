package io.distlock.spring;

import io.distlock.ClockJump;

/**
 * A clock that leases depend on jumped. Published on a thread of its own, off the
 * engine's.
 *
 * @param jump what happened
 */
public record LockClockJumpEvent(ClockJump jump) {
}
