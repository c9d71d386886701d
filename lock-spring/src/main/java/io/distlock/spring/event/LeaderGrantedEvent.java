package io.distlock.spring.event;

/**
 * Reports that this process leads. It is published on a thread of the election after the
 * granted callbacks, so a listener may block. The thread is interrupted when the
 * leadership ends.
 *
 * @param election the name of the election
 * @param fencingToken the fencing token of the leadership
 */
public record LeaderGrantedEvent(String election, long fencingToken) {
}
