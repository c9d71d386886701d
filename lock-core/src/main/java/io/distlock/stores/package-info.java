/**
 * Keeps the locks of one application in several stores, and moves locks from one store to
 * another without a gap.
 */
@NullMarked
package io.distlock.stores;

import org.jspecify.annotations.NullMarked;
