/**
 * The contract between the engine and a store: what a store implements, and what it
 * reports to the engine. Code that uses locks needs only two of these types: a
 * {@link io.distlock.spi.LockStore} to build a template with, and in tests a
 * {@link io.distlock.spi.LockClock}.
 */
@NullMarked
package io.distlock.spi;

import org.jspecify.annotations.NullMarked;
