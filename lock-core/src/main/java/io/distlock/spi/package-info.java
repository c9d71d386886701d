/**
 * What a store implements, and what the engine tells it. Users of the lock never see
 * these types.
 */
@NullMarked
package io.distlock.spi;

import org.jspecify.annotations.NullMarked;
