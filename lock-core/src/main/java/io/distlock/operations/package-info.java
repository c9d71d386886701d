/**
 * Shows operators which locks are held, by which process and since when, and which
 * callers wait for them. Releases a lock by force.
 */
@NullMarked
package io.distlock.operations;

import org.jspecify.annotations.NullMarked;
