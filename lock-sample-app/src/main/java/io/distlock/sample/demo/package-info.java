/**
 * Sells the same items from two nodes, once without and once with the lock.
 */
@NullMarked
package io.distlock.sample.demo;

import org.jspecify.annotations.NullMarked;
