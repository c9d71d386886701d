/**
 * Vouchers, one for each user: the lock stays outside the database transaction.
 */
@NullMarked
package io.distlock.sample.voucher;

import org.jspecify.annotations.NullMarked;
