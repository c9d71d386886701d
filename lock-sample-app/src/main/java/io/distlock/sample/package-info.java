/**
 * A small shop that sells items and vouchers, and publishes prices, under locks.
 */
@NullMarked
package io.distlock.sample;

import org.jspecify.annotations.NullMarked;
