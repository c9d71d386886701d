package io.distlock.spring.event;

/**
 * Reports that this process no longer leads. It is published on a thread of the election
 * after the revoked callbacks. The lock of the election is released when all listeners
 * have returned.
 *
 * @param election the name of the election
 * @param fencingToken the fencing token of the leadership that has ended
 */
public record LeaderRevokedEvent(String election, long fencingToken) {
}
