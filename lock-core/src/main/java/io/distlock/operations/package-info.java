/**
 * For operators: which locks are held, by which process and since when, which callers
 * wait for them, and how one is released by force.
 */
@NullMarked
package io.distlock.operations;

import org.jspecify.annotations.NullMarked;
