package io.distlock.records.state;

/**
 * A lock for people who look into the store.
 *
 * @param holder one of the holders, empty if there is none
 * @param waiting how many instances wait
 * @param until until when any hold or waiter is alive, in milliseconds of the store's
 * clock; {@link Long#MAX_VALUE} if that depends on a session, 0 if there is none
 */
public record StateSummary(String holder, int waiting, long until) {
}
