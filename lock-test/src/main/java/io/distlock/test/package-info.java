/**
 * The test kit: contracts that every store and every template must fulfil, a virtual
 * clock, and faults on demand.
 */
@NullMarked
package io.distlock.test;

import org.jspecify.annotations.NullMarked;
