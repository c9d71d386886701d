/**
 * A small shop that shows the lock at work: start reading at its services.
 */
@NullMarked
package io.distlock.sample;

import org.jspecify.annotations.NullMarked;
