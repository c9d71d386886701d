/**
 * The ways to sell an item: read them from top to bottom of the staircase.
 */
@NullMarked
package io.distlock.lab.strategy;

import org.jspecify.annotations.NullMarked;
