package io.distlock.internal.state;

import io.distlock.spi.FinishResult;

/**
 * The last request of an instance that ended.
 *
 * @param number its number
 * @param result what was ended
 * @param at when, by the store's clock in milliseconds
 */
record EndedRequest(long number, FinishResult result, long at) {
}
