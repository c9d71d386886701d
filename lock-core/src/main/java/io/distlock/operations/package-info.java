/**
 * For operators: which locks are held, by whom and since when, who waits for them, and
 * how one is released by force.
 */
@NullMarked
package io.distlock.operations;

import org.jspecify.annotations.NullMarked;
