/**
 * Items in stock, kept in Redis as plain numbers: overselling is what the lock prevents.
 */
@NullMarked
package io.distlock.sample.stock;

import org.jspecify.annotations.NullMarked;
