package io.distlock.sample.voucher;

/**
 * An order.
 *
 * @param number its number
 * @param voucher the voucher
 * @param user who ordered it
 */
public record VoucherOrder(long number, String voucher, String user) {
}
