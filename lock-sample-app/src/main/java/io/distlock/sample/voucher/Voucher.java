package io.distlock.sample.voucher;

import java.time.Instant;

/**
 * A voucher.
 *
 * @param id its name
 * @param title what it says
 * @param stock how many there were
 * @param left how many are left
 * @param begin the first moment to order it
 * @param end the first moment when it is too late
 */
public record Voucher(String id, String title, int stock, int left, Instant begin, Instant end) {
}
