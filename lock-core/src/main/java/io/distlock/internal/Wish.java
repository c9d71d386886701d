package io.distlock.internal;

/**
 * What a waiter wants.
 *
 * @param lease how long to hold
 * @param waitNanos how long to wait, zero for a single attempt
 * @param maxWaiters how many may wait in this process, itself included
 * @param caller where it asks from
 */
record Wish(Lease lease, long waitNanos, int maxWaiters, String caller) {
}
