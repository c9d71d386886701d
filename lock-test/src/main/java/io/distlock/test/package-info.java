/**
 * The test kit: what every store and every template on a store must do, a virtual clock,
 * and faults on demand.
 */
@NullMarked
package io.distlock.test;

import org.jspecify.annotations.NullMarked;
