package io.distlock.sample.voucher;

/**
 * An order.
 *
 * @param order its number
 * @param voucher the voucher
 * @param user the user who ordered it
 */
public record VoucherOrder(long order, String voucher, String user) {
}
