/**
 * Prices in Redis that an outdated holder of the lock cannot overwrite.
 */
@NullMarked
package io.distlock.sample.price;

import org.jspecify.annotations.NullMarked;
